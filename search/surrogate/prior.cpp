// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/surrogate/prior.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "search/surrogate/history.hpp"

namespace redtune::search {
namespace {

constexpr std::size_t fewest = 8;
constexpr std::size_t most_points = 160;

}  // namespace

Prior::Prior(const Space& space, std::span<const Observation> alike) : process_(space) {
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

std::vector<float> Prior::of(std::span<const Point> points) const {
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

}  // namespace redtune::search
