// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/segments/planner.hpp"

#include <algorithm>

#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/segments/rules.hpp"

namespace redtune::kernels {
namespace {

Scalars segment_scalars(SegmentWay way) {
  Scalars scalars{{"count", 8, "elements of the array"},
                  {"segments", 8, "segments, each of which has a result"}};
  if (is_shared(way)) {
    scalars.push_back({"share", 8, "elements and ends of segments that a block has, together"});
  }
  return scalars;
}

KernelCalls segment_calls(const SegmentsConfig& config) {
  KernelCall call{.kernel = 0,
                  .grid = 1,
                  .block = config.block_size,
                  .arguments = {Argument::in, scalar_argument(0), Argument::begins, Argument::ends,
                                scalar_argument(1), Argument::out}};
  if (config.early_start == Early::on) call.start = CallStart::early;
  if (is_shared(config.way)) {
    for (const Argument argument :
         {Argument::partials, Argument::slots, Argument::counter, scalar_argument(2)}) {
      call.arguments.push_back(argument);
    }
  }
  return {call};
}

}  // namespace

SegmentsPlanner::SegmentsPlanner(const SegmentsConfig& config, const Problem& problem,
                                 const Limits& limits)
    : Planner(segment_calls(config), segment_scalars(config.way)),
      config_(config),
      problem_(problem),
      limits_(limits) {}

void SegmentsPlanner::set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept {
  sizes.grids[0] = segment_blocks(config_, shape, limits_);
  sizes.scalars[0] = shape.count;
  sizes.scalars[1] = shape.segment_count;
  if (is_shared(config_.way)) sizes.scalars[2] = share_length(config_, shape, limits_);
}

/// By tickets a block tells a segment, and has two values: see cut_memory in
/// reduce_segments.hip.h.
WorkspaceBytes SegmentsPlanner::bytes_of(std::int64_t shares) const {
  if (config_.way == SegmentWay::slots) return {.slots = shares * slot_bytes(problem_)};
  if (config_.way == SegmentWay::tickets) {
    return {.partials = shares * (8 + 2 * static_cast<std::int64_t>(accumulator_bytes(problem_)))};
  }
  return {};
}

WorkspaceBytes SegmentsPlanner::workspace(const Shape& shape) const {
  return bytes_of(segment_blocks(config_, shape, limits_));
}

WorkspaceBytes SegmentsPlanner::largest_workspace() const {
  return bytes_of(
      std::min({most_segment_shares, limits_.max_grid,
                std::int64_t{config_.blocks_per_unit} * std::max(1, limits_.compute_units)}));
}

std::int64_t SegmentsPlanner::longest_chain(const Shape& shape) const {
  Problem problem = problem_;
  static_cast<Shape&>(problem) = shape;
  return kernels::longest_chain(config_, problem, limits_);
}

}  // namespace redtune::kernels
