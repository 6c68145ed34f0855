// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches of 'reduce': what does not depend on the count is worked out once.
#pragma once

#include "kernel_templates/launch_plan.hpp"
#include "kernel_templates/reduce_config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

class ReducePlanner final : public Planner {
 public:
  ReducePlanner(const ReduceConfig& config, const Problem& problem, const Limits& limits);

  [[nodiscard]] LaunchPlan plan(std::int64_t count) const noexcept override;
  [[nodiscard]] GridRule grid_rule() const override;
  [[nodiscard]] std::int64_t longest_chain(std::int64_t count) const override;

 private:
  ReduceConfig config_;
  Problem problem_;
  Limits limits_;
  int tile_log2_;              // of the elements of a tile
  std::int64_t largest_grid_;  // blocks
  std::size_t reduce_call_;    // which call of the plan reduces
  LaunchPlan plan_;            // of 0 elements
};

}  // namespace redtune::kernels
