// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/rows/family.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "kernel_templates/reduce/custom_operator.hpp"
#include "kernel_templates/rows/defaults.hpp"
#include "kernel_templates/rows/planner.hpp"
#include "kernel_templates/rows/rules.hpp"
#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view rows_file = "reduce_rows.hip.h";
/// Elements of an edge shape at most, but where a tile is larger.
constexpr std::int64_t most_edge_elements = 1 << 15;

}  // namespace

std::uint32_t RowsFamily::regime(const Shape& shape, std::size_t element_bytes,
                                 const Limits& limits) const {
  return row_regime(shape, element_bytes, limits);
}

/// The threads and loads of a config are for a length: of shorter rows a part of them has no work,
/// and for longer ones all go around again; the default is made for every length. Long rows fill
/// them, whatever their length. Where there are so many bytes that memory alone counts the default
/// has other shapes, too: docs/decisions/0105.
bool RowsFamily::tells_of(const Shape& tuned, const Shape& asked, std::size_t element_bytes) const {
  constexpr std::int64_t fills_every_block = 1 << 15;
  if (are_many_rows(tuned, element_bytes) != are_many_rows(asked, element_bytes)) return false;
  if (std::min(tuned.count, asked.count) >= fills_every_block) return true;
  return asked.count <= tuned.count && asked.count >= tuned.count - tuned.count / 8;
}

/// By all rows but one, so of so many that one does not matter.
bool RowsFamily::is_timed_displaced(const Problem& problem) const {
  constexpr std::int64_t fewest = 1'024;
  return problem.outer >= fewest && slice_of(problem) % 2 == 0;
}

std::vector<Shape> RowsFamily::typical_shapes(const Limits& limits) const {
  return typical_rows(limits);
}

std::string RowsFamily::device_text(const Problem& problem) const {
  static const std::string text = program_text(rows_file);
  return problem.op == Op::custom ? custom_program(rows_file, problem) : text;
}

/// What a group of threads, and a block, read at a time.
std::vector<search::Product> RowsFamily::products() const {
  return {{field_index<RowsConfig>("threads_per_row"), field_index<RowsConfig>("loads_per_thread")},
          {field_index<RowsConfig>("block_size"), field_index<RowsConfig>("loads_per_thread")}};
}

/// The default is in every space, also where others like it cannot win.
search::Space RowsFamily::space(const Problem& problem, const Limits& limits) const {
  const search::Point usual = kernels::point_of(default_rows(problem, limits));
  const auto by = [&](std::size_t axes, auto why) {
    return [&problem, &limits, usual, axes, why](const search::Point& point) {
      std::size_t same = 0;
      while (same < axes && point[same] == usual[same]) ++same;
      return same == axes || why(config_at<RowsConfig>(point), problem, limits).empty();
    };
  };
  const auto axes = axes_of<RowsConfig>();
  return search::Space(
      axes, by(axes.size(), [](const auto&... about) { return why_outside_space(about...); }),
      products(),
      {{group_axes,
        by(group_axes, [](const auto&... about) { return why_group_outside_space(about...); })},
       {load_axes,
        by(load_axes, [](const auto&... about) { return why_loads_outside_space(about...); })}});
}

Settings RowsFamily::default_settings(const Problem& problem, const Limits& limits) const {
  return settings_of(default_rows(problem, limits));
}

std::vector<Settings> RowsFamily::known_shapes(const Problem& problem, const Limits& limits,
                                               std::string_view) const {
  std::vector<Settings> known;
  for (const RowsConfig& config : known_rows(problem, limits)) {
    known.push_back(settings_of(config));
  }
  return known;
}

std::string RowsFamily::why_not(const RowsConfig& config, const Problem& problem,
                                const Limits& limits) const {
  return why_unbuildable(config, problem, limits);
}

