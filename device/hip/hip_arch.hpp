// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// AMD architectures by name, e.g. "gfx90a:sramecc+:xnack-": which can be compiled for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/hip/hip_facts.hpp"
#include "redtune/limits.hpp"

namespace redtune::device::hip {

/// Processors that the installed code generator knows, e.g. "gfx906".
[[nodiscard]] const std::vector<std::string>& known_processors();

/// Throws UsageError when the code generator does not know the processor or one of its features.
void check_arch(std::string_view arch);

/// Lanes of a wave. Throws UsageError like check_arch.
[[nodiscard]] int wave_size(std::string_view arch);

/// Limits of any device of the architecture. Throws UsageError like check_arch.
[[nodiscard]] Limits limits_of(std::string_view arch);

}  // namespace redtune::device::hip
