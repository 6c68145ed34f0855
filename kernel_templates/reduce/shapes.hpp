// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Configs of 'reduce' that have won on some kind of device: where a search begins, so that a small
// budget does not depend on luck. A search is free to leave them; the final decides.
#pragma once

#include <string_view>
#include <vector>

#include "kernel_templates/reduce/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Those of the known shapes that are in the space of this problem and device: the shapes of the
/// vendor's library (library_shapes.hpp), then those of other devices.
[[nodiscard]] std::vector<ReduceConfig> known_shapes(const Problem& problem, const Limits& limits,
                                                     std::string_view isa);

/// Shapes for reading alone: that of a config and others, to know what bounds all from below.
[[nodiscard]] std::vector<ReduceConfig> floor_shapes(const ReduceConfig& like,
                                                     const Problem& problem, const Limits& limits);

}  // namespace redtune::kernels
