// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The order in which the lanes of a block, and the blocks of a grid, get their turn. A kernel that
// misses a barrier gives a wrong result in at least one of them.
#pragma once

#include <cstdint>

namespace redtune::device::host {

enum class LaneOrder { forward, reverse, random };

struct HostOptions {
  int wave_size = 1;  ///< 1 (what a CPU is), 32 or 64
  LaneOrder order = LaneOrder::forward;
  std::uint64_t seed = 0;  ///< of the random order
  int threads = 0;         ///< compute units; 0: the processors this process may use
};

}  // namespace redtune::device::host
