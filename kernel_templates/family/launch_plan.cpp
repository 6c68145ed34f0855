// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/family/launch_plan.hpp"

namespace redtune::kernels {

LaunchPlan Planner::plan(std::int64_t count) const {
  const Grid grid = grids_.of(count);
  LaunchPlan plan{.calls = calls_,
                  .partial_count = grid.blocks,
                  .slot_bytes = slots_.of(grid.blocks),
                  .run = grid.run};
  for (std::size_t i = 0; i < plan.calls.size(); ++i) {
    if (plan.calls[i].kernel == 0) plan.calls[i].grid = grid.blocks;
  }
  return plan;
}

}  // namespace redtune::kernels
