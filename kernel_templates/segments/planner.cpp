// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/segments/planner.hpp"

#include <algorithm>
#include <initializer_list>

#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/segments/rules.hpp"

namespace redtune::kernels {
namespace {

/// A counted launch hears the number of segments from the device, and makes the share itself.
Scalars segment_scalars(const SegmentsConfig& config, SegmentSource source) {
  Scalars scalars{{"count", 8, "elements of the array"}};
  if (source == SegmentSource::counted) return scalars;
  scalars.push_back({"segments", 8, "segments, each of which has a result"});
  if (is_shared(config.way)) {
    scalars.push_back(
        {"share", 8,
         config.staging == Staging::stream
             ? "elements and ends of segments that a block has, together; an end counts as three"
             : "elements and ends of segments that a block has, together"});
  }
  return scalars;
}

KernelCalls segment_calls(const SegmentsConfig& config, SegmentSource source) {
  KernelCall call{
      .kernel = 0,
      .grid = 1,
      .block = config.block_size,
      .arguments = {Argument::in, scalar_argument(0), Argument::begins, Argument::ends}};
  const auto add = [&](std::initializer_list<Argument> arguments) {
    for (const Argument argument : arguments) call.arguments.push_back(argument);
  };
  const bool has_plan = source == SegmentSource::planned && is_planned(config);
  if (source != SegmentSource::counted) add({scalar_argument(1)});
  if (source == SegmentSource::counted || has_plan) add({Argument::plan});
  add({Argument::out});
  if (config.early_start == Early::on) call.start = CallStart::early;
  if (config.way == SegmentWay::bins) add({Argument::partials, Argument::slots});
  if (is_shared(config.way)) {
    add({Argument::partials, Argument::slots, Argument::counter});
    if (source != SegmentSource::counted) add({scalar_argument(2)});
  }
  return {call};
}

}  // namespace

SegmentsPlanner::SegmentsPlanner(const SegmentsConfig& config, const Problem& problem,
                                 const Limits& limits, SegmentSource source)
    : Planner(segment_calls(config, source), segment_scalars(config, source)),
      config_(config),
      problem_(problem),
      limits_(limits),
      source_(source) {}

void SegmentsPlanner::set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept {
  sizes.grids[0] = segment_blocks(config_, shape, limits_);
  sizes.scalars[0] = shape.count;
  if (source_ == SegmentSource::counted) return;
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
  if (config_.way == SegmentWay::bins) {
    const BinPieces pieces = most_bin_pieces(config_, shape);
    return {.slots = in_pieces_of(pieces.segments, 2) * 8,
            .partials = pieces.all * static_cast<std::int64_t>(accumulator_bytes(problem_))};
  }
  return bytes_of(segment_blocks(config_, shape, limits_));
}

WorkspaceBytes SegmentsPlanner::largest_workspace() const {
  if (config_.way == SegmentWay::bins) return workspace(problem_);
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