std::string RowsFamily::why_outside(const RowsConfig& config, const Problem& problem,
                                    const Limits& limits) const {
  if (config == default_rows(problem, limits)) return {};
  return why_outside_space(config, problem, limits);
}

/// Lengths around a vector, a load of all threads of a row, a tile and a stage; numbers of rows
/// around those of a block; rows with gaps; as many parts as may be, and such that have
/// several tiles.
std::vector<Shape> RowsFamily::edge_shapes(const Settings& settings, const Problem& problem,
                                           const Limits&) const {
  const RowsConfig c = config_of(settings);
  const std::int64_t width = c.vector_width;
  const std::int64_t load = c.threads_per_row * width;
  const std::int64_t room = std::int64_t{c.block_size} * c.loads_per_thread * width;
  const std::int64_t tile = c.way == RowWay::staged ? room : load * c.loads_per_thread;
  std::set<Shape> shapes;
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, width - 1, width,
        width + 1, load - 1, load, load + 1, tile - 1, tile, tile + 1, 3 * tile + 1}) {
    if (count < 0) continue;
    shapes.insert(Shape::rows(count * 3 <= most_edge_elements ? 3 : 1, count));
  }
  if (is_parted(c.way)) {
    constexpr int some = 8;
    shapes.insert(Shape::rows(2, load * c.blocks_per_row + 1));
    shapes.insert(Shape::rows(2, tile * std::min(c.blocks_per_row, some) + 1));
  }
  if (c.way == RowWay::staged && 5 * (load + width) <= most_edge_elements) {
    shapes.insert(Shape::rows(5, load + 1, load + 1 + width / 2 + 1));
  }
  for (const std::int64_t count : {std::int64_t{1}, width + 1}) {
    const std::int64_t staged = staged_rows(c, Shape::rows(1, count), size_of(problem.in));
    const std::int64_t rows = c.way == RowWay::staged ? staged : group_rows(c);
    if (rows * count > most_edge_elements) continue;
    for (const std::int64_t many : {rows - 1, rows, rows + 1}) {
      if (many > 0) shapes.insert(Shape::rows(many, count));
    }
    shapes.insert(Shape::rows(5, count, count + width / 2 + 1));
  }
  return {shapes.begin(), shapes.end()};
}

std::vector<std::string> RowsFamily::name_expressions(const Settings& settings,
                                                      const Problem& problem, int wave_size) const {
  const RowsConfig c = config_of(settings);
  const std::string types = device_operation(problem);
  const std::string loads = fmt::format("{}, {}, redtune::{}, {}", c.loads_per_thread,
                                        c.vector_width, to_string(c.load), wave_size);
  switch (c.way) {
    case RowWay::groups:
      return {fmt::format("redtune::reduce_rows<{}, {}, {}, {}, {}>", types, c.block_size,
                          c.threads_per_row, c.rows_per_thread, loads)};
    case RowWay::staged:
      return {fmt::format("redtune::reduce_staged_rows<{}, {}, {}, {}, {}>", types, c.block_size,
                          c.threads_per_row, loads,
                          is_batch_invariant(problem) ? 1 : c.vector_width)};
    case RowWay::tickets:
    case RowWay::slots:
      break;
  }
  if (is_batch_invariant(problem)) {
    return {fmt::format("redtune::reduce_rows_in_parts<{}, {}, {}, redtune::{}, {}>", types,
                        c.block_size, c.loads_per_thread, to_string(c.load), wave_size)};
  }
  return {fmt::format("redtune::reduce_parted_rows<{}, redtune::row_by_{}{}, {}, {}>", types,
                      to_string(c.way), c.way == RowWay::tickets ? "<redtune::full_fence>" : "",
                      c.block_size, loads)};
}

std::unique_ptr<const Planner> RowsFamily::planner(const Settings& settings, const Problem& problem,
                                                   const Limits& limits) const {
  return std::make_unique<RowsPlanner>(config_of(settings), problem, limits);
}

}  // namespace redtune::kernels
