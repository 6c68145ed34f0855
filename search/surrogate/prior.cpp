// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/surrogate/prior.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <future>
#include <numeric>
#include <utility>

#include "search/surrogate/cholesky.hpp"
#include "search/surrogate/history.hpp"

namespace redtune::search {
namespace {

constexpr std::size_t fewest = 8;
constexpr std::size_t most_points = 160;

}  // namespace

SourceModel::SourceModel(const Space& space, std::span<const Observation> alike) : process_(space) {
  History history;
  for (const Observation& one : alike) history.add(one);
  const auto order = history.cheapest();
  if (order.size() < fewest || !(history.cost(order.front()) > 0)) return;
  const std::size_t count = std::min(order.size(), most_points);
  const std::size_t cheap = order.size() > most_points ? most_points / 2 : count;
  std::vector<std::size_t> chosen(order.begin(),
                                  order.begin() + static_cast<std::ptrdiff_t>(cheap));
  for (std::size_t i = cheap; i < count; ++i) {
    chosen.push_back(order[cheap + (i - cheap) * (order.size() - cheap) / (count - cheap)]);
  }
  std::vector<Point> points;
  std::vector<double> logs;
  const double least = std::log(history.cost(order.front()));
  largest_ = std::max(usual_largest, std::log(history.cost(chosen[count / 4])) - least);
  for (const std::size_t index : chosen) {
    points.push_back(history.points()[index]);
    logs.push_back(std::min(std::log(history.cost(index)) - least, largest_));
    mean_ += logs.back() / static_cast<double>(count);
  }
  double variance = 0;
  for (const double log : logs) variance += (log - mean_) * (log - mean_);
  variance /= static_cast<double>(count) - 1;
  apart_ = variance > 0 ? std::sqrt(variance) : 1;
  std::vector<double> values;
  for (const double log : logs) values.push_back((log - mean_) / apart_);
  process_.learn(std::move(points), values);
}

std::vector<float> SourceModel::of(std::span<const Point> points) const {
  std::vector<float> expected(points.size());
  if (empty()) return expected;
  const Places places = process_.similarity().places(points);
  std::vector<float> similar(points.size());
  for (std::size_t column = 0; column < process_.points().size(); ++column) {
    const float weight = process_.weights()[column];
    process_.similarity()(process_.points()[column], places, similar);
    for (std::size_t i = 0; i < similar.size(); ++i) expected[i] += weight * similar[i];
  }
  for (float& each : expected) each = static_cast<float>(mean_ + apart_ * each);
  return expected;
}

SourceModel::Told SourceModel::tell(const Point& point) const {
  if (empty()) return {};
  std::vector<float> similar;
  for (const Point& one : process_.points()) similar.push_back(process_.similarity()(one, point));
  return {.log_cost = mean_ + apart_ * process_.mean(similar),
          .deviation = apart_ * process_.deviation(similar),
          .similarity = *std::ranges::max_element(similar)};
}

namespace {

constexpr std::size_t most_ranked = std::size_t{1} << 15;
constexpr std::size_t most_best = 300;

/// Of the first trust in a source, beside what points say: as much as so many squared logarithms.
constexpr double firmness = 0.1;
/// How far off costs usually are, as a logarithm, and how many points that were so far off weigh as
/// much as knowing so.
constexpr double usual_apart = 0.1;
constexpr double usual_weight = 4;

std::vector<Point> every_nth(std::size_t step, const Space& space) {
  std::vector<Point> points;
  for (std::size_t rank = 0; rank < space.size(); rank += step) points.push_back(space[rank]);
  return points;
}

}  // namespace

Prior::Prior(const Space& space, std::span<const SourceTask> sources, const Prior* earlier)
    : space_(&space) {
  if (sources.empty()) return;
  if (earlier != nullptr && (earlier->space_ != space_ || earlier->empty())) earlier = nullptr;
  step_ = std::max<std::size_t>(1, (space.size() + most_ranked - 1) / most_ranked);
  all_ = earlier != nullptr ? earlier->all_
                            : std::make_shared<const std::vector<Point>>(every_nth(step_, space));
  double sum = 0;
  const Sources learned = learn(sources, earlier);
  for (std::size_t i = 0; i < learned.size(); ++i) {
    if (learned[i]->model.empty()) continue;
    largest_ = std::max(largest_, learned[i]->model.largest());
    sources_.push_back(learned[i]);
    trust_at_first_.push_back(sources[i].nearness);
    sum += sources[i].nearness;
  }
  if (empty()) return;
  for (double& trust : trust_at_first_) trust /= sum;
  trust_ = trust_at_first_;
  told_.resize(sources_.size());
  rank();
}

/// In their order. What earlier does not know is learned, one source beside the others.
Prior::Sources Prior::learn(std::span<const SourceTask> sources, const Prior* earlier) {
  std::vector<std::future<std::shared_ptr<const Source>>> pending;
  for (const SourceTask& source : sources) {
    auto known = earlier != nullptr ? earlier->learned_from(source.observations) : nullptr;
    if (known != nullptr) ++taken_over_;
    // In this thread where no more can be had; so is what is known.
    const auto when =
        known != nullptr ? std::launch::deferred : std::launch::async | std::launch::deferred;
    pending.push_back(std::async(when, [this, &source, known = std::move(known)] {
      if (known != nullptr) return known;
      SourceModel model(*space_, source.observations);
      std::vector<float> told = model.of(*all_);
      return std::make_shared<const Source>(
          Source{source.observations, std::move(model), std::move(told)});
    }));
  }
  Sources learned;
  for (auto& one : pending) learned.push_back(one.get());
  return learned;
}

std::shared_ptr<const Prior::Source> Prior::learned_from(
    std::span<const Observation> observations) const {
  const auto known = std::ranges::find_if(sources_, [&](const auto& source) {
    return std::ranges::equal(source->observations, observations);
  });
  return known != sources_.end() ? *known : nullptr;
}

/// The logarithm of how many times the lowest cost, as far as priors tell of it.
double Prior::log_cost_ratio(const History& history, std::size_t index) const {
  const double factor = history.cost(index) / history.cost(history.cheapest().front());
  return std::min(std::log(factor), largest_);
}

/// Of valid points. Working it out takes longer than all else that there is to think of.
std::vector<float> Prior::told_by(std::size_t source, std::span<const Point> points) const {
  if (step_ != 1) return sources_[source]->model.of(points);
  std::vector<float> told;
  for (const Point& point : points)
    told.push_back(sources_[source]->told[space_->rank(point).value()]);
  return told;
}

std::vector<float> Prior::trusted(std::span<const std::span<const float>> told) const {
  std::vector<float> sum(told.front().size());
  for (std::size_t source = 0; source < told.size(); ++source) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += static_cast<float>(trust_[source]) * told[source][i];
    }
  }
  return sum;
}

