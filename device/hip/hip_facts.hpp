// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is known of AMD architectures without a driver or a compiler: tables and formulas that every
// build holds, so that looking up a result for such a device opens nothing of the vendor's.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "redtune/limits.hpp"

namespace redtune::device::hip {

/// "gfx90a" of "gfx90a:sramecc+:xnack-".
[[nodiscard]] std::string_view processor_of(std::string_view arch);

/// 9 for "gfx90a", 10 for "gfx1030" and "gfx10-3-generic"; 0 when it cannot be told.
[[nodiscard]] int generation_of(std::string_view processor);

/// Lanes of a wave.
[[nodiscard]] int lanes_of(std::string_view arch);

/// Limits of any device of the architecture, also of one that is newer than the tables; nothing for
/// what is not named like one.
[[nodiscard]] std::optional<Limits> architecture_limits(std::string_view arch);

/// Compute dies of a device with so many visible compute units; 0 where the processor comes in
/// shapes that the number does not tell apart.
[[nodiscard]] int dies_of(std::string_view arch, int compute_units);

/// How often memory transfers in a period of the clock that HIP reports; 0 where that is not known.
[[nodiscard]] int transfers_per_clock(std::string_view arch);

/// What the largest product of this processor has between its compute units and its memory, or the
/// size of the L2 cache that the runtime reports when that is more or nothing else is known.
[[nodiscard]] std::int64_t last_level_cache_bytes(std::string_view arch, std::int64_t l2_bytes);

}  // namespace redtune::device::hip
