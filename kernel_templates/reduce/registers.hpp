// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How many registers a thread of a config needs, as compilers turn out to use them.
#pragma once

#include <cstdint>

#include "kernel_templates/reduce/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Bytes of a load.
[[nodiscard]] std::int64_t load_bytes_of(const ReduceConfig& config, const Problem& problem);

/// 32-bit registers a thread needs: its loads in flight, its accumulators, addresses, and some
/// twenty for the rest. Fitted to what hipRTC 5.2 spills and does not spill on gfx900, gfx906,
/// gfx90a, gfx1010 and gfx1030.
[[nodiscard]] std::int64_t registers_needed(const ReduceConfig& config, const Problem& problem,
                                            const Limits& limits);

}  // namespace redtune::kernels
