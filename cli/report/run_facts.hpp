// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a store and the logs say of a run, for redtune log and redtune report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cache/store/store.hpp"
#include "cli/names.hpp"
#include "tuner/session/stopwatch.hpp"

namespace redtune::cli {

[[nodiscard]] std::int64_t number_of_run(cache::RunId id);

/// The run that a person named by its number. Throws UsageError.
[[nodiscard]] cache::RunSummary find_run(const cache::Store& store, const std::string& word);

/// The newest result of a run; one that went on publishes again.
[[nodiscard]] std::optional<cache::PastResult> published(const cache::Store& store,
                                                         cache::RunId run);

/// The peak that a run's problem is compared with; 0: not known.
[[nodiscard]] Peak peak_of(const cache::Store& store, const cache::RunSummary& run);

/// Where the time of a run went, as far as its logs say.
struct RunTime {
  std::vector<TimeSpent> sessions;
  std::string unknown;  ///< what is missing; empty: nothing is

  [[nodiscard]] TimeSpent spent() const;
};

[[nodiscard]] RunTime time_of(const cache::RunSummary& run);

/// Of the whole time.
[[nodiscard]] double share_of(double seconds, const TimeSpent& spent);

}  // namespace redtune::cli
