// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The points whose fate is known: those that ran, with what they cost, and those that did not.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/point.hpp"
#include "search/strategy.hpp"

namespace redtune::search {

class History {
 public:
  /// A cost that is no finite number counts as none.
  void add(const Observation& observation);

  /// Those that ran, as they came.
  [[nodiscard]] std::span<const Point> points() const { return points_; }
  [[nodiscard]] double cost(std::size_t index) const { return costs_[index]; }
  /// Those that did not, as they came.
  [[nodiscard]] std::span<const Point> failed() const { return failed_; }

  /// Indices of points(), the cheapest first.
  [[nodiscard]] std::span<const std::size_t> cheapest() const { return cheapest_; }

  /// Costs of some points() on a scale for models: logarithms, since it matters by which factor one
  /// is dearer (places in the order where a cost is not above 0), moved and stretched to 0 on
  /// average and a standard deviation of 1, and none above 3, since how bad a bad point is says
  /// little about good ones.
  [[nodiscard]] std::vector<double> values(std::span<const std::size_t> indices) const;

  /// Of so many deviations above the mean a value is at most.
  static constexpr double highest_value = 3;

 private:
  std::vector<Point> points_;
  std::vector<double> costs_;
  std::vector<std::size_t> cheapest_;
  std::vector<Point> failed_;
};

}  // namespace redtune::search
