// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The seam between thinking and measuring: a strategy proposes points and is told their costs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/observation.hpp"
#include "search/point.hpp"

namespace redtune::search {

/// Every strategy keeps these promises (tests/search/strategy_contract_test.cpp holds it to them):
/// * it repeats itself exactly for the same space, options and calls;
/// * it proposes valid points only, and none twice – nor one that it was told about unasked;
/// * it proposes at least one point until every point of its space was proposed, told or not.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// At most `max` new points, the most wanted first. Empty: done (or max is 0).
  virtual std::vector<Point> ask(std::size_t max) = 0;

  /// Any order, any grouping, as late as need be; no cost = cannot run. Points that were never
  /// asked for (known from elsewhere) are welcome; points outside the space are ignored.
  virtual void tell(std::span<const Observation> observations) = 0;
};

}  // namespace redtune::search
