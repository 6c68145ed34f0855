// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/channels/planner.hpp"

#include "kernel_templates/channels/rules.hpp"
#include "kernel_templates/family/sizes.hpp"

namespace redtune::kernels {
namespace {

constexpr std::size_t parts_scalar = 7;  // the last, of channels that blocks share

Scalars channel_scalars(ChannelWay way) {
  Scalars scalars{
      {"channels", 8, "channels, each of which has a result"},
      {"pitch", 8, "elements from the first of a channel to the first of the next"},
      {"batch", 8, "arrays"},
      {"batch_pitch", 8, "elements from the first of an array to the first of the next"},
      {"count", 8, "elements of a channel in an array"},
      {"piece", 8, "elements of them that a group of threads folds at a time"},
      {"pieces", 4, "pieces that they are, the last of which may be shorter"}};
  if (is_parted(way)) {
    scalars.push_back({"parts", 4, "blocks that share a channel; the grid is a multiple of it"});
  }
  return scalars;
}

KernelCalls channel_calls(const ChannelsConfig& config) {
  KernelCall call{.kernel = 0, .grid = 1, .block = config.block_size, .arguments = {Argument::in}};
  for (std::size_t i = 0; i < parts_scalar; ++i) call.arguments.push_back(scalar_argument(i));
  call.arguments.push_back(Argument::out);
  if (config.early_start == Early::on) call.start = CallStart::early;
  if (is_parted(config.way)) {
    for (const Argument argument :
         {Argument::partials, Argument::slots, scalar_argument(parts_scalar)}) {
      call.arguments.push_back(argument);
    }
  }
  return {call};
}

}  // namespace

ChannelsPlanner::ChannelsPlanner(const ChannelsConfig& config, const Problem& problem,
                                 const Limits& limits)
    : Planner(channel_calls(config), channel_scalars(config.way)),
      config_(config),
      problem_(problem),
      limits_(limits) {}

void ChannelsPlanner::set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept {
  const Pieces pieces = pieces_of(config_, shape, size_of(problem_.in));
  sizes.grids[0] = channel_blocks(config_, shape, limits_);
  sizes.scalars[0] = shape.outer;
  sizes.scalars[1] = slice_of(shape);
  sizes.scalars[2] = shape.count == 0 ? 1 : shape.batch;  // nobody walks through nothing
  sizes.scalars[3] = batch_step_of(shape);
  sizes.scalars[4] = shape.count;
  sizes.scalars[5] = pieces.length;
  sizes.scalars[6] = pieces.count;
  if (is_parted(config_.way)) sizes.scalars[parts_scalar] = parts_of_channel(config_, shape);
}

WorkspaceBytes ChannelsPlanner::bytes_of(std::int64_t channels, std::int64_t parts) const {
  if (!is_parted(config_.way) || parts == 1) return {};
  if (config_.way == ChannelWay::slots) return {.slots = channels * parts * slot_bytes(problem_)};
  return {.slots = channels * 8,
          .partials = channels * parts * static_cast<std::int64_t>(accumulator_bytes(problem_))};
}

WorkspaceBytes ChannelsPlanner::workspace(const Shape& shape) const {
  return bytes_of(shape.outer, parts_of_channel(config_, shape));
}

/// Of more channels none has parts.
WorkspaceBytes ChannelsPlanner::largest_workspace() const {
  return bytes_of(most_channel_parts / config_.blocks_per_channel, config_.blocks_per_channel);
}

std::int64_t ChannelsPlanner::longest_chain(const Shape& shape) const {
  Problem problem = problem_;
  static_cast<Shape&>(problem) = shape;
  return kernels::longest_chain(config_, problem, limits_);
}

}  // namespace redtune::kernels
