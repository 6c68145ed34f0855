// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/channels/rules.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "kernel_templates/family/device_rules.hpp"
#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/rows/rules.hpp"

namespace redtune::kernels {
namespace {

static_assert(std::get<channel_thread_axes - 1>(ChannelsConfig::fields()).name ==
                      "channels_per_block" &&
                  std::get<channel_load_axes - 1>(ChannelsConfig::fields()).name == "vector_width",
              "the space is narrowed from its first axes on");

constexpr std::int64_t line_bytes = 128;

/// Of a thread, beyond those for reading spans as rows are read: where it is in its channel, and
/// of each span where it begins there.
std::int64_t registers_of_walk(const ChannelsConfig& c, const Problem& problem) {
  constexpr std::int64_t base = 18;
  const bool is_indexed = info(problem.op).shape == ResultShape::indexed;
  return base + (is_indexed ? 2 * c.spans_per_thread : 0);
}

/// What reads a span is what reads a row.
RowsConfig as_rows(const ChannelsConfig& c) {
  return {.way = RowWay::groups,
          .block_size = c.block_size,
          .threads_per_row = c.threads_per_span,
          .rows_per_thread = c.spans_per_thread,
          .loads_per_thread = c.loads_per_thread,
          .vector_width = c.vector_width,
          .load = c.load,
          .early_start = c.early_start};
}

std::int64_t bytes_of_span(const Problem& problem) {
  return problem.count * static_cast<std::int64_t>(size_of(problem.in));
}

std::int64_t vectors_of_span(const ChannelsConfig& c, const Shape& shape) {
  return std::max<std::int64_t>(1, in_pieces_of(shape.count, c.vector_width));
}

/// Groups of threads that share a channel, of all its blocks.
std::int64_t groups_of(const ChannelsConfig& c, const Shape& shape) {
  return lines_of(c) * (is_parted(c.way) ? parts_of_channel(c, shape) : 1);
}

std::string why_not_parted(const ChannelsConfig& c, const Limits& limits) {
  if (c.threads_per_span * c.channels_per_block > c.block_size) {
    return fmt::format("{} threads for each of {} channels are more than the {} of a block",
                       c.threads_per_span, c.channels_per_block, c.block_size);
  }
  if (is_parted(c.way) && c.channels_per_block != 1) {
    return "blocks share one channel at a time: channels_per_block is 1";
  }
  if (is_parted(c.way) != (c.blocks_per_channel > 1)) {
    return is_parted(c.way)
               ? "no other block shares the channel: 'blocks' is the same"
               : "blocks_per_channel is for channels that blocks share; it is 1 elsewhere";
  }
  if (c.way == ChannelWay::slots && limits.block_order == BlockOrder::any) {
    return "this device starts blocks in any order: the last of a channel must not wait for the "
           "others";
  }
  return {};
}

}  // namespace

std::int64_t lines_of(const ChannelsConfig& c) {
  return std::int64_t{c.block_size} / (c.threads_per_span * c.channels_per_block);
}

std::int64_t parts_of_channel(const ChannelsConfig& c, const Shape& shape) {
  if (shape.outer > most_channel_parts / c.blocks_per_channel) return 1;
  const std::int64_t tile = std::int64_t{c.block_size} * c.vector_width;
  const std::int64_t tiles = elements_of_result(shape) / tile;
  return std::clamp<std::int64_t>(tiles, 1, c.blocks_per_channel);
}

std::int64_t channel_blocks(const ChannelsConfig& c, const Shape& shape, const Limits& limits) {
  const std::int64_t parts = is_parted(c.way) ? parts_of_channel(c, shape) : 1;
  const std::int64_t tiles = in_pieces_of(shape.outer, c.channels_per_block);
  return std::clamp<std::int64_t>(tiles, 1, limits.max_grid / parts) * parts;
}

std::int64_t channel_line(std::size_t element_bytes) {
  return line_bytes / static_cast<std::int64_t>(element_bytes);
}

Pieces pieces_of(const ChannelsConfig& c, const Shape& shape, std::size_t element_bytes) {
  const std::int64_t groups = groups_of(c, shape);
  const std::int64_t load = std::int64_t{c.threads_per_span} * c.vector_width;
  std::int64_t pieces = 1;
  if (shape.batch < groups && shape.count > load) {
    pieces = std::min(in_pieces_of(groups, shape.batch), in_pieces_of(shape.count, load));
  }
  const std::int64_t line = channel_line(element_bytes);
  const std::int64_t some =
      std::min(in_pieces_of(shape.count, pieces), longest_channel_piece - line);
  const std::int64_t length = std::max(in_pieces_of(some, line) * line, line);
  return {std::max<std::int64_t>(1, in_pieces_of(shape.count, length)), length};
}

std::string why_unbuildable(const ChannelsConfig& c, const Problem& problem, const Limits& limits) {
  if (auto why = why_not_parted(c, limits); !why.empty()) return why;
  if (auto why = why_unbuildable(as_rows(c), problem, limits); !why.empty()) return why;
  return why_no_registers(
      row_registers(as_rows(c), problem, limits) + registers_of_walk(c, problem), c.block_size,
      limits);
}

std::string why_threads_outside_space(const ChannelsConfig& c, const Problem& problem,
                                      const Limits& limits) {
  if (!is_block_of(c.block_size, limits)) return "not a block of this device";
  ChannelsConfig likeliest = c;
  likeliest.blocks_per_channel = is_parted(c.way) ? 2 : 1;
  if (auto why = why_not_parted(likeliest, limits); !why.empty()) return why;
  const std::int64_t widest =
      std::min<std::int64_t>(16, limits.max_vector_bytes / static_cast<int>(size_of(problem.in)));
  if (c.threads_per_span > 1 && c.threads_per_span > power_up(problem.count)) {
    return "more threads for a span than elements";
  }
  if (c.threads_per_span < limits.wave_size && problem.count > 64 * widest * c.threads_per_span) {
    return "part of a wave for so long a span cannot win";
  }
  if (c.channels_per_block > 2 * power_up(problem.outer)) {
    return "more channels in a block than there are";
  }
  const std::int64_t pieces =
      std::max<std::int64_t>(1, problem.count / (widest * std::int64_t{c.threads_per_span}));
  if (lines_of(c) > 2 * power_up(problem.batch * pieces)) {
    return "more groups in a block than pieces of a channel";
  }
  return {};
}

std::string why_loads_outside_space(const ChannelsConfig& c, const Problem& problem,
                                    const Limits& limits) {
  ChannelsConfig likeliest = c;
  likeliest.blocks_per_channel = is_parted(c.way) ? 2 : 1;
  likeliest.load = Load::cached;
  likeliest.early_start = Early::off;
  if (auto why = why_unbuildable(likeliest, problem, limits); !why.empty()) return why;
  const std::int64_t load_bytes = c.vector_width * static_cast<std::int64_t>(size_of(problem.in));
  if (load_bytes < std::min<std::int64_t>(fewest_load_bytes, limits.max_vector_bytes) &&
      bytes_of_span(problem) > line_bytes) {
    return "loads of so few bytes cannot win";
  }
  const std::int64_t vectors = vectors_of_span(c, problem);
  const std::int64_t tile = std::int64_t{c.threads_per_span} * c.loads_per_thread;
  if (c.threads_per_span > 1 && c.threads_per_span / 2 >= vectors) {
    return "half of the threads would load nothing";
  }
  if (c.loads_per_thread > 1 && tile / 2 >= vectors) return "half of the loads would be none";
  if (c.spans_per_thread > 1 && tile < vectors) {
    return "spans of several tiles are folded one after the other: spans_per_thread is 1";
  }
  if (c.spans_per_thread > 1 && lines_of(c) * c.spans_per_thread / 2 >= problem.batch) {
    return "half of the spans of a thread would be none";
  }
  return {};
}

std::string why_outside_space(const ChannelsConfig& c, const Problem& problem,
                              const Limits& limits) {
  if (auto why = why_threads_outside_space(c, problem, limits); !why.empty()) return why;
  if (auto why = why_loads_outside_space(c, problem, limits); !why.empty()) return why;
  if (auto why = why_unbuildable(c, problem, limits); !why.empty()) return why;
  if (!is_parted(c.way)) return {};
  if (parts_of_channel(c, problem) != c.blocks_per_channel) {
    return "channels are too many or too short for so many parts";
  }
  if (problem.outer * c.blocks_per_channel / 2 > 64 * std::int64_t{limits.compute_units}) {
    return "half as many parts keep all compute units at work";
  }
  return {};
}

ChannelsConfig default_channels(const Problem& problem, const Limits& limits) {
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  ChannelsConfig c;
  c.block_size = std::clamp(256, limits.min_block_size, limits.max_block_size);
  c.vector_width = std::clamp(std::min(16, limits.max_vector_bytes) / in_bytes, 1, 16);
  if (limits.wave_size == 1) {  // lanes run one after another
    c.block_size = limits.min_block_size;
    c.threads_per_span = c.block_size;
    return c;
  }
  if (problem.cache_mode == CacheMode::cold && limits.streaming_loads == StreamingLoads::present) {
    c.load = Load::streaming;
  }
  const std::int64_t vectors = vectors_of_span(c, problem);
  c.threads_per_span =
      static_cast<int>(std::clamp<std::int64_t>(power_up(vectors) / 4, 1, c.block_size));
  c.loads_per_thread = static_cast<int>(
      std::clamp<std::int64_t>(power_up(vectors) / c.threads_per_span, 1, c.loads_per_thread));
  // What is widened, or multiplied in parts, needs registers for each element that is loaded.
  while (c.loads_per_thread > 1 && !why_unbuildable(c, problem, limits).empty()) {
    c.loads_per_thread /= 2;
  }
  while (c.vector_width > 1 && !why_unbuildable(c, problem, limits).empty()) c.vector_width /= 2;
  // Neighbours of short spans together read whole lines.
  constexpr std::int64_t several_lines = 4 * line_bytes;
  const std::int64_t units = std::max(1, limits.compute_units);
  const std::int64_t beside =
      std::min({several_lines / std::max<std::int64_t>(bytes_of_span(problem), 1),
                std::int64_t{c.block_size} / c.threads_per_span, problem.outer / (2 * units),
                std::int64_t{64}});
  c.channels_per_block = static_cast<int>(power_down(std::max<std::int64_t>(beside, 1)));
  if (problem.outer >= 2 * units ||
      elements_of_result(problem) <= 16 * c.block_size * c.vector_width) {
    return c;
  }
  ChannelsConfig parted = c;
  parted.way = limits.block_order == BlockOrder::by_index ? ChannelWay::slots : ChannelWay::tickets;
  parted.channels_per_block = 1;
  parted.blocks_per_channel =
      static_cast<int>(std::clamp<std::int64_t>(power_up(2 * units / problem.outer), 2, 256));
  parted.blocks_per_channel = static_cast<int>(power_down(parts_of_channel(parted, problem)));
  return parted.blocks_per_channel > 1 ? parted : c;
}

std::vector<ChannelsConfig> known_channels(const Problem& problem, const Limits& limits) {
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  // Block size, threads for a span, channels of a block, spans and loads on their way: what reads
  // rows as long well, on its own and with neighbours, and blocks of one lane for processors.
  constexpr ChannelsConfig shapes[] = {
      {ChannelWay::blocks, 1, 1, 1, 1, 8},      {ChannelWay::blocks, 1, 1, 1, 1, 2},
      {ChannelWay::blocks, 1, 1, 1, 4, 4},      {ChannelWay::blocks, 1, 1, 1, 1, 1},
      {ChannelWay::blocks, 256, 1, 16, 2, 4},   {ChannelWay::blocks, 256, 2, 8, 2, 2},
      {ChannelWay::blocks, 256, 4, 4, 4, 1},    {ChannelWay::blocks, 256, 4, 2, 2, 4},
      {ChannelWay::blocks, 256, 8, 2, 1, 4},    {ChannelWay::blocks, 256, 8, 4, 2, 2},
      {ChannelWay::blocks, 256, 16, 1, 2, 4},   {ChannelWay::blocks, 256, 32, 1, 1, 2},
      {ChannelWay::blocks, 512, 32, 1, 2, 2},   {ChannelWay::blocks, 256, 64, 1, 1, 4},
      {ChannelWay::blocks, 512, 128, 1, 1, 4},  {ChannelWay::blocks, 256, 256, 1, 1, 4},
      {ChannelWay::blocks, 512, 512, 1, 1, 4},  {ChannelWay::slots, 256, 64, 1, 1, 4},
      {ChannelWay::slots, 512, 256, 1, 1, 4},   {ChannelWay::slots, 512, 512, 1, 1, 4},
      {ChannelWay::tickets, 512, 256, 1, 1, 4},
  };
  const bool streams = problem.cache_mode == CacheMode::cold && limits.wave_size != 1 &&
                       limits.streaming_loads == StreamingLoads::present;
  std::vector<ChannelsConfig> known;
  for (ChannelsConfig c : shapes) {
    c.vector_width = std::clamp(limits.max_vector_bytes / in_bytes, 1, 16);
    c.load = streams ? Load::streaming : Load::cached;
    for (const int blocks : {1, 2, 8, 32, 128}) {
      c.blocks_per_channel = blocks;
      const bool is_new = std::ranges::find(known, c) == known.end();
      if (is_new && why_outside_space(c, problem, limits).empty()) known.push_back(c);
    }
  }
  return known;
}

std::int64_t longest_chain(const ChannelsConfig& c, const Problem& problem, const Limits& limits) {
  const std::int64_t wave = limits.wave_size;
  const std::int64_t threads = std::int64_t{c.block_size} / c.channels_per_block;
  // The steps of a fold among threads: shuffles, and one value of each wave, by one lane or by all.
  const std::int64_t waves = in_pieces_of(threads, wave);
  const std::int64_t among = 2 * log2_up(std::min(threads, wave)) + (waves > 1 ? 16 + waves : 0);
  const Pieces pieces = pieces_of(c, problem, size_of(problem.in));
  const std::int64_t tile = std::int64_t{c.threads_per_span} * c.loads_per_thread * c.vector_width;
  // Tiles one after another, each a tree or its loads one by one; both ends; then piece by piece.
  const std::int64_t length = std::min(pieces.length, problem.count);
  const std::int64_t of_piece =
      length / tile + 4 + 2 * c.loads_per_thread + log2_up(c.vector_width) + 2 * c.vector_width;
  const std::int64_t groups = groups_of(c, problem);
  const std::int64_t of_group =
      in_pieces_of(problem.batch * pieces.count, groups) + c.spans_per_thread + 1;
  const std::int64_t parts = groups / lines_of(c);
  const std::int64_t of_parts = parts > 1 ? in_pieces_of(parts, wave) + 2 * log2_up(wave) + 4 : 0;
  return of_piece + of_group + among + of_parts;
}

}  // namespace redtune::kernels
