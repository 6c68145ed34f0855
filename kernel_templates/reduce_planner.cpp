// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce_planner.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <tuple>

#include "kernel_templates/reduce_rules.hpp"

namespace redtune::kernels {
namespace {

/// Whether an axis has powers of two only.
constexpr bool are_powers_of_two(std::string_view name) {
  const auto is_fine = [name](const auto& row) {
    return row.name != name || std::ranges::all_of(row.values, [](auto value) {
             return std::has_single_bit(static_cast<unsigned>(value));
           });
  };
  return std::apply([&](const auto&... rows) { return (is_fine(rows) && ...); },
                    ReduceConfig::fields());
}
static_assert(are_powers_of_two("block_size") && are_powers_of_two("items_per_thread"),
              "plan() shifts by the size of a tile; other sizes need a division there");

KernelCall reduce_call(const ReduceConfig& config) {
  return {.kernel = 0,
          .grid = 1,
          .block = config.block_size,
          .arguments = {Argument::in, Argument::count, Argument::out, Argument::partials,
                        Argument::counter, Argument::run}};
}

KernelCall second_call(const ReduceConfig& config, const Problem& problem) {
  KernelCall call{.kernel = 1, .grid = 1, .block = config.block_size};
  if (info(problem.op).shape == ResultShape::indexed) {
    call.arguments = {Argument::in, Argument::count, Argument::out, Argument::partials,
                      Argument::partial_count};
  } else {
    call.arguments = {Argument::partials, Argument::partial_count, Argument::out, Argument::count};
  }
  return call;
}

LaunchPlan plan_of_nothing(const ReduceConfig& config, const Problem& problem, int wave_size) {
  LaunchPlan plan;
  plan.partial_count = 1;
  if (config.finish == Finish::atomic) {
    plan.calls.push_back(
        {.kernel = 1, .grid = 1, .block = wave_size, .arguments = {Argument::out}});
  }
  plan.calls.push_back(reduce_call(config));
  if (config.finish == Finish::second_pass) plan.calls.push_back(second_call(config, problem));
  return plan;
}

}  // namespace

ReducePlanner::ReducePlanner(const ReduceConfig& config, const Problem& problem,
                             const Limits& limits)
    : config_(config),
      problem_(problem),
      limits_(limits),
      tile_log2_(std::countr_zero(static_cast<unsigned>(config.block_size)) +
                 std::countr_zero(static_cast<unsigned>(config.items_per_thread))),
      largest_grid_(largest_grid(config, limits)),
      reduce_call_(config.finish == Finish::atomic ? 1 : 0),
      plan_(plan_of_nothing(config, problem, limits.wave_size)) {}

LaunchPlan ReducePlanner::plan(std::int64_t count) const noexcept {
  LaunchPlan plan = plan_;
  const std::int64_t tiles = ((count - 1) >> tile_log2_) + 1;  // as tiles_of; 0 for 0 elements
  const std::int64_t grid = whole_clusters(balanced_grid(tiles, largest_grid_), config_);
  plan.partial_count = grid;
  plan.calls[reduce_call_].grid = grid;
  // Enough for inputs with an unaligned head as well: they have no more tiles.
  if (config_.tile_order == TileOrder::chunked) plan.run = (tiles + grid - 1) / grid;
  return plan;
}

GridRule ReducePlanner::grid_rule() const {
  ReduceConfig without_units = config_;
  without_units.blocks_per_unit = 0;
  return {.tile = std::int64_t{1} << tile_log2_,
          .blocks_per_unit = config_.blocks_per_unit,
          .most_blocks = largest_grid(without_units, limits_),
          .multiple_of = config_.finish == Finish::cluster ? config_.cluster_size : 1,
          .runs = config_.tile_order == TileOrder::chunked ? Runs::of_tiles : Runs::none};
}

std::int64_t ReducePlanner::longest_chain(std::int64_t count) const {
  Problem problem = problem_;
  problem.count = count;
  return kernels::longest_chain(config_, problem, limits_);
}

}  // namespace redtune::kernels
