// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/surrogate/acquisition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace redtune::search {
namespace {

constexpr std::size_t most_failures = 64;  ///< that are compared with: the latest

float cubed(float number) {
  return number * number * number;
}

}  // namespace

// Loops run over all candidates at once, so that a compiler makes vector instructions of them.
Acquisition::Acquisition(std::vector<Point> candidates, const GaussianProcess& process,
                         std::span<const Point> failed, std::vector<float> expected,
                         double exploration)
    : points_(std::move(candidates)),
      expected_(std::move(expected)),
      most_(points_.size(), 0.0F),
      ran_(points_.size(), 1.0F),
      log_success_(points_.size(), 0.0),
      exploration_(exploration) {
  if (points_.empty()) return;
  expected_.resize(points_.size());
  places_ = process.similarity().places(points_);
  similar_.reserve(process.points().size() * points_.size());
  for (const Point& point : process.points()) add_column(process.similarity(), point);
  std::vector<float> similar(points_.size());
  std::vector<float> failures(points_.size());
  for (const Point& one : failed.last(std::min(failed.size(), most_failures))) {
    process.similarity()(one, places_, similar);
    for (std::size_t i = 0; i < similar.size(); ++i) failures[i] += cubed(similar[i]);
  }
  for (std::size_t i = 0; i < points_.size(); ++i) {
    log_success_[i] = std::log(ran_[i] / (ran_[i] + failures[i]));
  }
}

void Acquisition::add_column(const Similarity& similarity, const Point& point) {
  const std::size_t begin = similar_.size();
  const std::size_t count = points_.size();
  similar_.resize(begin + count);
  similarity(point, places_, std::span(similar_).subspan(begin));
  const float* const similar = similar_.data() + begin;
  for (std::size_t i = 0; i < count; ++i) {
    most_[i] = std::max(most_[i], similar[i]);
    ran_[i] += cubed(similar[i]);
  }
}

std::vector<float> Acquisition::row(std::size_t index) const {
  std::vector<float> row;
  for (std::size_t at = index; at < similar_.size(); at += points_.size()) {
    row.push_back(similar_[at]);
  }
  return row;
}

void Acquisition::take_off(std::size_t index) {
  log_success_[index] = -std::numeric_limits<double>::infinity();
}

/// The deviation of a candidate is worked out only when it might be the best: its largest
/// similarity alone bounds it.
std::size_t Acquisition::best(const GaussianProcess& process) const {
  std::vector<float> means = expected_;
  for (std::size_t column = 0; column < process.weights().size(); ++column) {
    const float weight = process.weights()[column];
    const float* const similar = &similar_[column * points_.size()];
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += weight * similar[i];
  }
  std::vector<double> sure(points_.size());
  std::vector<double> hope(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    sure[i] = log_success_[i] - static_cast<double>(means[i]);
    hope[i] = sure[i] + exploration_ * process.most_deviation(most_[i]);
  }
  std::vector<std::size_t> order(points_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return hope[i]; });
  std::size_t best = order.front();
  double promise = -std::numeric_limits<double>::infinity();
  for (const std::size_t i : order) {
    if (hope[i] <= promise) break;
    const double now = sure[i] + exploration_ * process.deviation(row(i));
    if (now > promise) {
      promise = now;
      best = i;
    }
  }
  return best;
}

}  // namespace redtune::search
