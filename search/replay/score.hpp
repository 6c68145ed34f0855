// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How good runs are: 0 is what random search is expected to find, 1 the optimum at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/replay/recorded_space.hpp"
#include "search/replay/replay.hpp"

namespace redtune::search {

/// What a space's configurations cost, from worst to best: the yardstick of scores. The formulas
/// are those of the field's published methodology (docs/how-to/compare_strategies.md).
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

/// What a budget counts.
enum class CostUnit { evaluations, seconds };

/// The part of a run that is scored: from the budget for p = 0.01 to that for `percentile`.
struct Window {
  double percentile = 0.95;
  std::size_t first = 1;  ///< evaluations
  std::size_t last = 1;
};

/// Where random search is expected to need fewer than 30 evaluations for 0.95, it is 0.99 instead:
/// there is too little to be seen.
[[nodiscard]] Window window_of(const Scale& scale, double percentile);

struct Score {
  double value = 0;
  double deviation = 0;  ///< standard deviation of the value, by bootstrap over the runs
};

class Scorer {
 public:
  Scorer(const RecordedSpace& space, const Scale& scale, const Window& window, CostUnit unit);

  /// Nothing when a run ended before the window and its space, or when random search is at the
  /// optimum throughout. The same seed gives the same deviation.
  [[nodiscard]] std::optional<Score> score(std::span<const ReplayedRun> runs,
                                           std::uint64_t seed) const;

  /// Seconds of an evaluation on average, those of failed configurations too.
  [[nodiscard]] double mean_seconds() const { return mean_seconds_; }

 private:
  /// A moment at which curves are compared.
  struct Step {
    double at;        ///< evaluations or seconds
    double baseline;  ///< what random search is expected to have found then
  };

  [[nodiscard]] std::optional<std::vector<double>> places_of(const ReplayedRun& run) const;
  [[nodiscard]] double mean_gain(std::span<const double> places) const;

  const RecordedSpace& space_;
  const Scale& scale_;
  CostUnit unit_;
  double mean_seconds_ = 0;
  std::vector<Step> steps_;
};

/// Optimum over the best found after so many evaluations, mean over runs: 1 is the optimum, 0
/// nothing but failures. Nothing when a run ended before that and before its space.
[[nodiscard]] std::optional<double> found_share(const RecordedSpace& space, const Scale& scale,
                                                std::span<const ReplayedRun> runs,
                                                std::size_t evaluations);

}  // namespace redtune::search
