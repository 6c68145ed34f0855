// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The floor of a problem: what the loads and folds take alone, when no block hands anything over.
// No config can be faster; how far the winner is above it is what could still be gained.
#pragma once

#include "kernel_templates/family/family.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/measure/batch_timer.hpp"
#include "tuner/measure/terms.hpp"

namespace redtune::tuner {

/// Whose floor is asked for.
struct FloorQuestion {
  const kernels::Family* family = nullptr;
  Problem problem;
  Settings like;  ///< a config whose shape is tried, too
};

/// Times the family's kernels for that, and tells the fastest. compiler: for the family's text.
/// Throws DeviceError.
[[nodiscard]] Floor floor_of(const Stage& stage, const FloorQuestion& question,
                             const CompilePool& compiler);

}  // namespace redtune::tuner
