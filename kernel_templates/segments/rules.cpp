// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/segments/rules.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "kernel_templates/family/device_rules.hpp"
#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/rows/rules.hpp"

namespace redtune::kernels {
namespace {

static_assert(std::get<segment_thread_axes - 1>(SegmentsConfig::fields()).name ==
                      "threads_per_segment" &&
                  std::get<segment_load_axes - 1>(SegmentsConfig::fields()).name == "vector_width",
              "the space is narrowed from its first axes on");

/// As in reduce_segments.hip.h.
constexpr std::int64_t tiles_alone = 4;
constexpr std::int64_t most_long_loads = 8;
constexpr std::int64_t most_long_loads_beside_a_stage = 2;

/// Of a thread, beyond those for reading segments as rows are read: both ends of each, and the
/// share of the block.
constexpr std::int64_t registers_of_segment_walk = 14;

/// What reads a segment is what reads a row.
RowsConfig as_rows(const SegmentsConfig& c) {
  const bool is_staged = c.staging != Staging::off;  // then straight from memory one by one
  return {.way = RowWay::groups,
          .block_size = c.block_size,
          .threads_per_row = c.threads_per_segment,
          .rows_per_thread = is_staged ? 1 : c.segments_per_thread,
          .loads_per_thread = is_staged ? 1 : c.loads_per_thread,
          .vector_width = c.vector_width,
          .load = c.load,
          .early_start = c.early_start};
}

/// Likewise for what groups leave to waves and blocks.
RowsConfig as_long_rows(const SegmentsConfig& c) {
  RowsConfig rows = as_rows(c);
  rows.threads_per_row = c.block_size;
  rows.rows_per_thread = 1;
  const bool is_staged = c.staging != Staging::off;
  const std::int64_t loads = c.loads_per_thread * (is_staged ? 1 : c.segments_per_thread);
  rows.loads_per_thread = static_cast<int>(
      std::min(is_staged ? most_long_loads_beside_a_stage : most_long_loads, loads));
  return rows;
}

/// A tile that is staged is staged as rows are.
RowsConfig as_staged_rows(const SegmentsConfig& c) {
  RowsConfig rows = as_rows(c);
  rows.way = RowWay::staged;
  rows.rows_per_thread = 1;
  rows.loads_per_thread = c.loads_per_thread;
  return rows;
}

std::int64_t long_loads(const SegmentsConfig& c) {
  return as_long_rows(c).loads_per_thread;
}

/// Elements of a segment that are hardly more of any, where lengths are as usual.
std::int64_t usual_most(const Shape& shape) {
  return 2 * mean_length(shape);
}

std::string why_not_shared(const SegmentsConfig& c, const Limits& limits) {
  if (c.threads_per_segment > c.block_size) {
    return fmt::format("{} threads for a segment are more than the {} of a block",
                       c.threads_per_segment, c.block_size);
  }
  if (is_shared(c.way) && c.blocks_per_unit == 0) {
    return "shares are as many as blocks_per_unit says: it is 1 or more";
  }
  if (c.way == SegmentWay::bins) {
    if (c.blocks_per_unit == 0) {
      return "blocks take turns in bins, as many as blocks_per_unit says: it is 1 or more";
    }
    if (c.staging != Staging::off) return "segments in bins are folded straight from memory";
    if (c.threads_per_segment > limits.wave_size) {
      return "segments of a bin are folded by part of a wave, or by all of one";
    }
  }
  if (c.way == SegmentWay::slots && limits.block_order == BlockOrder::any) {
    return "this device starts blocks in any order: the last of a segment must not wait for the "
           "others";
  }
  return {};
}

/// As in stream_tiles.hip.h and stream_segments.hip.h.
constexpr std::int64_t most_items_of_lane = 32;
constexpr std::int64_t words_of_marks = 2;
constexpr std::int64_t most_stored_bytes = 16;  // at once
/// Of a space.
constexpr int fewest_items_of_lane = 16;

/// Of a value in shared memory, with a place in a tile where the operator gives an index.
std::int64_t stream_value_bytes(const Problem& problem) {
  const bool is_indexed = info(problem.op).shape == ResultShape::indexed;
  return is_indexed ? std::max<std::int64_t>(8, 2 * static_cast<std::int64_t>(size_of(problem.acc)))
                    : static_cast<std::int64_t>(accumulator_bytes(problem));
}

/// Of a block whose waves stream: a stage of each, values of segments that end, marks, and what
/// waves have of cut segments.
std::int64_t stream_bytes(const SegmentsConfig& c, const Problem& problem, const Limits& limits) {
  const std::int64_t items = std::int64_t{c.loads_per_thread} * c.vector_width;
  const std::int64_t waves = c.block_size / limits.wave_size;
  const auto kept = static_cast<std::int64_t>(accumulator_bytes(problem));
  const std::int64_t of_value = stream_value_bytes(problem);
  const std::int64_t of_lane = items * (static_cast<std::int64_t>(size_of(problem.in)) + of_value) +
                               std::max(most_stored_bytes, of_value) + 4 * words_of_marks;
  constexpr std::int64_t others = 4096;  // of the finish
  return waves * (limits.wave_size * of_lane + 3 * kept + 64) + 2 * kept + others;
}

std::string why_not_streamed(const SegmentsConfig& c, const Problem& problem,
                             const Limits& limits) {
  if (!is_shared(c.way)) return "streams are of blocks with equal shares: way is tickets or slots";
  if (c.threads_per_segment != 1) {
    return "neighbouring elements of a stream are a thread's: threads_per_segment is 1";
  }
  const int items = c.loads_per_thread * c.vector_width;
  if (items > most_items_of_lane) {
    return fmt::format("{} elements of a thread are more than the {} that it marks ends among",
                       items, most_items_of_lane);
  }
  if (const std::int64_t bytes = stream_bytes(c, problem, limits);
      bytes > Limits{}.max_shared_bytes) {
    return fmt::format("{} bytes of shared memory are more than {}", bytes,
                       Limits{}.max_shared_bytes);
  }
  // Ends that are on their way twice, loads, and what is open; on AMD GPUs the places of elements
  // as well. No fewer than registers_of_stream of reduce_segments.hip.h: of no more blocks shall a
  // multiprocessor have room.
  const std::int64_t words_of_offset = problem.offset_bits == 64 ? 2 : 1;
  const std::int64_t words_of_load =
      words_in(c.vector_width * static_cast<std::int64_t>(size_of(problem.in)));
  const bool has_places = is_amd(limits) && info(problem.op).shape == ResultShape::indexed;
  const std::int64_t places = has_places ? 2 * items : 0;
  const std::int64_t words_of_loads = c.loads_per_thread * words_of_load;
  const std::int64_t of_long_tile = words_of_loads > 16 ? 32 : items > 16 ? 16 : 0;
  const std::int64_t needed = 60 + c.segments_per_thread * (2 + 2 * words_of_offset) +
                              words_of_loads + 6 * accumulator_words(problem) + of_long_tile +
                              places;
  return why_no_registers(needed, c.block_size, limits);
}

/// Tiles one after another, each a tree or its loads one by one; both ends; and spans of 2^30.
std::int64_t chain_of(std::int64_t length, std::int64_t threads, std::int64_t loads,
                      std::int64_t width) {
  const std::int64_t tile = threads * loads * width;
  return length / tile + 4 + 2 * loads + log2_up(width) + 2 * width + (length >> 30);
}

}  // namespace

std::int64_t widest_segment_vector(const Problem& problem, const Limits& limits) {
  return std::min<std::int64_t>(16,
                                limits.max_vector_bytes / static_cast<int>(size_of(problem.in)));
}

std::int64_t stage_of_segments(const SegmentsConfig& c) {
  if (c.staging == Staging::off) return 0;
  return std::int64_t{c.block_size} * c.loads_per_thread * c.vector_width;
}

std::int64_t stream_tile(const SegmentsConfig& c, const Limits& limits) {
  return std::int64_t{limits.wave_size} * c.loads_per_thread * c.vector_width;
}

std::int64_t tile_of_segments(const SegmentsConfig& c) {
  return std::int64_t{c.block_size} / c.threads_per_segment * c.segments_per_thread;
}

std::int64_t most_of_group(const SegmentsConfig& c) {
  return tiles_alone * c.threads_per_segment * as_rows(c).loads_per_thread * c.vector_width;
}

std::int64_t most_of_wave(const SegmentsConfig& c, const Limits& limits) {
  return tiles_alone * limits.wave_size * long_loads(c) * c.vector_width;
}

std::int64_t most_of_thread(const SegmentsConfig& c) {
  return tiles_alone * c.loads_per_thread * c.vector_width;
}

std::int64_t most_of_block(const SegmentsConfig& c) {
  return tiles_alone * c.block_size * long_loads(c) * c.vector_width;
}

std::string why_not_without_plan(const SegmentsConfig& c) {
  if (c.way != SegmentWay::bins) return {};
  return "bins are lists of segments by their lengths, which only a plan has";
}

std::int64_t steps_of_end(const SegmentsConfig& c) {
  return c.staging == Staging::stream ? 3 : 1;
}

std::int64_t steps_of(const Shape& shape) {
  return shape.count + shape.segment_count;
}

namespace {

std::int64_t steps_in_shares(const SegmentsConfig& c, const Shape& shape) {
  return shape.count + steps_of_end(c) * shape.segment_count;
}

}  // namespace

BinPieces most_bin_pieces(const SegmentsConfig& c, const Shape& shape) {
  const std::int64_t piece = most_of_block(c);
  const std::int64_t segments = std::min(shape.segment_count, shape.count / (piece + 1));
  return {segments, segments == 0 ? 0 : shape.count / piece + segments};
}

std::int64_t segment_blocks(const SegmentsConfig& c, const Shape& shape, const Limits& limits) {
  if (is_shared(c.way)) {
    const std::int64_t length = share_length(c, shape, limits);
    return std::max<std::int64_t>(1, in_pieces_of(steps_in_shares(c, shape), length));
  }
  // A thread in bins may have as many segments as a tile, and more elements.
  const std::int64_t tiles =
      c.way == SegmentWay::bins
          ? in_pieces_of(steps_of(shape), std::int64_t{c.block_size} * c.vector_width)
          : in_pieces_of(shape.segment_count, tile_of_segments(c));
  const std::int64_t most =
      c.blocks_per_unit == 0
          ? limits.max_grid
          : std::min(limits.max_grid, std::int64_t{c.blocks_per_unit} * limits.compute_units);
  return std::clamp<std::int64_t>(tiles, 1, most);
}

/// A block has as much to do as one load of each of its threads, at least.
std::int64_t share_length(const SegmentsConfig& c, const Shape& shape, const Limits& limits) {
  const std::int64_t most =
      std::min({most_segment_shares, limits.max_grid,
                std::int64_t{c.blocks_per_unit} * std::max(1, limits.compute_units)});
  const std::int64_t least = std::int64_t{c.block_size} * c.vector_width;
  return std::max(in_pieces_of(steps_in_shares(c, shape), most), least);
}

std::string why_unbuildable(const SegmentsConfig& c, const Problem& problem, const Limits& limits) {
  if (auto why = why_not_shared(c, limits); !why.empty()) return why;
  if (auto why = why_unbuildable(as_rows(c), problem, limits); !why.empty()) return why;
  if (auto why = why_unbuildable(as_long_rows(c), problem, limits); !why.empty()) return why;
  if (c.staging == Staging::stream) return why_not_streamed(c, problem, limits);
  if (c.staging == Staging::on) {
    if (auto why = why_unbuildable(as_staged_rows(c), problem, limits); !why.empty()) return why;
  }
  const std::int64_t walk =
      registers_of_segment_walk + 4 * c.segments_per_thread + (c.way == SegmentWay::tiles ? 0 : 8);
  const std::int64_t staged =
      c.staging == Staging::on ? row_registers(as_staged_rows(c), problem, limits) : 0;
  return why_no_registers(std::max({row_registers(as_rows(c), problem, limits),
                                    row_registers(as_long_rows(c), problem, limits), staged}) +
                              walk,
                          c.block_size, limits);
}

std::string why_threads_outside_space(const SegmentsConfig& c, const Problem& problem,
                                      const Limits& limits) {
  if (auto why = why_not_without_plan(c); !why.empty()) return why;
  if (!is_block_of(c.block_size, limits)) return "not a block of this device";
  SegmentsConfig likeliest = c;
  likeliest.blocks_per_unit = 1;
  if (auto why = why_not_shared(likeliest, limits); !why.empty()) return why;
  const std::int64_t mean = mean_length(problem);
  if (c.staging != Staging::off && limits.wave_size == 1) {
    return "lanes that run one after another gain nothing by a stage";
  }
  if (c.staging == Staging::stream) {
    if (!is_shared(c.way)) return "streams are of blocks with equal shares";
    return c.threads_per_segment == 1 ? "" : "neighbouring elements of a stream are a thread's";
  }
  if (c.staging == Staging::on) {
    if (c.threads_per_segment > limits.wave_size) {
      return "staged segments are folded by a wave or a part of it";
    }
    if (mean > 8 * widest_segment_vector(problem, limits) * c.threads_per_segment &&
        c.threads_per_segment < limits.wave_size) {
      return "so long a staged segment has more threads";
    }
  }
  if (c.threads_per_segment > 1 && c.threads_per_segment > 2 * power_up(mean)) {
    return "more threads for a segment than elements";
  }
  const std::int64_t widest = widest_segment_vector(problem, limits);
  if (c.threads_per_segment < limits.wave_size && mean > 64 * widest * c.threads_per_segment) {
    return "part of a wave for so long a segment cannot win";
  }
  if (c.block_size / c.threads_per_segment > 2 * power_up(problem.segment_count)) {
    return "more groups in a block than segments";
  }
  // One block has a giant alone: that is as long as all blocks have for as much each.
  const bool is_giant = problem.skew == Skew::giant && limits.compute_units > 1;
  if (!is_shared(c.way) && is_giant && problem.count > 64 * c.block_size * widest) {
    return "one block would have half of all elements";
  }
  return {};
}

std::string why_loads_outside_space(const SegmentsConfig& c, const Problem& problem,
                                    const Limits& limits) {
  SegmentsConfig likeliest = c;
  likeliest.blocks_per_unit = 1;
  likeliest.load = Load::cached;
  likeliest.early_start = Early::off;
  if (auto why = why_unbuildable(likeliest, problem, limits); !why.empty()) return why;
  if (c.staging == Staging::stream) {
    if (c.vector_width < widest_segment_vector(problem, limits))
      return "a stream has the widest loads";
    if (c.loads_per_thread * c.vector_width < fewest_items_of_lane && c.loads_per_thread < 8) {
      return "a scan of a wave for so few elements cannot win";
    }
    return {};
  }
  const std::int64_t load_bytes = c.vector_width * static_cast<std::int64_t>(size_of(problem.in));
  const std::int64_t most = usual_most(problem);
  if (load_bytes < std::min<std::int64_t>(fewest_load_bytes, limits.max_vector_bytes) &&
      most >= 2 * fewest_load_bytes) {
    return "loads of so few bytes cannot win";
  }
  if (c.staging == Staging::on) {
    const std::int64_t all = tile_of_segments(c) * std::max<std::int64_t>(mean_length(problem), 1);
    if (c.vector_width < widest_segment_vector(problem, limits))
      return "a stream has the widest loads";
    if (all > stage_of_segments(c)) return "a tile of segments is longer than the stage";
    if (8 * all < stage_of_segments(c)) return "most of the stage would be empty";
    if (tile_of_segments(c) / 2 >= problem.segment_count) return "half of a tile would be none";
    return {};
  }
  const std::int64_t vectors = std::max<std::int64_t>(1, in_pieces_of(most, c.vector_width));
  const std::int64_t tile = std::int64_t{c.threads_per_segment} * c.loads_per_thread;
  if (c.threads_per_segment > 1 && c.threads_per_segment / 2 >= vectors) {
    return "half of the threads would load nothing";
  }
  if (c.loads_per_thread > 1 && tile / 2 >= vectors) return "half of the loads would be none";
  if (c.segments_per_thread > 1 && tile * c.vector_width < mean_length(problem)) {
    return "segments of several tiles are folded one after the other: segments_per_thread is 1";
  }
  if (c.segments_per_thread > 1 && tile_of_segments(c) / 2 >= problem.segment_count) {
    return "half of the segments of a block would be none";
  }
  return {};
}

std::string why_outside_space(const SegmentsConfig& c, const Problem& problem,
                              const Limits& limits) {
  if (auto why = why_threads_outside_space(c, problem, limits); !why.empty()) return why;
  if (auto why = why_loads_outside_space(c, problem, limits); !why.empty()) return why;
  if (auto why = why_unbuildable(c, problem, limits); !why.empty()) return why;
  if (c.blocks_per_unit == 0) return {};
  constexpr int fewest_threads = 512;  // of a compute unit: fewer do not keep memory at work
  if (limits.wave_size > 1 && c.blocks_per_unit * c.block_size < fewest_threads) {
    return "so few threads on a compute unit cannot win";
  }
  SegmentsConfig fewer = c;
  if (is_shared(c.way)) {
    fewer.blocks_per_unit = c.blocks_per_unit / 2;
    if (fewer.blocks_per_unit >= 1 &&
        segment_blocks(fewer, problem, limits) >= segment_blocks(c, problem, limits)) {
      return "half as many blocks_per_unit are as many shares";
    }
    return {};
  }
  fewer.blocks_per_unit = 0;
  if (segment_blocks(fewer, problem, limits) <= segment_blocks(c, problem, limits)) {
    return "as many blocks as tiles: blocks_per_unit 0 says the same";
  }
  return {};
}

/// By a thread, part of a wave, a wave or a block, or pieces by blocks, whose values one puts
/// together.
std::int64_t chain_in_bins(const SegmentsConfig& c, std::int64_t longest, const Limits& limits) {
  const std::int64_t wave = limits.wave_size;
  const std::int64_t waves = in_pieces_of(c.block_size, wave);
  const std::int64_t among_block = 2 * log2_up(wave) + (waves > 1 ? 16 + waves : 0);
  const auto chain = [&](std::int64_t most, std::int64_t threads, std::int64_t loads) {
    return chain_of(std::min(longest, most), threads, loads, c.vector_width);
  };
  const std::int64_t pieces = in_pieces_of(longest, most_of_block(c));
  return std::max({chain(most_of_thread(c), 1, c.loads_per_thread),
                   chain(most_of_group(c), c.threads_per_segment, c.loads_per_thread),
                   chain(most_of_wave(c, limits), wave, long_loads(c)),
                   chain(most_of_block(c), c.block_size, long_loads(c))}) +
         among_block + (pieces > 1 ? in_pieces_of(pieces, c.block_size) + 4 + among_block : 0);
}

/// By a lane, tile after tile where no segment ends, by a wave's lanes, by waves of a block, and by
/// blocks.
std::int64_t chain_of_stream(const SegmentsConfig& c, const Problem& problem,
                             const Limits& limits) {
  const std::int64_t wave = limits.wave_size;
  const std::int64_t waves = in_pieces_of(c.block_size, wave);
  const std::int64_t share = share_length(c, problem, limits);
  const std::int64_t tiles = in_pieces_of(in_pieces_of(share, waves), stream_tile(c, limits)) + 1;
  const std::int64_t shares = problem.count / share + 2;
  return 2 * c.loads_per_thread * c.vector_width + tiles + 3 * log2_up(wave) + waves + 8 +
         in_pieces_of(shares, wave) + 2 * log2_up(wave) + 4;
}

std::int64_t longest_chain(const SegmentsConfig& c, const Problem& problem, const Limits& limits) {
  const std::int64_t wave = limits.wave_size;
  const std::int64_t longest = problem.skew == Skew::uniform
                                   ? std::min(problem.count, usual_most(problem) + 1)
                                   : problem.count;
  if (c.way == SegmentWay::bins) return chain_in_bins(c, problem.count, limits);
  if (c.staging == Staging::stream) return chain_of_stream(c, problem, limits);
  const auto among = [&](std::int64_t threads) {
    const std::int64_t waves = in_pieces_of(threads, wave);
    return 2 * log2_up(std::min(threads, wave)) + (waves > 1 ? 16 + waves : 0);
  };
  const bool leaves = c.threads_per_segment < c.block_size;
  const std::int64_t of_group = leaves ? std::min(longest, most_of_group(c)) : longest;
  std::int64_t chain =
      chain_of(of_group, c.threads_per_segment, as_rows(c).loads_per_thread, c.vector_width) +
      among(c.threads_per_segment);
  if (c.staging == Staging::on) {  // element by element
    chain = std::max(chain, std::min(longest, stage_of_segments(c)) / c.threads_per_segment + 2 +
                                among(c.threads_per_segment));
  }
  if (leaves && longest > most_of_group(c)) {
    const std::int64_t of_wave = std::min(longest, most_of_wave(c, limits));
    chain = std::max(
        {chain, chain_of(of_wave, wave, long_loads(c), c.vector_width) + among(wave),
         chain_of(longest, c.block_size, long_loads(c), c.vector_width) + among(c.block_size)});
  }
  if (!is_shared(c.way)) return chain;
  // What shares have of a segment: by a few threads one after the other, or a wave's share each.
  const std::int64_t shares = longest / share_length(c, problem, limits) + 2;
  return chain + 8 + in_pieces_of(shares, wave) + 2 * log2_up(wave) + 4;
}

}  // namespace redtune::kernels
