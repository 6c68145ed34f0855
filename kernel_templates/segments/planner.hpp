// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches of 'reduce_segments'.
#pragma once

#include "kernel_templates/family/launch_plan.hpp"
#include "kernel_templates/segments/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Who tells how many segments there are, and where shares and bins of them begin: the launch, and
/// its blocks look for the rest; a plan; or a number in the device's memory, while the shape tells
/// only how many there are at most.
enum class SegmentSource { told, planned, counted };

class SegmentsPlanner final : public Planner {
 public:
  SegmentsPlanner(const SegmentsConfig& config, const Problem& problem, const Limits& limits,
                  SegmentSource source = SegmentSource::told);

  void set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept override;
  [[nodiscard]] WorkspaceBytes workspace(const Shape& shape) const override;
  /// In bins, where it grows with the array, for the problem's own shape.
  [[nodiscard]] WorkspaceBytes largest_workspace() const override;
  [[nodiscard]] std::int64_t longest_chain(const Shape& shape) const override;
  [[nodiscard]] SizeRules size_rules() const override;

 private:
  [[nodiscard]] WorkspaceBytes bytes_of(std::int64_t shares) const;

  SegmentsConfig config_;
  Problem problem_;
  Limits limits_;
  SegmentSource source_;
};

}  // namespace redtune::kernels
