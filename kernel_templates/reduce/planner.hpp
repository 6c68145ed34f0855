// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches of 'reduce' and the additions in them.
#pragma once

#include "kernel_templates/family/launch_plan.hpp"
#include "kernel_templates/reduce/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

class ReducePlanner final : public Planner {
 public:
  ReducePlanner(const ReduceConfig& config, const Problem& problem, const Limits& limits);

  void set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept override;
  [[nodiscard]] WorkspaceBytes workspace(const Shape& shape) const override;
  [[nodiscard]] WorkspaceBytes largest_workspace() const override;
  [[nodiscard]] std::int64_t longest_chain(const Shape& shape) const override;
  [[nodiscard]] SizeRules size_rules() const override;
  [[nodiscard]] std::optional<PlanRules> rules() const override { return rules_; }

 private:
  PlanRules rules_;
  Grids grids_;
  std::size_t main_call_;  // which of the calls reads the input; the other has one block
  ReduceConfig config_;
  Problem problem_;
  Limits limits_;
};

}  // namespace redtune::kernels
