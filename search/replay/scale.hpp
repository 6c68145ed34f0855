// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a space's configurations cost, from worst to best: the yardstick of scores. The formulas are
// those of the field's published methodology (docs/how-to/compare_strategies.md).
#pragma once

#include <cstddef>
#include <vector>

#include "search/replay/recorded_space.hpp"

namespace redtune::search {

class Scale {
 public:
  explicit Scale(const RecordedSpace& space);

  /// How many configurations did not fail: N.
  [[nodiscard]] std::size_t size() const { return descending_.size(); }
  [[nodiscard]] double best() const { return descending_.back(); }
  [[nodiscard]] double median() const { return median_; }

  /// T(p) = best + (median - best) (1 - p).
  [[nodiscard]] double target(double percentile) const;

  /// The evaluations that random search is expected to need for T(p): ceil(i / (N + 1 - i)), i the
  /// first place on the list, worst first and counted from 0, that is no worse. At least 1.
  [[nodiscard]] std::size_t budget(double percentile) const;

  /// What random search is expected to have found: the cost at place round(M (N + 1) / (M + 1)).
  [[nodiscard]] double baseline(double evaluations) const;

  /// The place of a cost: 0 is the worst. Of equal ones the last.
  [[nodiscard]] std::size_t place_of(double cost) const;

  /// The cost at a place, rounded and cut to the list.
  [[nodiscard]] double cost_at(double place) const;

 private:
  std::vector<double> descending_;
  double median_ = 0;
};

}  // namespace redtune::search
