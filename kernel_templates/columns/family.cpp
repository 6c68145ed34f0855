// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/columns/family.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <set>

#include "kernel_templates/columns/defaults.hpp"
#include "kernel_templates/columns/planner.hpp"
#include "kernel_templates/columns/rules.hpp"
#include "kernel_templates/columns/tiling.hpp"
#include "kernel_templates/reduce/custom_operator.hpp"
#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view columns_file = "reduce_columns.hip.h";

/// Whether lines begin at like places in vectors: up to 16 elements.
int alignment_of(const Shape& shape) {
  return std::min(4, std::countr_zero(static_cast<std::uint64_t>(step_of(shape))));
}

/// Elements of an edge shape at most, but where blocks share columns.
constexpr std::int64_t most_unshared_elements = 1 << 16;

/// Lines of many that a block takes with one load of each thread.
std::int64_t lines_at_a_time(const ColumnsConfig& c, std::int64_t inner, Order order) {
  constexpr std::int64_t many = 1 << 20;
  const ColumnTiling tiling = tiling_of(c, Shape::columns(many, inner), order);
  return std::max(tiling.down, tiling.period) * std::max<std::int64_t>(tiling.merged, 1);
}

}  // namespace

/// Lines that are aligned otherwise are read in another way.
double ColumnsFamily::distance(const Shape& one, const Shape& other) const {
  const double alignments_apart = alignment_of(one) == alignment_of(other) ? 0 : 1;
  return Family::distance(one, other) + alignments_apart;
}

/// A block is as wide as columns let it be, and lines are as long: the default knows how many there
/// are. docs/decisions/0105.
bool ColumnsFamily::tells_of(const Shape& tuned, const Shape& asked,
                             std::size_t /*element_bytes*/) const {
  const auto [fewer, more] = std::minmax(tuned.inner, asked.inner);
  return more - fewer <= fewer;
}

std::string ColumnsFamily::device_text(const Problem& problem) const {
  static const std::string text = program_text(columns_file);
  return problem.op == Op::custom ? custom_program(columns_file, problem) : text;
}

/// What a block reads of a line, and what a thread has on its way.
std::vector<search::Product> ColumnsFamily::products() const {
  return {{field_index<ColumnsConfig>("threads_across"),
           field_index<ColumnsConfig>("vectors_per_thread")},
          {field_index<ColumnsConfig>("vectors_per_thread"),
           field_index<ColumnsConfig>("loads_per_thread")}};
}

/// The default is in every space, also where others like it cannot win.
search::Space ColumnsFamily::space(const Problem& problem, const Limits& limits) const {
  const search::Point usual = kernels::point_of(default_columns(problem, limits));
  const auto by = [&](std::size_t axes, auto why) {
    return [&problem, &limits, usual, axes, why](const search::Point& point) {
      std::size_t same = 0;
      while (same < axes && point[same] == usual[same]) ++same;
      return same == axes || why(config_at<ColumnsConfig>(point), problem, limits).empty();
    };
  };
  const auto axes = axes_of<ColumnsConfig>();
  return search::Space(
      axes, by(axes.size(), [](const auto&... about) { return why_outside_space(about...); }),
      products(),
      {{column_block_axes,
        by(column_block_axes,
           [](const auto&... about) { return why_block_outside_space(about...); })},
       {column_tile_axes, by(column_tile_axes, [](const auto&... about) {
          return why_tile_outside_space(about...);
        })}});
}

Settings ColumnsFamily::default_settings(const Problem& problem, const Limits& limits) const {
  return settings_of(default_columns(problem, limits));
}

std::vector<Settings> ColumnsFamily::known_shapes(const Problem& problem, const Limits& limits,
                                                  std::string_view) const {
  std::vector<Settings> known;
  for (const ColumnsConfig& config : known_columns(problem, limits)) {
    known.push_back(settings_of(config));
  }
  return known;
}

std::string ColumnsFamily::why_not(const ColumnsConfig& config, const Problem& problem,
                                   const Limits& limits) const {
  return why_unbuildable(config, problem, limits);
}

std::string ColumnsFamily::why_outside(const ColumnsConfig& config, const Problem& problem,
                                       const Limits& limits) const {
  if (config == default_columns(problem, limits)) return {};
  return why_outside_space(config, problem, limits);
}

/// One column and around a vector and a tile of them, and two tiles of whole vectors; lines around
/// what a block takes at a time; slices and gaps; and as many lines as all blocks that may share
/// columns take.
std::vector<Shape> ColumnsFamily::edge_shapes(const Settings& settings, const Problem& problem,
                                              const Limits&) const {
  const ColumnsConfig c = config_of(settings);
  const std::int64_t width = c.vector_width;
  const std::int64_t tile = std::int64_t{c.threads_across} * c.vectors_per_thread * width;
  std::set<Shape> shapes;
  const auto add = [&](const Shape& shape) {
    if (shape.inner > 0 && elements_of(shape) <= most_unshared_elements) shapes.insert(shape);
  };
  for (const std::int64_t inner : {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, width - 1,
                                   width, width + 1, 2 * width, tile - 1, tile, tile + 1}) {
    const std::int64_t lines = lines_at_a_time(c, inner, problem.order);
    for (const std::int64_t count : {std::int64_t{1}, lines, lines * c.loads_per_thread + 1,
                                     lines * c.blocks_per_column * 2}) {
      if (inner > 1) add(Shape::columns(count, inner));
    }
    add(Shape::columns(5, inner, inner + 1));
    add({.count = 3, .outer = 7, .inner = inner, .outer_pitch = 0, .count_pitch = inner + width});
    add({.count = 5,
         .outer = 3,
         .inner = inner,
         .outer_pitch = 5 * (inner + 1) + 1,
         .count_pitch = inner + 1});
  }
  add({.count = 3, .outer = 2, .inner = 2 * tile, .count_pitch = 2 * tile + width});
  add(Shape::columns(0, 3));
  if (!is_parted(c.way)) return {shapes.begin(), shapes.end()};
  for (const std::int64_t inner : {std::int64_t{2}, width + 1}) {
    const std::int64_t all =
        lines_at_a_time(c, inner, problem.order) * c.loads_per_thread * c.blocks_per_column;
    shapes.insert(Shape::columns(all + 1, inner));
    if (inner == 2) shapes.insert({.count = all + 1, .outer = 2, .inner = inner});
  }
  return {shapes.begin(), shapes.end()};
}

std::vector<std::string> ColumnsFamily::name_expressions(const Settings& settings,
                                                         const Problem& problem, int) const {
  const ColumnsConfig c = config_of(settings);
  const std::string types = device_operation(problem);
  const std::string of_block =
      fmt::format("{}, {}, {}, {}, redtune::{}", c.block_size, c.vectors_per_thread,
                  c.loads_per_thread, c.vector_width, to_string(c.load));
  if (!is_parted(c.way)) return {fmt::format("redtune::reduce_columns<{}, {}>", types, of_block)};
  if (is_batch_invariant(problem)) {
    return {fmt::format("redtune::reduce_columns_in_parts<{}, {}>", types, of_block)};
  }
  return {fmt::format("redtune::reduce_parted_columns<{}, redtune::columns_by_{}{}, {}>", types,
                      to_string(c.way), c.way == ColumnWay::tickets ? "<redtune::full_fence>" : "",
                      of_block)};
}

std::unique_ptr<const Planner> ColumnsFamily::planner(const Settings& settings,
                                                      const Problem& problem,
                                                      const Limits& limits) const {
  return std::make_unique<ColumnsPlanner>(config_of(settings), problem, limits);
}

}  // namespace redtune::kernels
