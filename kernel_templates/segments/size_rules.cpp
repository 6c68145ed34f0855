// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How the sizes of 'reduce_segments' follow from elements and segments, as text.
#include <algorithm>

#include "kernel_templates/segments/planner.hpp"
#include "kernel_templates/segments/rules.hpp"

namespace redtune::kernels {

SizeRules SegmentsPlanner::size_rules() const {
  const SegmentsConfig& c = config_;
  SizeRules rules;
  rules.extents = {
      {"count", "elements of the array", [](const Shape& s) { return s.count; }},
      {"segments", "segments, 0 or more", [](const Shape& s) { return s.segment_count; }}};
  rules.in_elements = "count";
  rules.results = "segments";
  if (is_shared(c.way)) {
    const std::int64_t most = std::min(most_segment_shares, limits_.max_grid);
    const std::int64_t of_end = steps_of_end(c);
    const std::string steps =
        of_end == 1 ? "count + segments" : fmt::format("count + {} * segments", of_end);
    rules.sizes = {{"most", fmt::format("min({}, {} * compute_units)", most, c.blocks_per_unit)},
                   {"share", fmt::format("max(ceil_div({}, most), {})", steps,
                                         std::int64_t{c.block_size} * c.vector_width)},
                   {"grid", fmt::format("max(1, ceil_div({}, share))", steps)}};
  } else {
    rules.sizes = {{"tiles", fmt::format("ceil_div(segments, {})", tile_of_segments(c))},
                   {"most", most_blocks_formula(c.blocks_per_unit, limits_)},
                   {"grid", "max(1, min(tiles, most))"}};
  }
  const WorkspaceBytes of_block = bytes_of(1);
  rules.sizes.push_back({"slots_bytes", fmt::format("grid * {}", of_block.slots)});
  rules.sizes.push_back({"partials_bytes", fmt::format("grid * {}", of_block.partials)});
  return rules;
}

}  // namespace redtune::kernels
