// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/columns/planner.hpp"

#include "kernel_templates/columns/rules.hpp"
#include "kernel_templates/columns/tiling.hpp"
#include "kernel_templates/family/sizes.hpp"

namespace redtune::kernels {
namespace {

/// Whether parts are the same whatever the number of columns: a kernel of its own.
bool keeps_parts(ColumnWay way, Order order) {
  return is_parted(way) && order == Order::rows;
}

/// The scalars, in their order: first those of the array, which stand ahead of the output.
constexpr std::size_t array_scalars = 5;

Scalars columns_scalars(ColumnWay way, Order order) {
  Scalars scalars{{"slices", 8, "slices, each of which has a result for each of its columns"},
                  {"count", 8, "lines of a slice: elements of a column"},
                  {"inner", 8, "columns of a slice"},
                  {"pitch", 8, "elements from the first of a line to the first of the next"},
                  {"slice_pitch", 8, "elements from the first of a slice to the first of the next"},
                  {"tiles", 8, "tiles of the columns of a slice"},
                  {"across", 4, "threads of a block beside each other"}};
  if (keeps_parts(way, order)) {
    scalars.push_back({"down", 4, "threads of a block below each other"});
    scalars.push_back({"parts", 4, "parts of a tile, whatever the number of columns"});
    scalars.push_back({"blocks", 4, "blocks that share a tile: as many as parts, or 1"});
    return scalars;
  }
  scalars.push_back({"merged", 4, "lines that are read as one; 0: columns are read in tiles"});
  scalars.push_back({"down", 4, "threads of a block below each other"});
  if (is_parted(way)) {
    scalars.push_back({"parts", 4, "blocks that share a tile; the grid is a multiple of it"});
  }
  return scalars;
}

KernelCalls columns_calls(const ColumnsConfig& config, Order order) {
  KernelCall call{.kernel = 0, .grid = 1, .block = config.block_size, .arguments = {Argument::in}};
  if (config.early_start == Early::on) call.start = CallStart::early;
  std::size_t next = 0;
  const auto push_scalars = [&](std::size_t many) {
    for (std::size_t i = 0; i < many; ++i) call.arguments.push_back(scalar_argument(next++));
  };
  push_scalars(array_scalars);
  call.arguments.push_back(Argument::out);
  push_scalars(keeps_parts(config.way, order) ? 3 : 4);
  if (is_parted(config.way)) {
    call.arguments.push_back(Argument::partials);
    call.arguments.push_back(Argument::slots);
    push_scalars(keeps_parts(config.way, order) ? 2 : 1);
  }
  return {call};
}

}  // namespace

ColumnsPlanner::ColumnsPlanner(const ColumnsConfig& config, const Problem& problem,
                               const Limits& limits)
    : Planner(columns_calls(config, problem.order), columns_scalars(config.way, problem.order)),
      config_(config),
      problem_(problem),
      limits_(limits) {}

void ColumnsPlanner::set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept {
  const ColumnTiling tiling = tiling_of(config_, shape, problem_.order);
  sizes.grids[0] = column_blocks(config_, shape, tiling, limits_);
  std::int64_t* scalar = sizes.scalars;
  for (const std::int64_t value : {shape.outer, shape.count, shape.inner, step_of(shape),
                                   slice_of(shape), tiling.tiles, tiling.across}) {
    *scalar++ = value;
  }
  const bool keeps = keeps_parts(config_.way, problem_.order);
  if (!keeps) *scalar++ = tiling.merged;
  *scalar++ = tiling.down;
  if (is_parted(config_.way)) *scalar++ = parts_of_column(config_, shape, tiling);
  if (keeps) *scalar = blocks_of_column(config_, shape, tiling);
}

WorkspaceBytes ColumnsPlanner::bytes_of(std::int64_t groups, std::int64_t values) const {
  if (config_.way == ColumnWay::slots) return {.slots = values * slot_bytes(problem_)};
  return {.slots = groups * 8,
          .partials = values * static_cast<std::int64_t>(accumulator_bytes(problem_))};
}

WorkspaceBytes ColumnsPlanner::workspace(const Shape& shape) const {
  if (!is_parted(config_.way)) return {};
  const ColumnTiling tiling = tiling_of(config_, shape, problem_.order);
  const std::int64_t parts = parts_of_column(config_, shape, tiling);
  if (parts == 1) return {};
  if (blocks_of_column(config_, shape, tiling) < parts) {
    const std::int64_t blocks = column_blocks(config_, shape, tiling, limits_);
    return bytes_of(0, blocks * sums_of_block(config_, tiling));
  }
  const std::int64_t groups = column_groups(shape, tiling);
  return bytes_of(groups, groups * parts * tiling.values);
}

WorkspaceBytes ColumnsPlanner::largest_workspace() const {
  if (!is_parted(config_.way)) return {};
  return bytes_of(most_column_parts / 2, most_column_values);
}

std::int64_t ColumnsPlanner::longest_chain(const Shape& shape) const {
  return kernels::longest_chain(config_, shape, problem_.order);
}

}  // namespace redtune::kernels
