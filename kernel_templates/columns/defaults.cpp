// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a default is made of was best of 150 random configs for each of 25 shapes on an H100, in
// f32 and bf16: docs/results/h100_rows.md.
#include "kernel_templates/columns/defaults.hpp"

#include <algorithm>

#include "kernel_templates/columns/rules.hpp"
#include "kernel_templates/columns/tiling.hpp"
#include "kernel_templates/family/sizes.hpp"

namespace redtune::kernels {
namespace {

bool gives_index(const Problem& problem) {
  return info(problem.op).shape == ResultShape::indexed;
}

/// What is read once, and does not fit into the cache, need not stay there.
Load load_of(const Problem& problem, const Limits& limits) {
  const bool streams =
      problem.cache_mode == CacheMode::cold && limits.streaming_loads == StreamingLoads::present;
  return streams ? Load::streaming : Load::cached;
}

/// Fewer columns of a thread where a block has no shared memory for all of them; then fewer loads,
/// and narrower ones, than threads have no registers for.
ColumnsConfig buildable(ColumnsConfig c, const Problem& problem, const Limits& limits) {
  while (shared_bytes_of_columns(c, problem) > most_column_bytes) {
    int& number = c.vectors_per_thread > 1 ? c.vectors_per_thread : c.vector_width;
    if (number == 1) break;
    number /= 2;
  }
  while (c.loads_per_thread > 1 && !why_unbuildable(c, problem, limits).empty()) {
    c.loads_per_thread /= 2;
  }
  while (c.vectors_per_thread > 1 && !why_unbuildable(c, problem, limits).empty()) {
    c.vectors_per_thread /= 2;
  }
  while (c.vector_width > 1 && !why_unbuildable(c, problem, limits).empty()) c.vector_width /= 2;
  return c;
}

/// Of Order::rows: a function of the number of lines alone. Parts are added up one after another,
/// so there are few of them.
ColumnsConfig default_batch_invariant(const Problem& problem, ColumnsConfig c,
                                      const Limits& limits) {
  constexpr std::int64_t tiles_of_part = 4;
  constexpr std::int64_t most_parts = 64;
  c.vector_width = 1;
  const bool is_host = limits.wave_size == 1;
  c.threads_across = std::min(is_host ? c.block_size : 32, c.block_size);
  if (!is_host) c.loads_per_thread = 8;
  c = buildable(c, problem, limits);
  const std::int64_t of_part =
      tiles_of_part * c.loads_per_thread * (c.block_size / c.threads_across);
  if (is_host || problem.count < 2 * of_part) return c;
  c.way = ColumnWay::tickets;
  c.blocks_per_column =
      static_cast<int>(power_down(std::min<std::int64_t>(problem.count / of_part, most_parts)));
  return c;
}

/// Of a processor: blocks of one lane, which read whole lines of its cache.
ColumnsConfig default_on_host(const Problem& problem, ColumnsConfig c, const Limits& limits) {
  c.vectors_per_thread = 8;
  c.loads_per_thread = 1;
  if (is_batch_invariant(problem)) return default_batch_invariant(problem, c, limits);
  c.threads_across = c.block_size;
  c = buildable(c, problem, limits);
  return c;
}

/// Whether vectors are aligned differently from line to line.
bool are_cut(const ColumnsConfig& c, const Problem& problem) {
  return step_of(problem) % c.vector_width != 0;
}

/// As few columns as a block reads as whole lines, so that all of its threads have work.
bool are_few(const ColumnsConfig& c, const Problem& problem) {
  const std::int64_t vectors = in_pieces_of(problem.inner, c.vector_width);
  if (vectors <= 16) return true;
  if (gives_index(problem)) return false;
  return vectors <= 32 && (vectors % 8 != 0 || are_cut(c, problem));
}

/// Threads across that give blocks to all units, but no fewer than read lines of memory, nor so few
/// that lines do not suffice for those below each other.
int width_of_tile(const ColumnsConfig& c, const Problem& problem, std::int64_t blocks) {
  const std::int64_t vectors = in_pieces_of(problem.inner, c.vector_width);
  const std::int64_t fewest =
      size_of(problem.in) <= 2 || vectors <= 16 || gives_index(problem) ? 8 : 16;
  const std::int64_t for_units =
      power_down(std::max<std::int64_t>(1, problem.outer * vectors / blocks));
  const std::int64_t for_lines = std::int64_t{c.block_size} * c.loads_per_thread /
                                 power_down(std::clamp<std::int64_t>(problem.count, 1, 1 << 20));
  // Where vectors are aligned differently from line to line, a thread below for each way.
  const std::int64_t period = tiling_of(c, problem, problem.order).period;
  const std::int64_t for_cut =
      std::min<std::int64_t>(64, c.block_size / std::max<std::int64_t>(period, 1));
  const std::int64_t least = are_cut(c, problem) ? std::max(for_cut, fewest) : fewest;
  return static_cast<int>(std::clamp<std::int64_t>(
      std::max(for_units, for_lines), std::min<std::int64_t>(least, c.block_size), c.block_size));
}

/// Blocks that share columns, as many as the device has room for two of each unit's.
ColumnsConfig shared_by_blocks(ColumnsConfig c, const Problem& problem, const Limits& limits,
                               std::int64_t blocks) {
  const ColumnTiling tiling = tiling_of(c, problem, problem.order);
  const std::int64_t groups = std::max<std::int64_t>(column_groups(problem, tiling), 1);
  if (groups > blocks / 2) return c;
  const bool by_slots = limits.block_order == BlockOrder::by_index && can_use_slots(problem);
  c.way = by_slots ? ColumnWay::slots : ColumnWay::tickets;
  c.blocks_per_column = static_cast<int>(
      std::clamp<std::int64_t>(power_down(blocks / groups), 2, most_blocks_per_column));
  c.blocks_per_column = static_cast<int>(power_down(parts_of_column(c, problem, tiling)));
  if (c.blocks_per_column > 1) return c;
  c.way = ColumnWay::tiles;
  return c;
}

/// Where columns are more than few, and nobody looks for an index: small blocks with many loads on
/// their way where vectors are cut, or elements have 2 bytes.
ColumnsConfig for_many(const ColumnsConfig& c, const Problem& problem, const Limits& limits) {
  constexpr std::int64_t widest_of_small_blocks = 2048;
  const std::size_t in_bytes = size_of(problem.in);
  ColumnsConfig many = c;
  const auto set = [&](int block_size, int threads_across, int vectors, int loads) {
    many.block_size = std::clamp(block_size, limits.min_block_size, limits.max_block_size);
    many.threads_across = std::min(threads_across, many.block_size);
    many.vectors_per_thread = vectors;
    many.loads_per_thread = loads;
  };
  if (are_cut(c, problem)) {
    if (in_bytes == 1) many.vector_width = std::min(8, c.vector_width);
    if (problem.inner < widest_of_small_blocks) {
      set(128, 8, 1, 16);
    } else if (in_bytes == 1) {
      set(c.block_size, 32, 1, 8);
    }
  } else if (in_bytes == 2 && c.threads_across == 8) {
    set(128, 8, 1, 16);
  }
  many = buildable(many, problem, limits);
  return why_unbuildable(many, problem, limits).empty() ? many : c;
}

}  // namespace

ColumnsConfig default_columns(const Problem& problem, const Limits& limits) {
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  ColumnsConfig c;
  c.block_size = std::clamp(256, limits.min_block_size, limits.max_block_size);
  c.vector_width = std::clamp(std::min(16, limits.max_vector_bytes) / in_bytes, 1, 16);
  const std::int64_t units = std::max(1, limits.compute_units);
  if (limits.wave_size == 1) {
    c.block_size = limits.min_block_size;
    c = default_on_host(problem, c, limits);
    if (is_batch_invariant(problem)) return c;
    const std::int64_t groups = column_groups(problem, tiling_of(c, problem, problem.order));
    if (groups < units) return shared_by_blocks(c, problem, limits, 4 * units);
    c.blocks_per_unit = groups > 4 * units ? 4 : 0;
    return c;
  }
  c.load = load_of(problem, limits);
  if (is_batch_invariant(problem)) return default_batch_invariant(problem, c, limits);

  const std::int64_t blocks = power_down(2 * units);
  const std::int64_t vectors = in_pieces_of(problem.inner, c.vector_width);
  constexpr int threads_of_wide = 128;
  if (vectors >= 32 && problem.outer * vectors >= blocks * threads_of_wide) {
    // So many columns that each thread has its own, and writes what they come to.
    c.block_size = std::clamp(threads_of_wide, limits.min_block_size, limits.max_block_size);
    c.threads_across = static_cast<int>(std::min<std::int64_t>(c.block_size, power_up(vectors)));
    c.loads_per_thread = static_cast<int>(
        std::clamp<std::int64_t>(power_up(problem.count), 1, gives_index(problem) ? 4 : 8));
    return buildable(c, problem, limits);
  }
  c.loads_per_thread = are_few(c, problem) && in_bytes <= 2 ? 16 : 8;
  if (gives_index(problem)) {
    // What is compared waits for what was compared before: two vectors wait side by side.
    c.vectors_per_thread = 2;
    c.loads_per_thread = 2;
  }
  c = buildable(c, problem, limits);
  if (are_few(c, problem)) {
    c.threads_across = c.block_size;
    // Small elements keep a block busy for longer.
    return shared_by_blocks(c, problem, limits, in_bytes <= 2 ? blocks / 2 : blocks);
  }
  c.threads_across = width_of_tile(c, problem, blocks);
  if (!gives_index(problem)) c = for_many(c, problem, limits);
  return shared_by_blocks(c, problem, limits, blocks);
}

std::vector<ColumnsConfig> known_columns(const Problem& problem, const Limits& limits) {
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  const int widest = std::clamp(limits.max_vector_bytes / in_bytes, 1, 16);
  // Block size, threads across, vectors and loads: what was best of random ones on an H100, then
  // what experiments with plain kernels found on an H200, and blocks of one lane for processors.
  constexpr ColumnsConfig shapes[] = {
      {ColumnWay::tiles, 128, 128, 2, 8},  {ColumnWay::tiles, 64, 64, 2, 4},
      {ColumnWay::tiles, 64, 64, 1, 16},   {ColumnWay::tiles, 256, 32, 1, 16},
      {ColumnWay::slots, 128, 8, 1, 16},   {ColumnWay::slots, 128, 32, 1, 16},
      {ColumnWay::slots, 256, 8, 2, 2},    {ColumnWay::slots, 256, 256, 1, 16},
      {ColumnWay::slots, 64, 4, 1, 8},     {ColumnWay::slots, 512, 4, 2, 2},
      {ColumnWay::tiles, 1, 1, 4, 1},      {ColumnWay::tiles, 1, 1, 8, 1},
      {ColumnWay::slots, 1, 1, 8, 1},      {ColumnWay::tiles, 256, 256, 1, 4},
      {ColumnWay::tiles, 256, 32, 1, 4},   {ColumnWay::tiles, 256, 32, 1, 8},
      {ColumnWay::tiles, 256, 64, 1, 4},   {ColumnWay::tiles, 512, 32, 1, 4},
      {ColumnWay::tiles, 512, 512, 1, 4},  {ColumnWay::slots, 256, 16, 1, 4},
      {ColumnWay::slots, 256, 32, 1, 4},   {ColumnWay::slots, 256, 64, 1, 4},
      {ColumnWay::slots, 256, 256, 1, 4},  {ColumnWay::slots, 256, 256, 1, 8},
      {ColumnWay::slots, 512, 32, 1, 4},   {ColumnWay::slots, 512, 512, 1, 4},
      {ColumnWay::tickets, 256, 32, 1, 4}, {ColumnWay::tickets, 256, 256, 1, 4},
  };
  const Load load = limits.wave_size == 1 ? Load::cached : load_of(problem, limits);
  std::vector<ColumnsConfig> known;
  for (ColumnsConfig c : shapes) {
    c.vector_width = is_batch_invariant(problem) ? 1 : widest;
    c.load = load;
    for (const int blocks_per_column : {1, 2, 4, 8, 16, 64, 128, 256}) {
      if (is_parted(c.way) != (blocks_per_column > 1)) continue;
      c.blocks_per_column = blocks_per_column;
      for (const int blocks_per_unit : {0, 4}) {
        c.blocks_per_unit = blocks_per_unit;
        if (why_outside_space(c, problem, limits).empty()) known.push_back(c);
      }
    }
  }
  return known;
}

}  // namespace redtune::kernels
