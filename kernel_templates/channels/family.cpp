// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/channels/family.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "kernel_templates/channels/planner.hpp"
#include "kernel_templates/channels/rules.hpp"
#include "kernel_templates/reduce/custom_operator.hpp"
#include "kernel_templates/rows/rules.hpp"
#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view channels_file = "reduce_channels.hip.h";
/// Elements of an edge shape at most, but where a tile is larger.
constexpr std::int64_t most_edge_elements = 1 << 15;

}  // namespace

/// Spans are read as rows are.
std::uint32_t ChannelsFamily::regime(const Shape& shape, std::size_t element_bytes,
                                     const Limits& limits) const {
  return row_regime(shape, element_bytes, limits);
}

std::string ChannelsFamily::device_text(const Problem& problem) const {
  static const std::string text = program_text(channels_file);
  return problem.op == Op::custom ? custom_program(channels_file, problem) : text;
}

/// What a group of threads, and a block, read at a time.
std::vector<search::Product> ChannelsFamily::products() const {
  return {
      {field_index<ChannelsConfig>("threads_per_span"),
       field_index<ChannelsConfig>("loads_per_thread")},
      {field_index<ChannelsConfig>("block_size"), field_index<ChannelsConfig>("loads_per_thread")}};
}

/// The default is in every space, also where others like it cannot win.
search::Space ChannelsFamily::space(const Problem& problem, const Limits& limits) const {
  const search::Point usual = kernels::point_of(default_channels(problem, limits));
  const auto by = [&](std::size_t axes, auto why) {
    return [&problem, &limits, usual, axes, why](const search::Point& point) {
      std::size_t same = 0;
      while (same < axes && point[same] == usual[same]) ++same;
      return same == axes || why(config_at<ChannelsConfig>(point), problem, limits).empty();
    };
  };
  const auto axes = axes_of<ChannelsConfig>();
  return search::Space(
      axes, by(axes.size(), [](const auto&... about) { return why_outside_space(about...); }),
      products(),
      {{channel_thread_axes,
        by(channel_thread_axes,
           [](const auto&... about) { return why_threads_outside_space(about...); })},
       {channel_load_axes, by(channel_load_axes, [](const auto&... about) {
          return why_loads_outside_space(about...);
        })}});
}

Settings ChannelsFamily::default_settings(const Problem& problem, const Limits& limits) const {
  return settings_of(default_channels(problem, limits));
}

std::vector<Settings> ChannelsFamily::known_shapes(const Problem& problem, const Limits& limits,
                                                   std::string_view) const {
  std::vector<Settings> known;
  for (const ChannelsConfig& config : known_channels(problem, limits)) {
    known.push_back(settings_of(config));
  }
  return known;
}

std::string ChannelsFamily::why_not(const ChannelsConfig& config, const Problem& problem,
                                    const Limits& limits) const {
  return why_unbuildable(config, problem, limits);
}

std::string ChannelsFamily::why_outside(const ChannelsConfig& config, const Problem& problem,
                                        const Limits& limits) const {
  if (config == default_channels(problem, limits)) return {};
  return why_outside_space(config, problem, limits);
}

/// Lengths around a vector, a load of a group and a tile, and of several pieces; batches around
/// what a block folds at a time; numbers of channels around those of a block; gaps between
/// channels, and between arrays.
std::vector<Shape> ChannelsFamily::edge_shapes(const Settings& settings, const Problem&,
                                               const Limits&) const {
  const ChannelsConfig c = config_of(settings);
  const std::int64_t width = c.vector_width;
  const std::int64_t load = c.threads_per_span * width;
  const std::int64_t tile = load * c.loads_per_thread;
  const std::int64_t lines = lines_of(c) * c.spans_per_thread;
  std::set<Shape> shapes;
  const auto add = [&](const Shape& shape) {
    if (shape.batch < 1 || shape.outer < 1 || shape.count < 0) return;
    if (shape.batch > 3 && elements_of(shape) > most_edge_elements) return;
    shapes.insert(shape);
  };
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}, width - 1, width, width + 1, load - 1,
        load + 1, tile - 1, tile, tile + 1}) {
    add(Shape::channels(2, 3 * count <= most_edge_elements ? 3 : 1, count));
  }
  add(Shape::channels(3, 1, 3 * tile + 1));
  add(Shape::channels(1, 3, width + 1));
  for (const std::int64_t batch : {lines - 1, lines, lines + 1, 2 * lines + 1}) {
    add(Shape::channels(batch, 2, width + 1));
  }
  for (const std::int64_t channels : {c.channels_per_block - 1, c.channels_per_block + 1}) {
    add(Shape::channels(3, channels, width + 1));
  }
  if (is_parted(c.way)) {
    constexpr int some = 8;
    const std::int64_t block = std::int64_t{c.block_size} * width;
    add(Shape::channels(2, 2, block * std::min(c.blocks_per_channel, some) + 1));
    add(Shape::channels(2 * lines + 1, 2, load + 1));
  }
  add({.count = width + 1,
       .outer = 3,
       .outer_pitch = 2 * width + 3,
       .batch = 5,
       .batch_pitch = 7 * width + 11});
  return {shapes.begin(), shapes.end()};
}

std::vector<std::string> ChannelsFamily::name_expressions(const Settings& settings,
                                                          const Problem& problem,
                                                          int wave_size) const {
  const ChannelsConfig c = config_of(settings);
  const std::string types = device_operation(problem);
  const std::string loads =
      fmt::format("{}, {}, {}, redtune::{}, {}", c.spans_per_thread, c.loads_per_thread,
                  c.vector_width, to_string(c.load), wave_size);
  if (!is_parted(c.way)) {
    return {fmt::format("redtune::reduce_channels<{}, {}, {}, {}, {}>", types, c.block_size,
                        c.threads_per_span, c.channels_per_block, loads)};
  }
  return {fmt::format("redtune::reduce_parted_channels<{}, redtune::row_by_{}{}, {}, {}, {}>",
                      types, to_string(c.way),
                      c.way == ChannelWay::tickets ? "<redtune::full_fence>" : "", c.block_size,
                      c.threads_per_span, loads)};
}

std::unique_ptr<const Planner> ChannelsFamily::planner(const Settings& settings,
                                                       const Problem& problem,
                                                       const Limits& limits) const {
  return std::make_unique<ChannelsPlanner>(config_of(settings), problem, limits);
}

}  // namespace redtune::kernels
