// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/time_left.hpp"

#include <algorithm>

namespace redtune::cli {

TimeLeft::TimeLeft(std::span<const ListedItem> items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_open(items[i].state)) open_.push_back({i, items[i].likely});
  }
}

void TimeLeft::add(std::size_t index, double seconds) {
  seconds_ += seconds;
  ++tuned_;
  const auto place = std::ranges::find(open_, index, &Open::index);
  if (place == open_.end() || !place->likely) return;
  Measured& measured = measured_[kind_of(*place->likely)];
  measured.seconds += seconds;
  measured.likely += place->likely->seconds;
}

std::optional<double> TimeLeft::seconds_from(std::size_t index) const {
  return seconds_of([index](std::size_t open) { return open >= index; });
}

std::optional<double> TimeLeft::seconds_of(const std::function<bool(std::size_t)>& is_left) const {
  double sum = 0;
  for (const Open& open : open_) {
    if (!is_left(open.index)) continue;
    if (open.likely) {
      sum += open.likely->seconds * measured_[kind_of(*open.likely)].ratio();
    } else if (tuned_ > 0) {
      sum += seconds_ / static_cast<double>(tuned_);
    } else {
      return std::nullopt;
    }
  }
  return sum;
}

}  // namespace redtune::cli
