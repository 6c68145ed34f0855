// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a default is made of was best of 80 random configs for each of 18 lengths and spreads on an
// H100, in f32 and bf16: docs/results/h100_segments.md.
#include "kernel_templates/segments/defaults.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "kernel_templates/family/device_rules.hpp"
#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/segments/rules.hpp"

namespace redtune::kernels {
namespace {

/// Threads and loads of a segment so that it has a load for each of them.
SegmentsConfig in_loads(SegmentsConfig c, std::int64_t mean, int loads, int most_threads) {
  c.loads_per_thread = loads;
  c.threads_per_segment = static_cast<int>(std::clamp<std::int64_t>(
      power_down(std::max<std::int64_t>(mean / (loads * c.vector_width), 1)), 1, most_threads));
  return c;
}

/// Segments of a thread each, brought to shared memory: as many as it has room for, and a quarter
/// more than their mean.
SegmentsConfig in_stages(SegmentsConfig c, std::int64_t mean, int loads) {
  c.staging = Staging::on;
  c.threads_per_segment = 1;
  c.loads_per_thread = loads;
  const std::int64_t of_thread = std::int64_t{4} * loads * c.vector_width / 5;
  c.segments_per_thread = static_cast<int>(
      std::clamp<std::int64_t>(power_down(std::max<std::int64_t>(of_thread / mean, 1)), 1, 4));
  return c;
}

/// Segments that are as long as several tiles of a wave, or longer.
SegmentsConfig for_long(const SegmentsConfig& c, std::int64_t mean, const Limits& limits) {
  SegmentsConfig long_ones = in_loads(c, mean, 4, c.block_size);
  if (long_ones.threads_per_segment == c.block_size) return long_ones;
  const bool fills_half = 2 * long_ones.threads_per_segment >= c.block_size;
  long_ones.threads_per_segment = fills_half ? c.block_size / 2 : limits.wave_size;
  return long_ones;
}

/// Elements of one or two bytes.
SegmentsConfig for_small_elements(SegmentsConfig c, std::int64_t mean, const Limits& limits) {
  if (mean >= 8192) return for_long(c, mean, limits);
  const int half_a_block = std::max(c.block_size / 2, limits.min_block_size);
  if (mean < 6) {
    c.block_size = half_a_block;
    c.blocks_per_unit = 32;
    return in_stages(c, mean, 4);
  }
  if (mean < 32) return in_stages(c, mean, 8);
  c.block_size = half_a_block;
  if (mean < 48) {
    c.segments_per_thread = 2;
    c.blocks_per_unit = 16;
    return in_loads(c, mean, 4, limits.wave_size);
  }
  c.blocks_per_unit = 32;
  if (mean < 3072) c.vector_width = std::max(c.vector_width / 2, 1);
  return in_loads(c, mean, 8, limits.wave_size);
}

/// Few configs for all lengths: a Reducer has the kernels of all.
SegmentsConfig for_like_lengths(SegmentsConfig c, const Problem& problem, std::int64_t mean,
                                const Limits& limits) {
  constexpr std::int64_t bytes_of_thread = 64;
  const auto in_bytes = static_cast<std::int64_t>(size_of(problem.in));
  if (in_bytes <= 2) return for_small_elements(c, mean, limits);
  if (mean >= 2048) return for_long(c, mean, limits);
  c.threads_per_segment = 1;
  if (mean < 6) {
    c.vector_width = 1;
    c.segments_per_thread = 4;
    c.loads_per_thread = 4;
    c.blocks_per_unit = 16;
    return c;
  }
  if (mean < 12) {
    c.loads_per_thread = 2;
    c.blocks_per_unit = 32;
    return c;
  }
  c.block_size = std::max(c.block_size / 2, limits.min_block_size);
  c.loads_per_thread = 8;
  c.threads_per_segment = static_cast<int>(std::clamp<std::int64_t>(
      power_down(std::max<std::int64_t>(mean * in_bytes / bytes_of_thread, 1)), 1,
      limits.wave_size));
  return c;
}

/// Where lengths are spread most segments are shorter than their mean, and a few are most of the
/// elements: threads for the short ones, which leave the others to waves and blocks.
SegmentsConfig for_spread_lengths(SegmentsConfig c, const Problem& problem, std::int64_t mean) {
  c.blocks_per_unit = 8;
  if (problem.skew == Skew::giant) {
    constexpr std::int64_t longest_of_thread = 128;
    if (mean < 32 || mean >= longest_of_thread) c.blocks_per_unit = 4;
    if (mean >= longest_of_thread) {
      c = in_loads(c, mean / 2, 4, c.block_size);
      if (std::bit_width(static_cast<unsigned>(c.threads_per_segment)) % 2 == 0) {
        c.threads_per_segment /= 2;
      }
      return c;
    }
    c.threads_per_segment = 1;
    c.loads_per_thread = mean < 32 ? 2 : 4;
    return c;
  }
  c.loads_per_thread = 8;
  if (mean < 6) {
    c.blocks_per_unit = 4;
    return in_stages(c, mean, 4);
  }
  if (mean < 32) {
    c.vector_width = 1;
    c.threads_per_segment = 1;
    c.blocks_per_unit = 32;
  } else if (mean < 2048) {
    c.vector_width = std::min(2, c.vector_width);
    c.threads_per_segment = mean < 128 ? 2 : 8;
  } else {
    c.threads_per_segment = std::min(64, c.block_size);
  }
  return c;
}

/// What is widened, or multiplied in parts, needs registers for each element that is loaded.
SegmentsConfig with_registers(SegmentsConfig c, const Problem& problem, const Limits& limits) {
  const auto halve = [&](int& number) {
    while (number > 1 && !why_unbuildable(c, problem, limits).empty()) number /= 2;
  };
  halve(c.segments_per_thread);
  halve(c.loads_per_thread);
  halve(c.vector_width);
  return c;
}

SegmentWay way_of_shares(const Limits& limits) {
  return limits.block_order == BlockOrder::by_index ? SegmentWay::slots : SegmentWay::tickets;
}

/// Segments that are too few for each to be one block's.
std::int64_t few_segments(const Limits& limits) {
  return std::int64_t{4} * std::max(1, limits.compute_units);
}

/// What is read once, and does not fit into the cache, need not stay there.
Load load_of(const Problem& problem, const Limits& limits) {
  const bool streams =
      problem.cache_mode == CacheMode::cold && limits.streaming_loads == StreamingLoads::present;
  return streams ? Load::streaming : Load::cached;
}

int widest_of(const Problem& problem, const Limits& limits) {
  return static_cast<int>(std::max<std::int64_t>(widest_segment_vector(problem, limits), 1));
}

/// Blocks share them. On an H200 groups of 64 threads were up to a tenth faster than a block, and
/// of elements of two bytes loads of four than of eight (docs/results/h200_segments.md).
SegmentsConfig for_few_segments(SegmentsConfig c, const Problem& problem) {
  constexpr int threads = 64;
  c.blocks_per_unit = 4;
  c.threads_per_segment = std::min(threads, c.threads_per_segment);
  if (size_of(problem.in) == 2) c.vector_width = std::min(c.vector_width, 4);
  return c;
}

/// A group of threads for each segment, or blocks of one lane.
SegmentsConfig in_groups(const Problem& problem, const Limits& limits) {
  const std::int64_t units = std::max(1, limits.compute_units);
  SegmentsConfig c;
  c.block_size = std::clamp(256, limits.min_block_size, limits.max_block_size);
  c.vector_width = widest_of(problem, limits);
  const bool is_large = steps_of(problem) > 64 * units * c.block_size;
  const bool is_shared =
      is_large && (problem.skew != Skew::uniform || problem.segment_count < few_segments(limits));
  if (limits.wave_size == 1) {  // lanes run one after another
    c.block_size = limits.min_block_size;
    c.threads_per_segment = c.block_size;
    c.loads_per_thread = 4;
    if (is_shared) c.blocks_per_unit = 4;
  } else {
    c.load = load_of(problem, limits);
    const std::int64_t mean = std::max<std::int64_t>(mean_length(problem), 1);
    if (problem.skew == Skew::uniform) {
      c = for_like_lengths(c, problem, mean, limits);
      if (is_shared) c = for_few_segments(c, problem);
    } else {
      c = for_spread_lengths(c, problem, mean);
      if (!is_shared) c.blocks_per_unit = 0;
    }
  }
  c = with_registers(c, problem, limits);
  if (!is_shared) return c;
  SegmentsConfig shared = c;
  shared.way = way_of_shares(limits);
  if (why_unbuildable(shared, problem, limits).empty()) return shared;
  c.blocks_per_unit = 0;
  return c;
}

/// Where lengths are spread and the most are not long, waves of NVIDIA's GPUs stream: it hardly
/// depends on how they are spread (docs/results/h200_segments.md). 16 elements of a thread, or 32
/// of at most two bytes where segments are not short. Accumulators of several members are dear to
/// combine element by element.
bool is_streamed(const Problem& problem, std::int64_t mean, const Limits& limits) {
  const std::int64_t longest = size_of(problem.in) == 2 ? 16384 : 4096;
  return problem.skew != Skew::uniform && mean < longest && limits.wave_size == 32 &&
         !is_amd(limits) && info(problem.op).shape != ResultShape::indexed && !is_joint(problem) &&
         problem.op != Op::custom && size_of(problem.acc) <= 4;
}
SegmentsConfig in_streams(const Problem& problem, std::int64_t mean, const Limits& limits) {
  const bool are_short = mean < 16;
  const int items = size_of(problem.in) <= 2 && !are_short ? 32 : 16;
  SegmentsConfig c;
  c.way = way_of_shares(limits);
  c.staging = Staging::stream;
  c.load = load_of(problem, limits);
  c.vector_width = widest_of(problem, limits);
  c.block_size = std::clamp(128, limits.min_block_size, limits.max_block_size);
  c.threads_per_segment = 1;
  c.segments_per_thread = problem.offset_bits == 64 ? 2 : 4;  // more take registers of other waves
  c.loads_per_thread = std::clamp(items / c.vector_width, 1, 8);
  c.blocks_per_unit = 8;
  return c;
}

}  // namespace

SegmentsConfig in_shares(SegmentsConfig c, const Problem& problem, const Limits& limits) {
  if (is_shared(c.way)) return c;
  c.way = way_of_shares(limits);
  if (c.blocks_per_unit == 0) c.blocks_per_unit = 4;
  return with_registers(c, problem, limits);
}

SegmentsConfig in_bins(const Problem& problem, const Limits& limits) {
  SegmentsConfig c = in_groups(problem, limits);
  c.way = SegmentWay::bins;
  c.staging = Staging::off;
  if (limits.wave_size > 1) {
    c.threads_per_segment = limits.wave_size / 4;
    c.segments_per_thread = 2;
    c.loads_per_thread = 2;
    c.vector_width = widest_of(problem, limits);
  }
  c.threads_per_segment = std::min(c.threads_per_segment, limits.wave_size);
  if (c.blocks_per_unit == 0) c.blocks_per_unit = 4;
  return with_registers(c, problem, limits);
}

SegmentsConfig default_segments(const Problem& problem, const Limits& limits) {
  const SegmentsConfig grouped = in_groups(problem, limits);
  const std::int64_t mean = std::max<std::int64_t>(mean_length(problem), 1);
  if (!is_shared(grouped.way) || !is_streamed(problem, mean, limits)) return grouped;
  const SegmentsConfig streamed = in_streams(problem, mean, limits);
  return why_unbuildable(streamed, problem, limits).empty() ? streamed : grouped;
}

std::vector<Shape> typical_segments(const Limits& limits) {
  constexpr std::int64_t largest = std::int64_t{1} << 30;  // offsets may have 32 bits
  const std::int64_t few = few_segments(limits);
  std::set<std::int64_t> numbers{few - 1, few};
  for (std::int64_t number = 1; number < few; number *= 4) numbers.insert(number);
  std::set<Shape> shapes;
  const auto add = [&](std::int64_t mean) {
    for (const std::int64_t number : numbers) {
      if (mean <= largest / number) shapes.insert(Shape::segments(mean * number, number));
    }
    for (const int log2 : {14, 20, 24, 30}) {
      const std::int64_t number = (std::int64_t{1} << log2) / mean;
      if (number > few) shapes.insert(Shape::segments(mean * number, number));
    }
  };
  // Defaults change most at powers of two.
  for (std::int64_t power = 1; power <= largest; power *= 2) {
    for (const std::int64_t quarters : {0, 1, 2, 3}) add(power + quarters * power / 4);
  }
  return {shapes.begin(), shapes.end()};
}

std::vector<SegmentsConfig> known_segments(const Problem& problem, const Limits& limits) {
  // Block size, threads for a segment, segments and loads on their way: what reads rows as long
  // well, and blocks of one lane for processors.
  using enum Staging;
  constexpr SegmentsConfig shapes[] = {
      {SegmentWay::tiles, off, 1, 1, 1, 8},      {SegmentWay::tiles, off, 1, 1, 1, 2},
      {SegmentWay::tiles, off, 1, 1, 4, 1},      {SegmentWay::tiles, on, 256, 1, 1, 2},
      {SegmentWay::tiles, on, 256, 1, 2, 4},     {SegmentWay::tiles, on, 256, 1, 4, 4},
      {SegmentWay::tiles, on, 256, 1, 1, 4},     {SegmentWay::tiles, on, 256, 2, 2, 4},
      {SegmentWay::tiles, on, 256, 2, 1, 4},     {SegmentWay::tiles, on, 256, 4, 1, 4},
      {SegmentWay::tiles, on, 256, 8, 1, 4},     {SegmentWay::tiles, on, 256, 8, 2, 4},
      {SegmentWay::tiles, on, 256, 32, 2, 4},    {SegmentWay::tiles, off, 256, 1, 4, 1},
      {SegmentWay::tiles, off, 256, 2, 4, 1},    {SegmentWay::tiles, off, 256, 4, 4, 1},
      {SegmentWay::tiles, off, 256, 4, 2, 2},    {SegmentWay::tiles, off, 256, 8, 4, 1},
      {SegmentWay::tiles, off, 256, 8, 2, 2},    {SegmentWay::tiles, off, 256, 16, 2, 2},
      {SegmentWay::tiles, off, 256, 32, 1, 2},   {SegmentWay::tiles, off, 256, 32, 1, 4},
      {SegmentWay::tiles, off, 256, 64, 1, 4},   {SegmentWay::tiles, off, 256, 256, 1, 4},
      {SegmentWay::tiles, off, 512, 512, 1, 4},  {SegmentWay::slots, stream, 128, 1, 4, 4},
      {SegmentWay::slots, stream, 128, 1, 8, 4}, {SegmentWay::slots, stream, 128, 1, 8, 2},
  };
  const bool streams = problem.cache_mode == CacheMode::cold && limits.wave_size != 1 &&
                       limits.streaming_loads == StreamingLoads::present;
  const auto widest =
      static_cast<int>(std::max<std::int64_t>(widest_segment_vector(problem, limits), 1));
  std::vector<SegmentsConfig> known;
  for (SegmentsConfig c : shapes) {
    c.load = streams ? Load::streaming : Load::cached;
    for (const SegmentWay way : {SegmentWay::tiles, SegmentWay::slots, SegmentWay::tickets}) {
      c.way = way;
      c.blocks_per_unit = !is_shared(way) ? 0 : c.staging == Staging::stream ? 8 : 4;
      for (c.vector_width = widest; c.vector_width >= 1; c.vector_width /= 4) {
        const bool is_new = std::ranges::find(known, c) == known.end();
        if (is_new && why_outside_space(c, problem, limits).empty()) known.push_back(c);
      }
    }
  }
  return known;
}

}  // namespace redtune::kernels
