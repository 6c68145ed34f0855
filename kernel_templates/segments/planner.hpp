// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches of 'reduce_segments'.
#pragma once

#include "kernel_templates/family/launch_plan.hpp"
#include "kernel_templates/segments/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

class SegmentsPlanner final : public Planner {
 public:
  SegmentsPlanner(const SegmentsConfig& config, const Problem& problem, const Limits& limits);

  void set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept override;
  [[nodiscard]] WorkspaceBytes workspace(const Shape& shape) const override;
  [[nodiscard]] WorkspaceBytes largest_workspace() const override;
  [[nodiscard]] std::int64_t longest_chain(const Shape& shape) const override;
  [[nodiscard]] SizeRules size_rules() const override;

 private:
  [[nodiscard]] WorkspaceBytes bytes_of(std::int64_t shares) const;

  SegmentsConfig config_;
  Problem problem_;
  Limits limits_;
};

}  // namespace redtune::kernels
