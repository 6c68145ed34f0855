// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// AMD architectures by name, e.g. "gfx90a:sramecc+:xnack-": which can be compiled for, and their
// facts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"

namespace redtune::device::hip {

/// "gfx90a" of "gfx90a:sramecc+:xnack-".
[[nodiscard]] std::string_view processor_of(std::string_view arch);

/// Processors that the installed code generator knows, e.g. "gfx906".
[[nodiscard]] const std::vector<std::string>& known_processors();

/// Throws UsageError when the code generator does not know the processor or one of its features.
void check_arch(std::string_view arch);

/// Lanes of a wave. Throws UsageError like check_arch.
[[nodiscard]] int wave_size(std::string_view arch);

/// Limits of any device of the architecture. Throws UsageError like check_arch.
[[nodiscard]] Limits limits_of(std::string_view arch);

/// Compute dies of a device with so many visible compute units; 0 where the processor comes in
/// shapes that the number does not tell apart.
[[nodiscard]] int dies_of(std::string_view arch, int compute_units);

/// What the largest product of this processor has between its compute units and its memory, or the
/// size of the L2 cache that the runtime reports when that is more or nothing else is known.
[[nodiscard]] std::int64_t last_level_cache_bytes(std::string_view arch, std::int64_t l2_bytes);

}  // namespace redtune::device::hip
