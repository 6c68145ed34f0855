// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How the sizes of 'reduce' follow from a count, as text.
#include "kernel_templates/reduce/planner.hpp"

namespace redtune::kernels {

/// See GridRule.
SizeRules ReducePlanner::size_rules() const {
  const auto& [grid, slots] = rules_;
  SizeRules rules;
  rules.extents = {{"count", "elements of the array", [](const Shape& s) { return s.count; }}};
  rules.in_elements = "count";
  rules.results = "1";
  rules.sizes = {
      {"tiles", fmt::format("ceil_div(count, {})", grid.tile)},
      {"largest", grid.blocks_per_unit == 0 ? fmt::format("{}", grid.most_blocks)
                                            : fmt::format("max(1, min({} * compute_units, {}))",
                                                          grid.blocks_per_unit, grid.most_blocks)},
      {"blocks",
       "max(1, tiles) if tiles <= largest else ceil_div(tiles, ceil_div(tiles, largest))"},
      {"grid", fmt::format("ceil_div(blocks, {0}) * {0}", grid.multiple_of)},
      {"run", grid.runs == Runs::of_tiles ? "ceil_div(tiles, grid)" : "0"},
      {"partial_count", "grid"},
      {"slots_bytes", fmt::format("{} + grid * {}", slots.bytes, slots.bytes_per_block)},
      {"partials_bytes", fmt::format("grid * {}", accumulator_bytes(problem_))}};
  return rules;
}

}  // namespace redtune::kernels