bool Prior::knows(const History& history) const {
  const auto cheapest = history.cheapest();
  return !empty() && (cheapest.empty() || history.cost(cheapest.front()) > 0);
}

double Prior::trust() const {
  return std::min(1.0, std::accumulate(trust_.begin(), trust_.end(), 0.0));
}

void Prior::rank() {
  if (empty()) return;
  std::vector<std::span<const float>> told;
  for (const auto& source : sources_) told.emplace_back(source->told);
  const std::vector<float> expected = trusted(told);
  std::vector<std::size_t> places(all_->size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const std::size_t count = std::min(places.size(), most_best);
  std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(count), {},
                            [&](std::size_t i) { return std::pair(expected[i], i); });
  best_.clear();
  for (std::size_t i = 0; i < count; ++i) best_.push_back((*all_)[places[i]]);
}

void Prior::take_in(const History& history) {
  const auto fresh = history.points().subspan(told_.front().size());
  for (std::size_t source = 0; source < sources_.size(); ++source) {
    const auto told = told_by(source, fresh);
    told_[source].insert(told_[source].end(), told.begin(), told.end());
  }
}

void Prior::weigh(const History& history, std::span<const std::size_t> indices) {
  if (!knows(history) || indices.empty()) return;
  take_in(history);
  const std::size_t sources = sources_.size();
  const auto count = static_cast<double>(indices.size());
  double mean_cost = 0;
  std::vector<double> mean(sources);
  for (const std::size_t index : indices) {
    mean_cost += log_cost_ratio(history, index) / count;
    for (std::size_t s = 0; s < sources; ++s) mean[s] += told_[s][index] / count;
  }
  std::vector<double> products(sources * sources);
  std::vector<double> with_cost(sources);
  for (std::size_t s = 0; s < sources; ++s) {
    products[s * sources + s] = firmness;
    with_cost[s] = firmness * trust_at_first_[s];
  }
  for (const std::size_t index : indices) {
    for (std::size_t s = 0; s < sources; ++s) {
      const double here = told_[s][index] - mean[s];
      with_cost[s] += here * (log_cost_ratio(history, index) - mean_cost);
      for (std::size_t t = 0; t < sources; ++t) {
        products[s * sources + t] += here * (told_[t][index] - mean[t]);
      }
    }
  }
  std::vector<double> factor;
  for (std::size_t s = 0; s < sources; ++s) {
    const double* row = &products[s * sources];
    // Its firmness keeps it from singular, but for rounding.
    if (!append_row(factor, std::span(row, s), row[s])) factor.back() = std::sqrt(firmness);
  }
  solve_forward(std::span<const double>(factor), sources, with_cost.data(), with_cost.data());
  solve_backward(std::span<const double>(factor), std::span(with_cost));
  trust_ = with_cost;
  offset_ = mean_cost;
  for (std::size_t s = 0; s < sources; ++s) {
    trust_[s] = std::clamp(trust_[s], 0.0, 1.0);
    offset_ -= trust_[s] * mean[s];
  }
  apart_ = 1;
  double sum = usual_weight * usual_apart * usual_apart;
  for (const double surprise : surprises(history, indices)) sum += surprise * surprise;
  apart_ = std::sqrt(sum / (count + usual_weight));
}

std::vector<double> Prior::surprises(const History& history,
                                     std::span<const std::size_t> indices) const {
  std::vector<double> surprises;
  for (const std::size_t index : indices) {
    double expected = offset_;
    for (std::size_t s = 0; s < sources_.size(); ++s) expected += trust_[s] * told_[s][index];
    surprises.push_back(
        std::min((log_cost_ratio(history, index) - expected) / apart_, History::highest_value));
  }
  return surprises;
}

std::vector<float> Prior::of(std::span<const Point> points) const {
  if (empty()) return std::vector<float>(points.size());
  std::vector<std::vector<float>> told;
  for (std::size_t source = 0; source < sources_.size(); ++source) {
    told.push_back(told_by(source, points));
  }
  std::vector<float> expected =
      trusted(std::vector<std::span<const float>>(told.begin(), told.end()));
  for (float& each : expected) each /= static_cast<float>(apart_);
  return expected;
}

}  // namespace redtune::search
