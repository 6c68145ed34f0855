// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels that the ladder's steps need for a type.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "kernel_templates/ladder/ladder.hpp"

namespace redtune::checks {

/// The instantiations of all steps and variants, whatever the count.
inline std::vector<std::string> ladder_names(DType in, const Limits& limits) {
  std::set<std::string> names;
  for (const kernels::LadderStep& step : kernels::ladder_steps()) {
    for (const kernels::LadderVariant& variant : step.variants) {
      const Problem problem = make_problem(Op::sum, in, std::int64_t{1} << 24);
      for (const auto& call : kernels::ladder_plan(step, variant, problem, limits).calls) {
        names.insert(call.kernel);
      }
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace redtune::checks
