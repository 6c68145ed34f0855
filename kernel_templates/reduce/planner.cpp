// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce/planner.hpp"

#include <limits>

#include "kernel_templates/reduce/rules.hpp"

namespace redtune::kernels {
namespace {

// The scalars, in their order.
constexpr Argument count_argument = scalar_argument(0);
constexpr Argument run_argument = scalar_argument(1);
constexpr Argument partial_count_argument = scalar_argument(2);

Scalars reduce_scalars() {
  return {{"count", 8, "elements of the input"},
          {"run", 8, "tiles that each block takes in a row; 0: dealt round-robin"},
          {"partial_count", 4, "partial results: the grid of the launch that reads the input"}};
}

KernelCall reduce_call(const ReduceConfig& config) {
  return {.kernel = 0,
          .grid = 1,
          .block = config.block_size,
          .arguments = {Argument::in, count_argument, Argument::out,
                        hands_over_words(config.finish) ? Argument::slots : Argument::partials,
                        Argument::counter, run_argument}};
}

KernelCall second_call(const ReduceConfig& config, const Problem& problem) {
  KernelCall call{.kernel = 1, .grid = 1, .block = config.block_size};
  if (info(problem.op).shape == ResultShape::indexed) {
    call.arguments = {Argument::in, count_argument, Argument::out, Argument::partials,
                      partial_count_argument};
  } else {
    call.arguments = {Argument::partials, partial_count_argument, Argument::out, count_argument};
  }
  return call;
}

KernelCalls calls_of(const ReduceConfig& config, const Problem& problem, int wave_size) {
  KernelCalls calls;
  if (config.finish == Finish::atomic) {
    calls.push_back({.kernel = 1, .grid = 1, .block = wave_size, .arguments = {Argument::out}});
  }
  calls.push_back(reduce_call(config));
  if (config.finish == Finish::second_pass) calls.push_back(second_call(config, problem));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const bool is_early =
        config.early_start == Early::on || (config.early_start == Early::second && i == 1);
    if (is_early) calls[i].start = CallStart::early;
  }
  return calls;
}

}  // namespace

ReducePlanner::ReducePlanner(const ReduceConfig& config, const Problem& problem,
                             const Limits& limits)
    : Planner(calls_of(config, problem, limits.wave_size), reduce_scalars()),
      rules_{grid_rule_of(config, limits), slot_rule_of(config, problem)},
      grids_(rules_.grid, limits.compute_units),
      main_call_(config.finish == Finish::atomic ? 1 : 0),
      config_(config),
      problem_(problem),
      limits_(limits) {}

void ReducePlanner::set_sizes(const Shape& shape, const LaunchSizes& sizes) const noexcept {
  const Grid grid = grids_.of(shape.count);
  sizes.grids[0] = 1;
  sizes.grids[1] = 1;
  sizes.grids[main_call_] = grid.blocks;
  sizes.scalars[0] = shape.count;
  sizes.scalars[1] = grid.run;
  sizes.scalars[2] = grid.blocks;
}

WorkspaceBytes ReducePlanner::workspace(const Shape& shape) const {
  const std::int64_t blocks = grids_.of(shape.count).blocks;
  return {.slots = rules_.slots.of(blocks),
          .partials = blocks * static_cast<std::int64_t>(accumulator_bytes(problem_))};
}

WorkspaceBytes ReducePlanner::largest_workspace() const {
  return workspace({.count = std::numeric_limits<std::int64_t>::max() / 16});
}

std::int64_t ReducePlanner::longest_chain(const Shape& shape) const {
  Problem problem = problem_;
  problem.count = shape.count;
  return kernels::longest_chain(config_, problem, limits_);
}

}  // namespace redtune::kernels
