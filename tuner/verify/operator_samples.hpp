// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whether a custom operator keeps its promises, as far as samples can tell: its identity changes
// nothing, and neither order nor grouping matters.
#pragma once

#include <cstdint>
#include <memory>

#include "tuner/verify/operator_program.hpp"

namespace redtune::tuner {

/// Throws UsageError, one line with the values, at the first promise that is broken by numbers of
/// the kind that inputs are generated of, by 0, 1, -1, by the ends of the type, or by tiny ones. In
/// floating accumulators up to rounding; values that are not finite are passed over.
void require_sound(const OperatorProgram& program, std::uint64_t seed);

/// Compiles a custom operator and tries it on samples; nothing for a built-in one. Throws as
/// OperatorProgram and require_sound().
[[nodiscard]] std::unique_ptr<const OperatorProgram> sound_operator(device::Device& device,
                                                                    const kernels::Family& family,
                                                                    const Problem& problem,
                                                                    const CompilePool& compiler);

}  // namespace redtune::tuner
