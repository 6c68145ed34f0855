// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How the sizes of 'reduce_columns' follow from slices, lines and columns, as text: the tiling of
// tiling.cpp, line by line.
#include <algorithm>
#include <iterator>

#include "kernel_templates/columns/planner.hpp"
#include "kernel_templates/columns/tiling.hpp"
#include "kernel_templates/family/sizes.hpp"

namespace redtune::kernels {
namespace {

using Formulas = std::vector<SizeFormula>;

/// Tiles as wide as threads stand, whatever the number of columns.
Formulas of_kept_tiling(const ColumnsConfig& c) {
  const std::int64_t width = std::int64_t{c.threads_across} * c.vectors_per_thread * c.vector_width;
  return {{"lines", "max(count, 1)"},
          {"across", fmt::format("{}", c.threads_across)},
          {"values", fmt::format("{}", width)},
          {"tiles", "ceil_div(inner, values)"},
          {"merged", "0"},
          {"period", "1"},
          {"down", fmt::format("min({}, power_up(ceil_div(lines, {})))",
                               c.block_size / c.threads_across, c.loads_per_thread)}};
}

/// Whether lines are merged, several or one at a time, or read in tiles of their own; and what
/// follows for each.
Formulas of_tiling(const ColumnsConfig& c) {
  const int width = c.vector_width;
  const std::int64_t room = std::int64_t{c.threads_across} * c.vectors_per_thread;
  const int vectors = c.vectors_per_thread;
  const int of_thread = width * vectors;
  return {
      {"height", "max(count, 1)"},
      {"turn", fmt::format("{0} // gcd(pitch, {0})", width)},
      {"is_merged", fmt::format("1 if pitch - inner <= inner // 8 and "
                                "(turn == 1 or turn * pitch <= {}) else 0",
                                room * width)},
      {"turn_vectors", fmt::format("turn * pitch // {}", width)},
      {"is_whole", fmt::format("1 if is_merged and turn_vectors <= {} else 0", room)},
      // Whole lines, as many as fit.
      {"turns",
       fmt::format("max(1, min(height // turn, {} // turn_vectors)) if is_whole else 0", room)},
      // Tiles of one line that is read as if it had no ends.
      {"even_vectors", fmt::format("ceil_div(turn_vectors, ceil_div(turn_vectors, {}))", room)},
      {"tile_vectors", fmt::format("min({}, ceil_div(even_vectors, 8) * 8)", room)},
      // Tiles of columns: a line may begin behind the first element of a vector.
      {"behind", fmt::format("{0} - {0} // turn", width)},
      {"touched", fmt::format("inner + {}", width - 1)},
      {"even", fmt::format("ceil_div(touched, ceil_div(touched, {} - behind))", room * width)},
      {"across", fmt::format("ceil_div(turns * turn_vectors, {0}) if is_whole else "
                             "ceil_div(tile_vectors, {0}) if is_merged else "
                             "min({1}, ceil_div(even + behind, {2}))",
                             vectors, c.threads_across, of_thread)},
      {"values",
       fmt::format("pitch if is_whole else across * {0} if is_merged else across * {0} - behind",
                   of_thread)},
      {"tiles", "1 if is_whole else ceil_div(pitch if is_merged else touched, values)"},
      {"merged", "turns * turn if is_whole else is_merged"},
      {"lines", fmt::format("({} + height * pitch) // (merged * pitch) + 1 "
                            "if is_merged else height",
                            width - 1)},
      {"period", "1 if is_merged else turn"},
      // No more threads below each other than have lines, where a block can fold several slices.
      {"room_below", fmt::format("{} // across", c.block_size)},
      {"below", fmt::format("min(room_below, ceil_div(lines, {})) if slices > 1 else room_below",
                            c.loads_per_thread)},
      {"down", "below // period * period if below >= period else power_down(below)"}};
}

/// Blocks that share columns: see parts_of_column(), blocks_of_column() and column_blocks().
Formulas of_parts(const ColumnsConfig& c, bool keeps_parts, const Problem& problem,
                  const Limits& limits) {
  const bool has_slots = c.way == ColumnWay::slots;
  Formulas sizes{
      {"most_parts", fmt::format("min({}, {} // values)", most_column_parts, most_column_values)},
      {"useful", fmt::format("lines // (max(down, period) * {})", c.loads_per_thread)},
      {"parts", fmt::format("1 if groups == 0 else max(1, min(useful, {}{}))",
                            keeps_parts ? "" : "most_parts // groups, ", c.blocks_per_column)},
      {"blocks", "1 if groups > most_parts // parts else parts"},
      {"sums", fmt::format("max({}, values)", c.block_size)},
      {"most", fmt::format("min({0}, {1} // sums if blocks < parts else {0} // blocks)",
                           limits.max_grid, most_column_values)},
      {"grid", "max(1, min(groups, most)) * blocks"},
      {"handed_over", "grid * sums if blocks < parts else groups * parts * values"},
      {"ticketed", "0 if blocks < parts else groups"}};
  for (SizeFormula& one : parted_workspace(has_slots, "ticketed", "handed_over",
                                           slot_bytes(problem), accumulator_bytes(problem))) {
    sizes.push_back(std::move(one));
  }
  return sizes;
}

}  // namespace

SizeRules ColumnsPlanner::size_rules() const {
  const bool keeps_parts = is_batch_invariant(problem_);
  SizeRules rules;
  rules.extents = {
      {"slices", "slices of the array, 1 or more", [](const Shape& s) { return s.outer; }},
      {"count", "lines of a slice: elements of a column", [](const Shape& s) { return s.count; }},
      {"inner", "columns of a slice, 1 or more", [](const Shape& s) { return s.inner; }},
      {"pitch", "elements from the first of a line to the first of the next; inner: no gap",
       [](const Shape& s) { return step_of(s); }},
      {"slice_pitch",
       "elements from the first of a slice to the first of the next; count * pitch: no gap",
       [](const Shape& s) { return slice_of(s); }}};
  rules.in_elements =
      "0 if count == 0 else (slices - 1) * slice_pitch + (count - 1) * pitch + inner";
  rules.results = "slices * inner";
  Formulas& sizes = rules.sizes;
  sizes = keeps_parts ? of_kept_tiling(config_) : of_tiling(config_);
  const auto append = [&](Formulas more) { std::ranges::move(more, std::back_inserter(sizes)); };
  append({{"together", fmt::format("{} // (across * down)", config_.block_size)},
          {"groups", "ceil_div(slices, together) * tiles"}});
  if (is_parted(config_.way)) {
    append(of_parts(config_, keeps_parts, problem_, limits_));
  } else {
    append({{"most", most_blocks_formula(config_.blocks_per_unit, limits_)},
            {"grid", "max(1, min(groups, most))"},
            {"slots_bytes", "0"},
            {"partials_bytes", "0"}});
  }
  return rules;
}

}  // namespace redtune::kernels
