// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which reductions handover_stress launches: values of one word and of several, grids of few blocks
// and of more than a device holds at a time, and every way of reading slots.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/handover_stress/options.hpp"
#include "redtune/limits.hpp"

namespace redtune::bench {

struct StressCase {
  Problem problem;
  Settings settings;
  std::int64_t blocks = 0;  ///< for problem.count

  bool operator==(const StressCase&) const = default;
};

/// How much of what there is for a problem.
enum class Extent {
  every_way,  ///< every stride, reader and wait, few and many blocks, early starts
  some_ways,  ///< few ways of reading slots, all of counting
  crowded,    ///< grids of many times as many threads as there are places for
};

/// Those that a device can run, with more than one block each; possibly none.
[[nodiscard]] std::vector<StressCase> cases_of(const Problem& problem, Extent extent,
                                               const Limits& limits);

/// What the options ask for. Throws UsageError where nothing is left, and for settings that the
/// device cannot run.
[[nodiscard]] std::vector<StressCase> cases_of(const StressOptions& options, const Limits& limits);

}  // namespace redtune::bench
