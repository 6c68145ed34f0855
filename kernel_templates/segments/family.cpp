// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/segments/family.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <set>

#include "kernel_templates/reduce/custom_operator.hpp"
#include "kernel_templates/segments/defaults.hpp"
#include "kernel_templates/segments/planner.hpp"
#include "kernel_templates/segments/rules.hpp"
#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view segments_file = "reduce_segments.hip.h";
/// Elements of an edge shape at most, but where a tile is larger.
constexpr std::int64_t most_segment_elements = 1 << 15;

/// As in reduce_segments.hip.h.
std::string_view name_of(Staging staging) {
  switch (staging) {
    case Staging::on:
      return "staged";
    case Staging::stream:
      return "streamed";
    case Staging::off:
      break;
  }
  return "direct";
}

}  // namespace

/// What reads a segment of mean length with one load of each thread; and whether all of it is read
/// by one load of each thread that fits on the device.
std::uint32_t SegmentsFamily::regime(const Shape& shape, std::size_t element_bytes,
                                     const Limits& limits) const {
  enum Reader : std::uint32_t { thread, wave, block, several_blocks };
  const std::int64_t load = limits.max_vector_bytes;
  const std::int64_t of_block = load * limits.max_block_size;
  const std::int64_t bytes = mean_length(shape) * static_cast<std::int64_t>(element_bytes);
  const Reader reader = bytes <= 2 * load                  ? thread
                        : bytes <= load * limits.wave_size ? wave
                        : bytes <= of_block                ? block
                                                           : several_blocks;
  const std::int64_t all = shape.count / (of_block / static_cast<std::int64_t>(element_bytes) + 1);
  return reader + (all < limits.compute_units ? 4U : 0U);
}

std::vector<Shape> SegmentsFamily::typical_shapes(const Limits& limits) const {
  return typical_segments(limits);
}

std::string SegmentsFamily::device_text(const Problem& problem) const {
  static const std::string text = program_text(segments_file);
  return problem.op == Op::custom ? custom_program(segments_file, problem) : text;
}

/// What a group of threads, and a block, read at a time.
std::vector<search::Product> SegmentsFamily::products() const {
  return {
      {field_index<SegmentsConfig>("threads_per_segment"),
       field_index<SegmentsConfig>("loads_per_thread")},
      {field_index<SegmentsConfig>("block_size"), field_index<SegmentsConfig>("loads_per_thread")}};
}

/// The default is in every space, also where others like it cannot win.
search::Space SegmentsFamily::space(const Problem& problem, const Limits& limits) const {
  const search::Point usual = kernels::point_of(default_segments(problem, limits));
  const auto by = [&](std::size_t axes, auto why) {
    return [&problem, &limits, usual, axes, why](const search::Point& point) {
      std::size_t same = 0;
      while (same < axes && point[same] == usual[same]) ++same;
      return same == axes || why(config_at<SegmentsConfig>(point), problem, limits).empty();
    };
  };
  const auto axes = axes_of<SegmentsConfig>();
  return search::Space(
      axes, by(axes.size(), [](const auto&... about) { return why_outside_space(about...); }),
      products(),
      {{segment_thread_axes,
        by(segment_thread_axes,
           [](const auto&... about) { return why_threads_outside_space(about...); })},
       {segment_load_axes, by(segment_load_axes, [](const auto&... about) {
          return why_loads_outside_space(about...);
        })}});
}

Settings SegmentsFamily::default_settings(const Problem& problem, const Limits& limits) const {
  return settings_of(default_segments(problem, limits));
}

std::vector<Settings> SegmentsFamily::known_shapes(const Problem& problem, const Limits& limits,
                                                   std::string_view) const {
  std::vector<Settings> known;
  for (const SegmentsConfig& config : known_segments(problem, limits)) {
    known.push_back(settings_of(config));
  }
  return known;
}

std::string SegmentsFamily::why_not(const SegmentsConfig& config, const Problem& problem,
                                    const Limits& limits) const {
  if (auto why = why_not_without_plan(config); !why.empty()) return why;
  return why_unbuildable(config, problem, limits);
}

std::string SegmentsFamily::why_outside(const SegmentsConfig& config, const Problem& problem,
                                        const Limits& limits) const {
  if (config == default_segments(problem, limits)) return {};
  return why_outside_space(config, problem, limits);
}

