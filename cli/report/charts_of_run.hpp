// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What of a run is drawn: its finalists, how its search went on, what each value of a tunable
// costs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/plot/run_charts.hpp"
#include "cli/report/run_story.hpp"

namespace redtune::cli {

/// Measured in full.
[[nodiscard]] bool is_ok(const cache::Trial& trial);
[[nodiscard]] bool is_failure(const cache::Trial& trial);
/// Whether it has a time, perhaps a rough one.
[[nodiscard]] bool is_timed(const cache::Trial& trial);

/// Names of a run's tunables.
struct TriedTunables {
  std::vector<std::string> varied;    ///< of which several values were tried
  std::vector<std::string> constant;  ///< the others
};
[[nodiscard]] TriedTunables tried_tunables(const RunStory& story);

/// Whether numbers come in their order, and other values by the alphabet behind them.
[[nodiscard]] bool comes_before(const std::string& a, const std::string& b);

/// Sorted, the fastest first.
[[nodiscard]] std::vector<const Finalist*> sorted_finalists(const RunStory& story);
[[nodiscard]] IntervalChart finalists_chart(const RunStory& story);

enum class Over { evaluations, seconds };
/// Without points where nothing was measured, or nobody knows when.
[[nodiscard]] ProgressChart progress_chart(const RunStory& story, Over over);

/// How far apart the times of each trial were, in the order in which they were tried; without
/// points where no trial has an interval.
[[nodiscard]] ProgressChart noise_chart(const RunStory& story);

struct CostStrip {
  StripChart chart;
  double cost = 1;           ///< the worst value's time over the best one's
  std::size_t left_out = 0;  ///< slow values of very many
};
/// Of these tunables, those that matter most first; none where nothing was measured.
[[nodiscard]] std::vector<CostStrip> cost_strips(const RunStory& story,
                                                 const std::vector<std::string>& names);

}  // namespace redtune::cli
