// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/surrogate/history.hpp"

#include <algorithm>
#include <cmath>

namespace redtune::search {

void History::add(const Observation& observation) {
  if (!observation.cost || !std::isfinite(*observation.cost)) {
    failed_.push_back(observation.point);
    return;
  }
  const double cost = *observation.cost;
  const auto place = std::ranges::upper_bound(cheapest_, cost, {},
                                              [this](std::size_t index) { return costs_[index]; });
  cheapest_.insert(place, points_.size());
  points_.push_back(observation.point);
  costs_.push_back(cost);
}

std::vector<double> History::values(std::span<const std::size_t> indices) const {
  const bool all_positive = !cheapest_.empty() && costs_[cheapest_.front()] > 0;
  std::vector<double> places(all_positive ? 0 : costs_.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[cheapest_[i]] = static_cast<double>(i);
  std::vector<double> values;
  double mean = 0;
  for (const std::size_t index : indices) {
    values.push_back(all_positive ? std::log(costs_[index]) : places[index]);
    mean += values.back() / static_cast<double>(indices.size());
  }
  double variance = 0;
  for (const double value : values) variance += (value - mean) * (value - mean);
  variance /= std::max(1.0, static_cast<double>(values.size()) - 1);
  const double apart = variance > 0 ? std::sqrt(variance) : 1;
  for (double& value : values) value = std::min((value - mean) / apart, highest_value);
  return values;
}

}  // namespace redtune::search
