// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/columns/tiling.hpp"

#include <algorithm>

#include "kernel_templates/family/sizes.hpp"

namespace redtune::kernels {
namespace {

std::int64_t rounded_up(std::int64_t a, std::int64_t b) {
  return in_pieces_of(a, b) * b;
}

/// The largest power of two that divides both, of which one is a power of two.
std::int64_t common_alignment(std::int64_t number, std::int64_t power_of_two) {
  const std::int64_t both = number | power_of_two;
  return both & -both;
}

/// Vectors per tile so that tiles are about alike and begin with a line of memory.
std::int64_t vectors_of_tile(std::int64_t vectors, std::int64_t room) {
  constexpr std::int64_t of_line = 8;  // of 16 bytes
  const std::int64_t even = in_pieces_of(vectors, in_pieces_of(vectors, room));
  return std::min(room, rounded_up(even, of_line));
}

/// Lines whose vectors hold whole lines of the array, several or one.
void merge_lines(ColumnTiling& tiling, const ColumnsConfig& c, std::int64_t pitch,
                 std::int64_t count) {
  const std::int64_t room = std::int64_t{c.threads_across} * c.vectors_per_thread;
  const std::int64_t of_period = tiling.period * pitch / c.vector_width;
  tiling.tiles = 1;
  if (of_period <= room) {
    const std::int64_t periods =
        std::clamp<std::int64_t>(count / tiling.period, 1, room / of_period);
    tiling.merged = periods * tiling.period;
    tiling.across = in_pieces_of(periods * of_period, c.vectors_per_thread);
    tiling.values = pitch;
  } else {
    tiling.merged = 1;
    const std::int64_t vectors = vectors_of_tile(of_period, room);
    tiling.across = in_pieces_of(vectors, c.vectors_per_thread);
    tiling.values = tiling.across * c.vectors_per_thread * c.vector_width;
    tiling.tiles = in_pieces_of(pitch, tiling.values);
  }
  tiling.lines = (c.vector_width - 1 + (count - 1) * pitch + pitch) / (tiling.merged * pitch) + 1;
  tiling.period = 1;
}

/// Tiles of columns that are read line by line. A tile is as long as its vectors are, but for what
/// lines begin behind the first element of a vector.
void part_lines(ColumnTiling& tiling, const ColumnsConfig& c, std::int64_t inner,
                std::int64_t count) {
  const std::int64_t width = c.vector_width;
  const std::int64_t alignment = width / tiling.period;
  const std::int64_t behind = width - alignment;
  const std::int64_t of_thread = width * c.vectors_per_thread;
  const std::int64_t room = c.threads_across * of_thread - behind;
  const std::int64_t elements = inner + width - 1;  // a slice may begin anywhere in a vector
  const std::int64_t even = in_pieces_of(elements, in_pieces_of(elements, room));
  tiling.merged = 0;
  tiling.across = std::min<std::int64_t>(c.threads_across, in_pieces_of(even + behind, of_thread));
  tiling.values = tiling.across * of_thread - behind;
  tiling.tiles = in_pieces_of(elements, tiling.values);
  tiling.lines = count;
}

/// Parts of tiles that the workspace has room for.
std::int64_t most_parts(const ColumnTiling& tiling) {
  return std::min(most_column_parts, most_column_values / tiling.values);
}

/// Tiles as wide as threads stand, and threads below each other by the number of lines alone.
ColumnTiling batch_invariant_tiling(const ColumnsConfig& c, const Shape& shape) {
  ColumnTiling tiling;
  tiling.keeps_parts = true;
  tiling.lines = std::max<std::int64_t>(shape.count, 1);
  tiling.across = c.threads_across;
  tiling.values = std::int64_t{c.threads_across} * c.vectors_per_thread * c.vector_width;
  tiling.tiles = in_pieces_of(shape.inner, tiling.values);
  tiling.down = std::min<std::int64_t>(c.block_size / c.threads_across,
                                       power_up(in_pieces_of(tiling.lines, c.loads_per_thread)));
  tiling.slices = c.block_size / (tiling.across * tiling.down);
  return tiling;
}

}  // namespace

ColumnTiling tiling_of(const ColumnsConfig& c, const Shape& shape, Order order) {
  ColumnTiling tiling;
  if (results_of(shape) == 0) return tiling;
  if (order == Order::rows) return batch_invariant_tiling(c, shape);
  const std::int64_t count = std::max<std::int64_t>(shape.count, 1);
  const std::int64_t pitch = step_of(shape);
  const std::int64_t width = c.vector_width;
  tiling.period = width / common_alignment(pitch, width);
  const std::int64_t room = std::int64_t{c.threads_across} * c.vectors_per_thread;
  const bool is_dense = pitch - shape.inner <= shape.inner / 8;
  const bool is_aligned = tiling.period == 1 || tiling.period * pitch <= room * width;
  if (is_dense && is_aligned) {
    merge_lines(tiling, c, pitch, count);
  } else {
    part_lines(tiling, c, shape.inner, count);
  }
  tiling.down = c.block_size / tiling.across;
  // No more of them than have lines: where slices are short, a block folds several.
  const std::int64_t needed = in_pieces_of(tiling.lines, c.loads_per_thread);
  if (shape.outer > 1) tiling.down = std::min(tiling.down, needed);
  tiling.down = tiling.down >= tiling.period ? tiling.down / tiling.period * tiling.period
                                             : power_down(tiling.down);
  tiling.slices = c.block_size / (tiling.across * tiling.down);
  return tiling;
}

std::int64_t column_groups(const Shape& shape, const ColumnTiling& tiling) {
  return in_pieces_of(shape.outer, tiling.slices) * tiling.tiles;
}

std::int64_t parts_of_column(const ColumnsConfig& c, const Shape& shape,
                             const ColumnTiling& tiling) {
  const std::int64_t groups = column_groups(shape, tiling);
  if (c.blocks_per_column == 1 || groups == 0) return 1;
  const std::int64_t step = std::max(tiling.down, tiling.period);
  const std::int64_t useful = tiling.lines / (step * c.loads_per_thread);
  const std::int64_t most = tiling.keeps_parts ? useful : most_parts(tiling) / groups;
  return std::clamp<std::int64_t>(std::min(useful, most), 1, c.blocks_per_column);
}

std::int64_t blocks_of_column(const ColumnsConfig& c, const Shape& shape,
                              const ColumnTiling& tiling) {
  const std::int64_t parts = parts_of_column(c, shape, tiling);
  return column_groups(shape, tiling) > most_parts(tiling) / parts ? 1 : parts;
}

std::int64_t sums_of_block(const ColumnsConfig& c, const ColumnTiling& tiling) {
  return std::max<std::int64_t>(c.block_size, tiling.values);
}

std::int64_t column_blocks(const ColumnsConfig& c, const Shape& shape, const ColumnTiling& tiling,
                           const Limits& limits) {
  const std::int64_t groups = column_groups(shape, tiling);
  if (is_parted(c.way)) {
    const std::int64_t blocks = blocks_of_column(c, shape, tiling);
    const bool has_sums = blocks < parts_of_column(c, shape, tiling);
    const std::int64_t most =
        has_sums ? most_column_values / sums_of_block(c, tiling) : limits.max_grid / blocks;
    return std::clamp<std::int64_t>(groups, 1, std::min(most, limits.max_grid)) * blocks;
  }
  const std::int64_t most =
      c.blocks_per_unit == 0
          ? limits.max_grid
          : std::min(limits.max_grid, std::int64_t{c.blocks_per_unit} * limits.compute_units);
  return std::clamp<std::int64_t>(groups, 1, most);
}

}  // namespace redtune::kernels
