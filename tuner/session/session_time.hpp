// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The record of a session's time in its run's log, and how it is found again: a run that was gone
// on with has one for each session, in as many logs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cache/keys/records.hpp"
#include "tuner/session/stopwatch.hpp"
#include "tuner/text/json.hpp"

namespace redtune::tuner {

struct SessionTime {
  cache::RunId run{};
  std::string run_started_at{};  ///< numbers of runs are of one store only, logs of all
  TimeSpent spent{};
};

/// {"wall_seconds", "measuring_seconds", "seconds": by activity}.
[[nodiscard]] Json json_of(const TimeSpent& spent);
/// The fields of the record.
[[nodiscard]] Json json_of(const SessionTime& time);

/// Of all sessions of a run that have a record in this folder, oldest first. What cannot be read is
/// left out.
[[nodiscard]] std::vector<TimeSpent> session_times(const std::filesystem::path& folder,
                                                   const cache::RunSummary& run);

/// All records but trials of the logs of a run's sessions, oldest first: a session that was killed
/// has no record of its time, but its start tells whose it is. What cannot be read is left out.
[[nodiscard]] std::vector<std::vector<Json>> session_records(const std::filesystem::path& folder,
                                                             const cache::RunSummary& run);

}  // namespace redtune::tuner