/// None, one and a few segments; mean lengths around a vector, a tile of a group, and what groups
/// and waves leave to others; numbers of segments around a tile; all spreads of lengths.
std::vector<Shape> SegmentsFamily::edge_shapes(const Settings& settings, const Problem& problem,
                                               const Limits& limits) const {
  const SegmentsConfig c = config_of(settings);
  const std::int64_t bits = problem.offset_bits == 64 ? 64 : 32;
  const std::int64_t width = c.vector_width;
  const std::int64_t load = c.threads_per_segment * width;
  const std::int64_t tile = load * c.loads_per_thread;
  const std::int64_t segments = tile_of_segments(c);
  std::set<Shape> shapes;
  const auto add = [&](std::int64_t elements, std::int64_t many, Skew skew) {
    if (elements < 0 || many < 0 || (many > 5 && elements + many > most_segment_elements)) return;
    shapes.insert(Shape::segments(elements, many, bits, skew));
  };
  add(0, 0, Skew::uniform);
  add(7, 0, Skew::uniform);
  add(0, 3, Skew::uniform);
  for (const std::int64_t length : {std::int64_t{1}, width + 1, load + 1, tile - 1, tile + 1}) {
    add(3 * length, 3, Skew::uniform);
    add(5 * length + 2, 5, Skew::zipf);
  }
  add(3 * width + 1, segments - 1, Skew::uniform);
  add((segments + 1) * width, segments + 1, Skew::uniform);
  add((2 * segments + 1) * 3, 2 * segments + 1, Skew::zipf);
  add(2 * (most_of_group(c) + 1), 2, Skew::giant);
  add(2 * (most_of_wave(c, limits) + 3), 3, Skew::giant);
  add(1 << 13, 77, Skew::giant);
  if (const std::int64_t stage = stage_of_segments(c); stage > 0) {
    for (const std::int64_t all : {stage - 1, stage, stage + 1}) add(all, segments, Skew::uniform);
    add(3 * stage, 3 * segments, Skew::zipf);
  }
  if (c.staging == Staging::stream) {
    const std::int64_t wave = stream_tile(c, limits);
    for (const std::int64_t all : {wave - 1, wave, wave + 1}) add(all, 3, Skew::uniform);
    add(5 * wave, 2 * wave, Skew::zipf);
    add(3 * wave + 1, wave * c.segments_per_thread, Skew::uniform);
  }
  return {shapes.begin(), shapes.end()};
}

std::string segment_kernel(const SegmentKernelNames& names, const SegmentsConfig& c,
                           const Problem& problem, int wave_size) {
  const std::string types =
      fmt::format("{}, {}", device_operation(problem), offset_type(problem.offset_bits));
  const std::string loads = fmt::format(
      "{}, {}, {}, {}, {}, redtune::{}, {}", c.block_size, c.threads_per_segment,
      c.segments_per_thread, c.loads_per_thread, c.vector_width, to_string(c.load), wave_size);
  const std::string_view staging = name_of(c.staging);
  switch (c.way) {
    case SegmentWay::bins:
      return fmt::format("redtune::{}<{}, {}>", names.bins, types, loads);
    case SegmentWay::tiles:
      return fmt::format("redtune::{}<{}, redtune::{}, {}>", names.tiles, types, staging, loads);
    default:
      return fmt::format("redtune::{}<{}, redtune::cuts_by_{}, redtune::{}, {}>", names.shares,
                         types, to_string(c.way), staging, loads);
  }
}

std::string_view offset_type(std::int64_t bits) {
  return device_type(bits == 64 ? DType::i64 : DType::i32);
}

std::vector<std::string> SegmentsFamily::name_expressions(const Settings& settings,
                                                          const Problem& problem,
                                                          int wave_size) const {
  return {segment_kernel({}, config_of(settings), problem, wave_size)};
}

std::unique_ptr<const Planner> SegmentsFamily::planner(const Settings& settings,
                                                       const Problem& problem,
                                                       const Limits& limits) const {
  return std::make_unique<SegmentsPlanner>(config_of(settings), problem, limits);
}

}  // namespace redtune::kernels
