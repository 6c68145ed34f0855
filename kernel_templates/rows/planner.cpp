// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/rows/planner.hpp"

#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/rows/rules.hpp"

namespace redtune::kernels {
namespace {

// The scalars, in their order; the last is of one way alone.
constexpr Argument rows_argument = scalar_argument(0);
constexpr Argument length_argument = scalar_argument(1);
constexpr Argument pitch_argument = scalar_argument(2);
constexpr Argument last_argument = scalar_argument(3);
constexpr Argument blocks_argument = scalar_argument(4);

Scalars rows_scalars(RowWay way, Order order) {
  Scalars scalars{{"rows", 8, "rows, each of which has a result"},
                  {"count", 8, "elements of a row"},
                  {"pitch", 8, "elements from the first of a row to the first of the next"}};
  if (way == RowWay::staged) {
    scalars.push_back({"tile_rows", 8, "rows that a block stages at a time; 0: rows are too long"});
  }
  if (is_parted(way) && order == Order::rows) {
    scalars.push_back({"parts", 4, "parts of a row, whatever the number of rows"});
    scalars.push_back({"blocks", 4, "blocks that share a row: as many as parts, or 1"});
  } else if (is_parted(way)) {
    scalars.push_back({"parts", 4, "blocks that share a row; the grid is a multiple of it"});
  }
  return scalars;
}

KernelCalls rows_calls(const RowsConfig& config, Order order) {
  KernelCall call{
      .kernel = 0,
      .grid = 1,
      .block = config.block_size,
      .arguments = {Argument::in, rows_argument, length_argument, pitch_argument, Argument::out}};
  if (config.early_start == Early::on) call.start = CallStart::early;
  if (config.way == RowWay::staged) call.arguments.push_back(last_argument);
  if (is_parted(config.way)) {
    for (const Argument argument : {Argument::partials, Argument::slots, last_argument}) {
      call.arguments.push_back(argument);
    }
    if (order == Order::rows) call.arguments.push_back(blocks_argument);
  }
  return {call};
}

}  // namespace

RowsPlanner::RowsPlanner(const RowsConfig& config, const Problem& problem, const Limits& limits)
    : Planner(rows_calls(config, problem.order), rows_scalars(config.way, problem.order)),
      config_(config),
      problem_(problem),
      limits_(limits) {}

Problem RowsPlanner::problem_of(const Shape& shape) const {
  Problem problem = problem_;
  static_cast<Shape&>(problem) = shape;
  return problem;
}

void RowsPlanner::set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept {
  sizes.grids[0] = row_blocks(config_, shape, problem_, limits_);
  sizes.scalars[0] = shape.outer;
  sizes.scalars[1] = shape.count;
  sizes.scalars[2] = slice_of(shape);
  if (config_.way == RowWay::staged) {
    sizes.scalars[3] = staged_rows(config_, shape, size_of(problem_.in));
  } else if (is_parted(config_.way)) {
    sizes.scalars[3] = parts_of_row(config_, shape, problem_.order);
    if (is_batch_invariant(problem_)) {
      sizes.scalars[4] = blocks_of_row(config_, shape, problem_.order);
    }
  }
}

WorkspaceBytes RowsPlanner::bytes_of(std::int64_t rows, std::int64_t parts) const {
  if (!is_parted(config_.way) || parts == 1) return {};
  if (config_.way == RowWay::slots) return {.slots = rows * parts * slot_bytes(problem_)};
  return {.slots = rows * 8,
          .partials = rows * parts * static_cast<std::int64_t>(accumulator_bytes(problem_))};
}

WorkspaceBytes RowsPlanner::workspace(const Shape& shape) const {
  const std::int64_t most = most_parts() / config_.blocks_per_row;
  return bytes_of(std::min(shape.outer, most), parts_of_row(config_, shape, problem_.order));
}

/// Of more rows none has parts, or one block has all parts of a row.
WorkspaceBytes RowsPlanner::largest_workspace() const {
  return bytes_of(most_parts() / config_.blocks_per_row, config_.blocks_per_row);
}

std::int64_t RowsPlanner::most_parts() const {
  return is_batch_invariant(problem_) ? most_kept_parts : most_row_parts;
}

std::int64_t RowsPlanner::longest_chain(const Shape& shape) const {
  return kernels::longest_chain(config_, problem_of(shape), limits_);
}

}  // namespace redtune::kernels
