// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Climbing the ladder: every step is checked and timed on the same input of one device.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "redtune/find_best.hpp"
#include "tuner/ladder/loaded_ladder.hpp"
#include "tuner/ladder/step_timer.hpp"
#include "tuner/measure/peak.hpp"

namespace redtune::tuner {

struct LadderRequest {
  LadderSite site;
  std::vector<const kernels::LadderStep*> steps;
  std::string cache_file;  ///< where tuned configurations are looked up; empty: the usual place
  std::uint64_t seed = 1;  ///< of the input
};

/// One launch shape of a step.
struct LadderAttempt {
  kernels::LadderVariant variant;
  std::size_t launches = 0;        ///< of one sum
  std::int64_t longest_chain = 0;  ///< additions one after another
  StepTimes times;
  std::string failure;  ///< why there are no times
};

struct LadderRow {
  const kernels::LadderStep* step = nullptr;
  std::vector<LadderAttempt> attempts;
  // Of the tuned step alone:
  Settings settings;
  Match match = Match::fallback;
  std::vector<std::string> notes;  ///< for people: where the settings come from

  /// The fastest attempt; null when all failed.
  [[nodiscard]] const LadderAttempt* best() const;
};

struct LadderResult {
  Problem problem;  ///< warm: the input is small, and read from the caches
  Peak peak;        ///< of where the input lies; 0 GB/s: unknown
  std::vector<LadderRow> rows;
};

/// Called before each step with its number from 0.
using LadderProgress = std::function<void(std::size_t, const kernels::LadderStep&)>;

/// Whether an input is larger than what is worth keeping out of the caches.
[[nodiscard]] CacheMode ladder_cache_mode(const Problem& problem);

/// A step that fails has a row that says why. Throws DeviceError when nothing compiles, OutOfMemory
/// when the input does not fit.
[[nodiscard]] LadderResult climb(const LadderRequest& request, const LadderProgress& progress);

}  // namespace redtune::tuner
