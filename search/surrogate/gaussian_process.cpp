// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/surrogate/gaussian_process.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/surrogate/cholesky.hpp"

namespace redtune::search {
namespace {

/// Where learning starts, and what it prefers when the values do not say: from one end of an axis
/// to the other, the similarity falls to 0.58.
constexpr double usual_length = 1.6;
constexpr double shortest_length = 0.05;
constexpr double longest_length = 20;
constexpr double usual_noise = 1e-3;
constexpr double least_noise = 1e-4;  // keeps the factor well conditioned in single precision
constexpr double most_noise = 1;
constexpr double impossible = 1e30;

double square_of_log(double ratio) {
  return std::log(ratio) * std::log(ratio);
}

}  // namespace

GaussianProcess::GaussianProcess(const Space& space)
    : similarity_(space, usual_length),
      lengths_(similarity_.traits().size(), usual_length),
      noise_(usual_noise) {}

bool GaussianProcess::factor(const Similarity& similarity, double noise,
                             std::span<const Point> points, std::vector<float>& rows) const {
  rows.clear();
  rows.reserve(row_begin(points.size()));
  const float diagonal = 1 + static_cast<float>(noise);
  const Places places = similarity.places(points);
  std::vector<float> similar;
  for (std::size_t i = 0; i < points.size(); ++i) {
    similar.resize(i);
    similarity(points[i], places, similar);
    if (!append_row(rows, std::span<const float>(similar), diagonal)) return false;
  }
  return true;
}

/// The negative logarithm of how likely the values are, their scale being the likeliest, and of how
/// usual the lengths and the noise are: log-normal, a factor e (of the noise e^2) being common.
double GaussianProcess::misfit(const std::vector<double>& lengths, double noise,
                               std::span<const Point> points,
                               std::span<const double> values) const {
  std::vector<float> rows;
  if (!factor(similarity_.with(lengths), noise, points, rows)) return impossible;
  const std::size_t count = points.size();
  std::vector<float> white(count);
  solve_forward(std::span<const float>(rows), count, values.data(), white.data());
  double sum = 1e-12;
  double misfit = square_of_log(noise / usual_noise) / 8;
  for (std::size_t i = 0; i < count; ++i) {
    sum += static_cast<double>(white[i]) * white[i];
    misfit += std::log(static_cast<double>(rows[row_begin(i) + i]));
  }
  for (const double length : lengths) misfit += square_of_log(length / usual_length) / 2;
  return misfit + 0.5 * static_cast<double>(count) * std::log(sum / static_cast<double>(count));
}

/// Changes one number at a time by a factor, as long as that helps; then by a smaller factor.
void GaussianProcess::fit(std::span<const Point> points, std::span<const double> values) {
  std::vector<double> numbers = lengths_;
  numbers.push_back(noise_);
  const auto misfit_of = [&](const std::vector<double>& tried) {
    return misfit({tried.begin(), tried.end() - 1}, tried.back(), points, values);
  };
  double best = misfit_of(numbers);
  for (const double step : {2.0, 1.4}) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool is_noise = i + 1 == numbers.size();
      const double least = is_noise ? least_noise : shortest_length;
      const double most = is_noise ? most_noise : longest_length;
      const double factor = is_noise ? step * step : step;
      for (const double change : {factor, 1 / factor}) {
        for (;;) {
          std::vector<double> tried = numbers;
          tried[i] *= change;
          if (tried[i] < least || tried[i] > most) break;
          const double now = misfit_of(tried);
          if (!(now < best - 1e-6)) break;
          best = now;
          numbers = std::move(tried);
        }
      }
    }
  }
  noise_ = numbers.back();
  numbers.pop_back();
  lengths_ = std::move(numbers);
}

void GaussianProcess::learn(std::vector<Point> points, std::span<const double> values) {
  // The best half as they are, of the others some of every quality.
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<Point> some;
  std::vector<double> worth;
  const std::size_t half = most_learned / 2;
  const std::size_t rest = order.size() - std::min(order.size(), half);
  for (std::size_t i = 0; i < std::min(order.size(), most_learned); ++i) {
    const bool spread = i >= half && order.size() > most_learned;
    const std::size_t from = order[spread ? half + (i - half) * rest / half : i];
    some.push_back(points[from]);
    worth.push_back(values[from]);
  }
  fit(some, worth);
  similarity_ = similarity_.with(lengths_);
  points_ = std::move(points);
  while (!factor(similarity_, noise_, points_, rows_)) noise_ = std::max(noise_ * 10, least_noise);
  set_values(values);
}

void GaussianProcess::add(const Point& point) {
  std::vector<float> similar(points_.size());
  for (std::size_t i = 0; i < similar.size(); ++i) similar[i] = similarity_(point, points_[i]);
  points_.push_back(point);
  const float diagonal = 1 + static_cast<float>(noise_);
  if (append_row(rows_, std::span<const float>(similar), diagonal)) return;
  rows_.back() = 1e-3F;  // all but a copy of points before it
}

void GaussianProcess::keep(std::size_t count) {
  points_.resize(std::min(count, points_.size()));
  rows_.resize(row_begin(points_.size()));
}

void GaussianProcess::set_values(std::span<const double> values) {
  const std::size_t count = points_.size();
  weights_.resize(count);
  solve_forward(std::span<const float>(rows_), count, values.data(), weights_.data());
  const double sum = dot(weights_.data(), weights_.data(), count);
  scale_ = std::max(sum / static_cast<double>(std::max<std::size_t>(count, 1)), 1e-6);
  solve_backward(std::span<const float>(rows_), std::span(weights_));
}

double GaussianProcess::mean(std::span<const float> similar) const {
  return dot(similar.data(), weights_.data(), points_.size());
}

double GaussianProcess::deviation(std::span<const float> similar) const {
  std::vector<float> solved(points_.size());
  solve_forward(std::span<const float>(rows_), solved.size(), similar.data(), solved.data());
  const double known = dot(solved.data(), solved.data(), solved.size());
  return std::sqrt(scale_ * std::max(1e-6, 1 - known));
}

double GaussianProcess::most_deviation(float most_similar) const {
  const double known = static_cast<double>(most_similar) * most_similar / (1 + noise_);
  return std::sqrt(scale_ * std::max(1e-6, 1 - known));
}

}  // namespace redtune::search
