// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a caller may choose about a strategy, whichever it is.
#pragma once

#include <cstdint>
#include <vector>

#include "search/point.hpp"
#include "search/source_task.hpp"

namespace redtune::search {

enum class GridOrder { shuffled, lexicographic };

struct StrategyOptions {
  std::uint64_t seed = 0;

  /// Asked first, in this order: the default config, a cached best, … Those that are not valid in
  /// the space are left out, so that an answer for another device can be passed as it is. A
  /// strategy that others guide asks the first of them first, and the rest in the order of what it
  /// expects, among points of its own.
  std::vector<Point> start = {};

  /// Problems like this one, for strategies that learn.
  std::vector<SourceTask> sources = {};

  GridOrder grid_order = GridOrder::shuffled;  ///< `grid` only
};

}  // namespace redtune::search
