// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How long the rest of a run over many problems is likely to take.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cli/report/workload_list.hpp"

namespace redtune::cli {

/// What is known already takes no time. What is to be tuned takes what was likely before, in the
/// ratio in which the problems that this run has tuned stand to their own likely times.
class TimeLeft {
 public:
  TimeLeft() = default;
  explicit TimeLeft(std::span<const ListedItem> items);

  /// This problem was tuned, and took so long.
  void add(std::size_t index, double seconds);
  /// From this problem on; nothing where one of them can take any time, and none was tuned yet.
  [[nodiscard]] std::optional<double> seconds_from(std::size_t index) const;
  /// Likewise of those that a predicate takes by their places.
  [[nodiscard]] std::optional<double> seconds_of(
      const std::function<bool(std::size_t)>& is_left) const;

 private:
  struct Open {
    std::size_t index = 0;
    std::optional<LikelyTime> likely;
  };
  /// Of problems with a likely time.
  struct Measured {
    double seconds = 0;
    double likely = 0;

    [[nodiscard]] double ratio() const { return likely > 0 ? seconds / likely : 1; }
  };
  /// Times of runs and those of budgets err in ways of their own.
  [[nodiscard]] static std::size_t kind_of(const LikelyTime& likely) {
    return likely.runs == 0 ? 1 : 0;
  }

  std::vector<Open> open_;
  std::array<Measured, 2> measured_{};  ///< by kind
  double seconds_ = 0;                  ///< of all that were tuned
  std::size_t tuned_ = 0;
};

}  // namespace redtune::cli
