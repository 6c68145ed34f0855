// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_columns': an axis of an array that is not the innermost one. Threads of a
// block stand beside each other, a vector of neighbouring columns each, and below each other, each
// with lines of its own; they meet in shared memory. Two kernels: a block has its columns alone;
// several blocks share columns, each with a part of the lines. A third folds the same parts whether
// blocks share columns or one has them alone.
#pragma once

#include "device_code/column_tile.hip.h"
#include "device_code/finish_columns.hip.h"

namespace redtune {

/// The lines of a part: a multiple of what threads take at a time, so that those of a thread are
/// aligned alike in every part. The last has no end: where there is one part, a block may have
/// several slices, of which some have a merged line more than the first; where there are several
/// parts, a block has one slice.
template <class In, class Shape>
REDTUNE_DEVICE line_range part_of_lines(const column_tile<In, Shape>& tile,
                                        const column_part& part) {
  const u64 lines = u64(tile.lines_of(tile.begin_of(0)));
  const u64 step = u64(tile.step());
  const u64 length = ((lines + part.parts - 1) / part.parts + step - 1) / step * step;
  const bool is_last = part.index + 1 == part.parts;
  return {i64(part.index * length), is_last ? no_end : i64((part.index + 1) * length)};
}

/// What a block makes of some lines of a tile: the values of its columns, set by set, in `values`.
template <class Op, class T, class Shape, class In, class Value>
REDTUNE_DEVICE void fold_column_tile(const column_tile<In, Shape>& tile, const line_range& range,
                                     Value* values) {
  typedef column_thread<Op, T, In, Shape> Thread;
  const Thread thread(tile);
  typename Thread::Lanes lanes[Shape::vectors];
  const i64 step = tile.step();
  const i64 there = tile.lines_of(thread.begin);
  const i64 end = range.end < there ? range.end : there;
  // Where a period is longer than threads stand below each other, they take its lines in turn.
  REDTUNE_ROLLED
  for (i32 ahead = 0; ahead < step; ahead += tile.tiling.down) {
    if (ahead > 0) block_barrier();
    i64 line = range.first + thread.y + ahead;
    bool adds = ahead > 0;
    do {
      const i64 most = line + most_lines * step;
      thread.fold(line, most < end ? most : end, lanes);
      thread.put(line, lanes, adds, values);
      line = most;
      adds = true;
    } while (line < end);
  }
  block_barrier();
  fold_value_rows<Op, Shape::block_size>(values, tile.rows, tile.row_length, tile.sets,
                                         tile.tiling.down * tile.length);
}

/// Writes the results of a tile's columns.
template <class Op, class T, class Shape, class In, class Value, class Out>
REDTUNE_DEVICE void write_columns(const column_tile<In, Shape>& tile, const Value* values,
                                  Out* out) {
  const column_array<In>& array = tile.array;
  const i32 set_length = tile.tiling.down * tile.length;
  REDTUNE_ROLLED
  for (i32 i = thread_index(); i < tile.sets * tile.row_length; i += Shape::block_size) {
    const i32 set = tile.sets == 1 ? 0 : i32(u32(i) / u32(tile.row_length));
    const i32 element = i - set * tile.row_length;
    const i64 column = tile.column(element, tile.begin_of(set));
    if (column < 0 || column >= array.inner) continue;
    Value value = values[set * set_length + element];
    if constexpr (Op::indexed) {
      const In* const elements = tile.slice(set) + column;
      if (hides_its_sign<Op>(value)) take_element(value, elements[value.index * array.pitch]);
    }
    write_one(out + (tile.first_slice + set) * array.inner + column,
              Op::template leave<Out>(value, array.count));
  }
}

/// Whether threads may write what their lanes have come to: each has its columns alone, and in
/// every line whole vectors of them, as many results as fill vectors of `out`.
template <class Shape, class In, class Out>
REDTUNE_DEVICE bool writes_lanes(const column_array<In>& array, const column_tiling& tiling,
                                 const Out* out) {
  if constexpr (sizeof(Out) == 1) return false;  // hipRTC 5.2 would gather bytes in memory
  typedef vec<In, Shape::vector_width> Vector;
  const u64 places = u64(array.inner) | u64(array.pitch) | u64(array.slice_pitch);
  const bool is_whole = places % u64(Shape::vector_width) == 0 &&
                        reinterpret_cast<u64>(array.elements) % sizeof(Vector) == 0;
  return is_whole && tiling.down == 1 && tiling.merged <= 1 && array.count <= most_lines &&
         reinterpret_cast<u64>(out) % widest_store == 0;
}

/// Likewise, a group of tiles from end to end.
template <class Op, class T, class Shape, class In, class Out>
REDTUNE_DEVICE void reduce_to_lanes(const column_tile<In, Shape>& tile, Out* out) {
  typedef column_thread<Op, T, In, Shape> Thread;
  const Thread thread(tile);
  typename Thread::Lanes lanes[Shape::vectors];
  thread.fold(0, tile.array.count, lanes);
  thread.write(lanes, out);
}

template <class Op, class In, class Acc, class Out, int block_size, int vectors, int loads,
          int vector_width, class Hint>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_columns(const In* REDTUNE_RESTRICT in, i64 slices, i64 count, i64 inner, i64 pitch,
               i64 slice_pitch, typename shaped<Op, Out>::result* out, i64 tiles, i32 across,
               i32 merged, i32 down) {
  typedef column_shape<block_size, vectors, loads, vector_width, Hint> shape;
  typedef column_tile<In, shape> Tile;
  typedef typename shaped<Op, Acc>::type Value;
  REDTUNE_SHARED Value values alignas(16)[block_size * shape::lanes];
  wait_for_previous();
  const column_array<In> array{in, slices, count, inner, pitch, slice_pitch};
  const column_tiling tiling{tiles, across, merged, down};
  const i64 at_a_time = Tile::slices_at_a_time(tiling);
  const i64 groups = i64(u64(slices + at_a_time - 1) / u64(at_a_time)) * tiles;
  const bool by_lanes = writes_lanes<shape>(array, tiling, out);
  REDTUNE_ROLLED
  for (i64 group = block_index(); group < groups; group += grid_size()) {
    const Tile tile(array, tiling, group);
    if (by_lanes) {
      reduce_to_lanes<Op, Acc>(tile, out);
      continue;
    }
    fold_column_tile<Op, Acc>(tile, {0, no_end}, values);
    write_columns<Op, Acc>(tile, values, out);
    block_barrier();
  }
}

/// Each block has a part of the lines of a tile, of one slice. The grid is whole tiles.
template <class Op, class In, class Acc, class Out, class Finish, int block_size, int vectors,
          int loads, int vector_width, class Hint>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_parted_columns(const In* REDTUNE_RESTRICT in, i64 slices, i64 count, i64 inner, i64 pitch,
                      i64 slice_pitch, typename shaped<Op, Out>::result* out, i64 tiles, i32 across,
                      i32 merged, i32 down, typename shaped<Op, Acc>::type* partials, u64* words,
                      i32 parts) {
  typedef column_shape<block_size, vectors, loads, vector_width, Hint> shape;
  typedef column_tile<In, shape> Tile;
  typedef typename shaped<Op, Acc>::type Value;
  REDTUNE_SHARED Value values alignas(16)[block_size * shape::lanes];
  wait_for_previous();
  const column_array<In> array{in, slices, count, inner, pitch, slice_pitch};
  const column_tiling tiling{tiles, across, merged, down};
  const i64 at_a_time = Tile::slices_at_a_time(tiling);
  const i64 groups = i64(u64(slices + at_a_time - 1) / u64(at_a_time)) * tiles;
  column_part part{u32(block_index()) % u32(parts), u32(parts),
                   i64(u32(block_index()) / u32(parts))};
  const finish_memory<Value, typename shaped<Op, Out>::result> memory{out, partials, nullptr, count,
                                                                      words};
  REDTUNE_ROLLED
  for (; part.group < groups; part.group += u32(grid_size()) / u32(parts)) {
    const Tile tile(array, tiling, part.group);
    const line_range range = part_of_lines(tile, part);
    fold_column_tile<Op, Acc>(tile, range, values);
    bool has_all = true;
    if (parts > 1) {
      has_all = Finish::template run<Op, block_size>(values, tile.row_length, part, memory);
    }
    if (has_all) write_columns<Op, Acc>(tile, values, out);
    block_barrier();
  }
}

/// Parts of the lines of a tile, each folded by one block, whichever: `blocks` share a tile, as
/// many as it has parts; or one block has all of them, and room for its sums among the partials.
/// The bits are the same. No lines are merged, and the grid is whole tiles.
template <class Op, class In, class Acc, class Out, int block_size, int vectors, int loads,
          int vector_width, class Hint>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_columns_in_parts(const In* REDTUNE_RESTRICT in, i64 slices, i64 count, i64 inner, i64 pitch,
                        i64 slice_pitch, typename shaped<Op, Out>::result* out, i64 tiles,
                        i32 across, i32 down, typename shaped<Op, Acc>::type* partials, u64* words,
                        i32 parts, i32 blocks) {
  typedef column_shape<block_size, vectors, loads, vector_width, Hint> shape;
  typedef column_tile<In, shape> Tile;
  typedef typename shaped<Op, Acc>::type Value;
  REDTUNE_SHARED Value values alignas(16)[block_size * shape::lanes];
  wait_for_previous();
  const column_array<In> array{in, slices, count, inner, pitch, slice_pitch};
  const column_tiling tiling{tiles, across, 0, down};
  const i64 at_a_time = Tile::slices_at_a_time(tiling);
  const i64 groups = i64(u64(slices + at_a_time - 1) / u64(at_a_time)) * tiles;
  const finish_memory<Value, typename shaped<Op, Out>::result> memory{out, partials, nullptr, count,
                                                                      words};
  const u32 mine = u32(block_index()) % u32(blocks);
  const u32 first_group = u32(block_index()) / u32(blocks);
  REDTUNE_ROLLED
  for (i64 group = first_group; group < groups; group += u32(grid_size()) / u32(blocks)) {
    const Tile tile(array, tiling, group);
    const i32 length = tile.row_length;
    const u32 readers = readers_of_column<block_size>(length, u32(parts));
    Value* const sums = partials + i64(first_group) * readers * length;
    bool has_all = true;
    REDTUNE_ROLLED
    for (u32 index = mine; index < u32(parts); index += u32(blocks)) {
      const column_part part{index, u32(parts), group};
      fold_column_tile<Op, Acc>(tile, part_of_lines(tile, part), values);
      if (blocks > 1) {
        has_all = columns_in_turn::run<Op, block_size>(values, length, part, memory);
      } else if (parts > 1) {
        columns_in_turn::add<Op, block_size>(values, length, index, u32(parts), sums);
      }
    }
    if (blocks < parts) columns_in_turn::end<Op, block_size>(values, length, u32(parts), sums);
    if (has_all) write_columns<Op, Acc>(tile, values, out);
    block_barrier();
  }
}

}  // namespace redtune
