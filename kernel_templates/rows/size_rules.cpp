// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How the sizes of 'reduce_rows' follow from rows, their length and their pitch, as text.
#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/rows/planner.hpp"
#include "kernel_templates/rows/rules.hpp"

namespace redtune::kernels {
namespace {

/// Tiles of rows that blocks take one after another: see staged_rows() and row_blocks().
std::vector<SizeFormula> of_row_tiles(const RowsConfig& c, std::size_t element_bytes,
                                      const Limits& limits) {
  std::vector<SizeFormula> sizes;
  const std::int64_t in_groups = group_rows(c);
  if (c.way == RowWay::staged) {
    const std::int64_t room = std::int64_t{c.block_size} * c.loads_per_thread * c.vector_width;
    const std::int64_t line = row_line(element_bytes);
    const int groups = c.block_size / c.threads_per_row;
    sizes = {
        {"step", "max(pitch, 1)"},
        {"multiple", fmt::format("{0} // gcd({0}, step)", line)},
        {"fitting", fmt::format("0 if count > {0} else ({0} - count) // step + 1", room)},
        {"left", fmt::format("fitting - fitting // {0} * {0}", groups)},
        {"passes",
         fmt::format("fitting - left if fitting > {0} and 2 * left < {0} else fitting", groups)},
        {"tile_rows", "passes if passes < 4 * multiple else passes // multiple * multiple"},
        {"tiles", fmt::format("ceil_div(rows, {} if tile_rows == 0 else tile_rows)", in_groups)}};
  } else {
    sizes = {{"tiles", fmt::format("ceil_div(rows, {})", in_groups)}};
  }
  sizes.push_back({"most", most_blocks_formula(c.blocks_per_unit, limits)});
  sizes.push_back({"grid", "max(1, min(tiles, most))"});
  sizes.push_back({"slots_bytes", "0"});
  sizes.push_back({"partials_bytes", "0"});
  return sizes;
}

/// Rows that blocks share: see parts_of_row(), blocks_of_row() and row_blocks().
std::vector<SizeFormula> of_parted_rows(const RowsConfig& c, const Problem& problem,
                                        const Limits& limits) {
  const bool keeps_parts = is_batch_invariant(problem);
  const std::int64_t most_kept = most_kept_parts / c.blocks_per_row;
  const std::int64_t most_varied = most_row_parts / c.blocks_per_row;
  const auto parts = fmt::format("max(1, min(count // {}, {}))",
                                 std::int64_t{c.block_size} * c.vector_width, c.blocks_per_row);
  std::vector<SizeFormula> sizes;
  if (keeps_parts) {
    sizes = {{"parts", parts}, {"blocks", fmt::format("1 if rows > {} else parts", most_kept)}};
  } else {
    sizes = {{"parts", fmt::format("1 if rows > {} else {}", most_varied, parts)},
             {"blocks", "parts"}};
  }
  sizes.push_back({"most", fmt::format("min({0}, {1} if blocks < parts else {0} // blocks)",
                                       limits.max_grid, most_kept)});
  sizes.push_back({"grid", "max(1, min(rows, most)) * blocks"});
  sizes.push_back(
      {"handed_over", fmt::format("min(rows, {})", keeps_parts ? most_kept : most_varied)});
  for (SizeFormula& one :
       parted_workspace(c.way == RowWay::slots, "handed_over", "handed_over * parts",
                        slot_bytes(problem), accumulator_bytes(problem))) {
    sizes.push_back(std::move(one));
  }
  return sizes;
}

}  // namespace

SizeRules RowsPlanner::size_rules() const {
  SizeRules rules;
  rules.extents = {
      {"rows", "rows, 1 or more", [](const Shape& s) { return s.outer; }},
      {"count", "elements of a row", [](const Shape& s) { return s.count; }},
      {"pitch", "elements from the first of a row to the first of the next; count: no gap",
       [](const Shape& s) { return slice_of(s); }}};
  rules.in_elements = "0 if count == 0 else (rows - 1) * pitch + count";
  rules.results = "rows";
  rules.sizes = is_parted(config_.way) ? of_parted_rows(config_, problem_, limits_)
                                       : of_row_tiles(config_, size_of(problem_.in), limits_);
  return rules;
}

}  // namespace redtune::kernels
