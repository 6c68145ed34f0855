// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What applications asked for and is not tuned yet, and how much a tuned answer is likely to be
// worth.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cache/exchange/wanted.hpp"
#include "cli/command.hpp"
#include "redtune/device_identity.hpp"
#include "tuner/workload/workload.hpp"

namespace redtune::cli {

struct WantedItem {
  cache::Wanted asked;
  Match now = Match::fallback;  ///< of what answers now
  std::optional<double> gain;   ///< over the default, as a model expects; nothing: unknown
  double usefulness = 0;        ///< the larger, the earlier it is tuned
};

/// The most useful first; what is answered exactly by now is no longer wanted.
[[nodiscard]] std::vector<WantedItem> wanted_list(const Options& options);

/// Questions that a run of the last week came to an end with and published nothing, or that one of
/// the last day failed at.
enum class Tried { are_in, are_left_out };

/// Of it what a device can do, and is not answered exactly there: also not by what was tuned since
/// its driver was another one.
[[nodiscard]] tuner::Workload wanted_workload(const Options& options, const DeviceIdentity& device,
                                              Tried tried);
/// As --untried says.
[[nodiscard]] tuner::Workload wanted_workload(const Options& options, const DeviceIdentity& device);

/// What is another text when processes have asked since, or results were published.
[[nodiscard]] std::string mark_of_wanted(const Options& options);

/// Why the folder of what is wanted cannot be read; empty: it can, or is not there.
[[nodiscard]] std::string why_wanted_is_not_read();

/// With --wanted, a --budget that is a time alone is that of the run.
[[nodiscard]] std::optional<double> seconds_for_wanted(const Options& options);

}  // namespace redtune::cli
