// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What handover_stress is asked: where, how much, and which reductions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "redtune/problem.hpp"
#include "redtune/settings.hpp"

namespace redtune::bench {

struct StressOptions {
  std::string device;
  std::int64_t launches = 1'000'000;          ///< of each case
  std::chrono::duration<double> most_time{};  ///< of each case; 0: as long as it takes
  std::optional<Problem> problem;             ///< nothing: several
  std::vector<Settings> settings;             ///< of the problem; none: many
  bool has_load = true;                       ///< something else runs on the device meanwhile
  std::chrono::seconds patience{120};         ///< with a batch that does not end
  bool is_json = false;
};

/// Nothing: help was asked for and printed. Throws UsageError and boost::program_options::error.
[[nodiscard]] std::optional<StressOptions> read_stress_options(int argc, const char* const* argv);

}  // namespace redtune::bench
