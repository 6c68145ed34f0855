// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// All that is known of one tuning run, from its store and its logs, ready to be told. A run may
// have failed, stopped early or come from elsewhere, and its kernel may be known to its file alone:
// whatever is not known is left out.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cache/store/store.hpp"
#include "cli/report/run_facts.hpp"

namespace redtune::cli {

struct Finalist {
  Settings settings;
  Interval time_us;
  bool is_default = false;
  bool is_winner = false;
  bool is_fastest = false;
  bool is_tie = false;          ///< cannot be told from the fastest
  bool is_passed_over = false;  ///< would have won but for times off the alignment of vectors
};

/// What was found out about the device before a session began, and a name for each figure.
using Figure = std::pair<std::string, std::string>;

struct RunStory {
  cache::RunSummary run;
  std::vector<cache::StoredTrial> trials;
  std::optional<cache::PastResult> result;  ///< that was published
  std::vector<Finalist> finalists;
  std::optional<Settings> default_settings;
  std::optional<double> default_us;
  std::optional<double> noise_floor{};  ///< as a share of a time, when the run was calibrated
  Peak peak;
  std::vector<Figure> conditions;  ///< clocks, temperature, noise
  std::vector<std::string> warnings;
  RunTime time;

  /// The fastest trial that was measured in full; none: nothing was.
  [[nodiscard]] const cache::Trial* fastest_trial() const;
};

[[nodiscard]] RunStory story_of(const cache::Store& store, const cache::RunSummary& run);

/// What came of it, in one sentence.
[[nodiscard]] std::string verdict_of(const RunStory& story);
/// Why it was this configuration; empty: none was chosen.
[[nodiscard]] std::string choice_of(const RunStory& story);

/// "block_size=128 loads=4": what differs from other settings, or all where there are none.
[[nodiscard]] std::string differences(const Settings& settings,
                                      const std::optional<Settings>& others);

/// Since the run began; none: the trial does not tell.
[[nodiscard]] std::optional<double> seconds_until(const RunStory& story,
                                                  const cache::StoredTrial& trial);

}  // namespace redtune::cli
