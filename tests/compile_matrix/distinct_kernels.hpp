// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels of a problem on an architecture: all that a search for any count could ask for.
#pragma once

#include <map>

#include "kernel_templates/family.hpp"
#include "tuner/worker/compile_pool.hpp"

namespace redtune::checks {

/// Limits of an imagined device: any number of compute units above one gives the same kernels.
[[nodiscard]] inline Limits with_units(Limits limits) {
  limits.compute_units = 64;
  return limits;
}

/// Each with the first config that needs it. The counts reach from one tile, where single_block is,
/// to more than fits any grid; what differs in launch parameters only is one kernel.
[[nodiscard]] inline std::map<tuner::CompileUnit, Settings> distinct_kernels(
    const kernels::Family& family, Problem problem, const Limits& limits) {
  std::map<tuner::CompileUnit, Settings> found;
  for (const int log2 : {10, 16, 20, 24, 30}) {
    problem.count = std::int64_t{1} << log2;
    const search::Space space = family.space(problem, limits);
    for (const search::Point& point : space.points()) {
      const Settings settings = family.settings_at(point);
      found.try_emplace(family.name_expressions(settings, problem, limits.wave_size), settings);
    }
  }
  return found;
}

}  // namespace redtune::checks
