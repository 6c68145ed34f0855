// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/replay/scale.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace redtune::search {

Scale::Scale(const RecordedSpace& space) {
  for (const Record& record : space.records) {
    if (record.cost) descending_.push_back(*record.cost);
  }
  std::ranges::sort(descending_, std::greater());
  const std::size_t middle = descending_.size() / 2;
  median_ = descending_.size() % 2 == 1 ? descending_[middle]
                                        : (descending_[middle - 1] + descending_[middle]) / 2;
}

double Scale::target(double percentile) const {
  return best() + (median_ - best()) * (1 - percentile);
}

std::size_t Scale::budget(double percentile) const {
  const double enough = target(percentile);
  // Rounding may put T(1) below the best by a hair.
  const auto first = std::ranges::find_if(
      descending_, [&](double cost) { return cost <= enough || cost == best(); });
  const auto i = static_cast<std::size_t>(first - descending_.begin());
  const std::size_t rest = size() + 1 - i;
  return std::max<std::size_t>(1, (i + rest - 1) / rest);
}

double Scale::baseline(double evaluations) const {
  return cost_at(evaluations * static_cast<double>(size() + 1) / (evaluations + 1));
}

std::size_t Scale::place_of(double cost) const {
  const auto behind = std::ranges::upper_bound(descending_, cost, std::greater());
  return behind == descending_.begin() ? 0
                                       : static_cast<std::size_t>(behind - descending_.begin()) - 1;
}

double Scale::cost_at(double place) const {
  const double last = static_cast<double>(size() - 1);
  return descending_[static_cast<std::size_t>(std::clamp(std::nearbyint(place), 0.0, last))];
}

}  // namespace redtune::search
