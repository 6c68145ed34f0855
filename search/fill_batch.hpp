// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Turns "give me the next point, if any" into the batch that ask() returns.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <vector>

#include "search/point.hpp"

namespace redtune::search {

/// Calls `next` until the batch holds `max` points or there is nothing more to propose.
template <std::invocable Next>
[[nodiscard]] std::vector<Point> fill_batch(std::size_t max, Next next) {
  std::vector<Point> batch;
  while (batch.size() < max) {
    std::optional<Point> point = next();
    if (!point) break;
    batch.push_back(*point);
  }
  return batch;
}

}  // namespace redtune::search
