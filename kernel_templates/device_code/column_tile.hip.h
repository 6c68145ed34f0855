// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Columns as blocks and threads see them: a tile of columns and the lines of a thread of it, which
// it folds, puts to where the block's values meet, or writes.
#pragma once

#include "fold_columns.hip.h"
#include "write_one.hip.h"

namespace redtune {

/// Slices of lines in memory; each column of a slice has a result.
template <class In>
struct column_array {
  const In* elements;
  i64 slices;
  i64 count;        ///< lines of a slice
  i64 inner;        ///< columns of a slice
  i64 pitch;        ///< from line to line
  i64 slice_pitch;  ///< from slice to slice
};

/// How the columns of a slice are dealt to blocks, and a block's to its threads.
///
/// merged 0: a tile of columns is read line by line. Where vectors are aligned differently from
/// line to line, that repeats with a period of lines, and each thread takes lines that have the
/// same place in it.
/// merged 1 and more: so many lines are read as one, a number of whole vectors. A lane has the same
/// column in all of these, wherever the slice begins: elements before the first column of the
/// first line are the last columns of a line ahead of it, which is not there.
struct column_tiling {
  i64 tiles;   ///< of a slice
  i32 across;  ///< threads beside each other
  i32 merged;
  i32 down;  ///< threads below each other
};

/// Lines that a thread folds at a time, so that it can count them in 32 bits.
constexpr i64 most_lines = i64(1) << 30;

/// What a block folds at a time: a tile of columns, of one slice or of several that follow.
template <class In, class Shape>
struct column_tile {
  static constexpr int width = Shape::vector_width;
  static constexpr int width_log2 = log2_of<width>::value;

  const column_array<In>& array;
  const column_tiling& tiling;
  i64 first_slice;
  i64 first;       ///< element of a line that the tile begins with, counted from a vector's first
  i64 line_pitch;  ///< elements, of merged lines
  i32 sets;        ///< slices
  i32 period;      ///< lines after which vectors are aligned alike
  i32 length;      ///< elements of a line that are folded
  i32 row_length;  ///< and those of each of the merged ones
  i32 rows;        ///< of a set, which become one

  REDTUNE_DEVICE column_tile(const column_array<In>& in, const column_tiling& how, i64 group)
      : array(in), tiling(how) {
    const bool is_one = how.tiles == 1;
    const i64 slices = is_one ? group : i64(u64(group) / u64(how.tiles));
    const i64 tile = group - slices * how.tiles;
    const i32 merged = how.merged > 0 ? how.merged : 1;
    line_pitch = in.pitch * merged;
    const u32 alignment = (u32(line_pitch) | u32(width)) & (0u - (u32(line_pitch) | u32(width)));
    period = i32(u32(width) / alignment);
    const i32 room = how.across * Shape::lanes;
    length = how.merged > 0 && is_one ? i32(line_pitch) : room - (width - i32(alignment));
    row_length = how.merged > 1 ? i32(in.pitch) : length;
    rows = how.down * merged;
    first = tile * length;
    sets = i32(u32(Shape::block_size) / u32(how.across * how.down));
    first_slice = slices * sets;
    const i64 left = in.slices - first_slice;
    sets = left < sets ? i32(left) : sets;
  }
  /// From a line of a thread to its next.
  REDTUNE_DEVICE i32 step() const { return period > tiling.down ? period : tiling.down; }
  static REDTUNE_DEVICE i64 slices_at_a_time(const column_tiling& how) {
    return i64(u32(Shape::block_size) / u32(how.across * how.down));
  }

  REDTUNE_DEVICE const In* slice(i32 set) const {
    return array.elements + (first_slice + set) * array.slice_pitch;
  }
  /// Elements between the vector that a slice begins in and its beginning.
  REDTUNE_DEVICE i32 begin_of(i32 set) const {
    return i32(u32(reinterpret_cast<u64>(slice(set)) / sizeof(In)) % u32(width));
  }
  /// Lines, or merged ones, of a slice that begins so.
  REDTUNE_DEVICE i64 lines_of(i32 begin) const {
    if (array.count == 0) return 0;
    if (tiling.merged == 0) return array.count;
    if (tiling.merged == 1) return array.count + (begin + array.inner > array.pitch ? 1 : 0);
    return i64(u64(begin + (array.count - 1) * array.pitch + array.inner - 1) / u64(line_pitch)) +
           1;
  }
  /// Where lines are merged into one tile, elements are told from the first column on.
  REDTUNE_DEVICE bool wraps() const { return tiling.merged > 0 && tiling.tiles == 1; }
  /// The column of a result; negative, or too large, for none.
  REDTUNE_DEVICE i64 column(i32 element, i32 begin) const {
    if (wraps()) return element;
    const i64 in_line = first + element;
    const i64 column = in_line - begin;
    if (tiling.merged == 0) return column;
    return in_line >= line_pitch ? -1 : column < 0 ? column + line_pitch : column;
  }
};

constexpr i64 no_end = i64(~u64(0) >> 1);

/// A part of the lines of a slice; the end may be behind theirs.
struct line_range {
  i64 first;
  i64 end;
};

/// A thread of a tile, and the lines that it takes.
template <class Op, class T, class In, class Shape>
struct column_thread {
  typedef column_lanes<Op, In, T, Shape::vector_width> Lanes;
  typedef typename shaped<Op, T>::type Value;
  static constexpr int width = Shape::vector_width;
  static constexpr int width_log2 = log2_of<width>::value;

  const column_tile<In, Shape>& tile;
  i32 x;
  i32 y;
  i32 set;
  i32 begin;  ///< of its slice

  REDTUNE_DEVICE explicit column_thread(const column_tile<In, Shape>& of) : tile(of) {
    const u32 line = u32(thread_index()) / u32(of.tiling.across);
    x = thread_index() - i32(line) * of.tiling.across;
    set = i32(line / u32(of.tiling.down));
    y = i32(line) - set * of.tiling.down;
    begin = is_there() ? of.begin_of(set) : 0;
  }
  REDTUNE_DEVICE bool is_there() const { return set < tile.sets; }
  /// How far the tile's first element in a line is behind that of a vector.
  REDTUNE_DEVICE i32 shift_of(i64 line) const {
    return i32(u32(tile.first + line * tile.line_pitch) % u32(width));
  }
  /// Vectors of a tile's line in which there are columns.
  REDTUNE_DEVICE i32 vectors_of(i32 shift) const {
    const i64 there =
        (tile.tiling.merged == 0 ? begin + tile.array.inner : tile.line_pitch) - tile.first;
    const i32 elements = there < tile.length ? i32(there) : tile.length;
    return elements > 0 ? (shift + elements + width - 1) >> width_log2 : 0;
  }

  /// Folds lines of a range, from one on and step() from each other.
  REDTUNE_DEVICE void fold(i64 line, i64 line_end, Lanes* lanes) const {
    REDTUNE_UNROLL
    for (int n = 0; n < Shape::vectors; ++n) lanes[n].begin();
    const i32 vectors = vectors_of(shift_of(line)) - x;
    if (!is_there() || line >= line_end || vectors <= 0) return;
    column_lines<In, width> mine;
    const In* const slice = tile.slice(set);
    mine.slice = reinterpret_cast<const vec<In, width>*>(slice - begin);
    mine.begin = begin;
    mine.end = begin + (tile.array.count - 1) * tile.array.pitch + tile.array.inner;
    mine.at = ((tile.first + line * tile.line_pitch) >> width_log2) + x;
    mine.stop = mine.at + (((line_end - line) * tile.line_pitch + (width - 1)) >> width_log2);
    mine.stride = (tile.step() * tile.line_pitch) >> width_log2;
    mine.apart = tile.tiling.across;
    mine.vectors = 1;
    REDTUNE_UNROLL
    for (int n = 1; n < Shape::vectors; ++n) {
      if (n * tile.tiling.across < vectors) mine.vectors = n + 1;
    }
    fold_lines<Op, Shape>(mine, lanes);
  }

  /// Puts lanes to their places among the values of the block, or adds them to what is there.
  REDTUNE_DEVICE void put(i64 line, const Lanes* lanes, bool adds, Value* values) const {
    const i32 shift = tile.wraps() ? begin : tile.tiling.merged == 0 ? shift_of(line) : 0;
    Value* const row = values + (set * tile.tiling.down + y) * tile.length;
    const i32 vectors = vectors_of(shift_of(line)) - x;
    if (!is_there()) return;
    REDTUNE_UNROLL
    for (int n = 0; n < Shape::vectors; ++n) {
      if (n * tile.tiling.across >= vectors) continue;
      const i32 element = (x + n * tile.tiling.across) * width - shift;
      put_lanes<0>(lanes[n], line, element, adds, row);
    }
  }

  /// Writes what lanes have come to, of tiles whose lines are whole vectors of the slice.
  template <class Out>
  REDTUNE_DEVICE void write(const Lanes* lanes, Out* out) const {
    if (!is_there()) return;
    constexpr bool is_number = !Op::indexed && !Op::joint;
    constexpr int of_store = is_number ? widest_store / int(sizeof(Out)) : 1;
    constexpr int together = width < of_store ? width : of_store;
    const i32 vectors = vectors_of(0) - x;
    REDTUNE_UNROLL
    for (int n = 0; n < Shape::vectors; ++n) {
      if (n * tile.tiling.across >= vectors) continue;
      const i64 column = tile.first + (x + n * tile.tiling.across) * width;
      if (column >= tile.array.inner) continue;
      Out results[width];
      leave_lanes<0>(lanes[n], column, results);
      Out* const to = out + (tile.first_slice + set) * tile.array.inner + column;
      REDTUNE_UNROLL
      for (int lane = 0; lane < width; lane += together) {
        write_some<together>(to + lane, results + lane);
      }
    }
  }

 private:
  template <int lane>
  REDTUNE_DEVICE void put_lanes(const Lanes& lanes, i64 line, i32 first, bool adds,
                                Value* row) const {
    i32 element = first + lane;
    const bool is_ahead = element < 0 && tile.wraps();  // in a line ahead
    if (is_ahead) element += tile.length;
    if (0 <= element && element < tile.length) {
      const Value value = value_of_lane<lane>(lanes, line, element, is_ahead);
      row[element] = adds ? Op::template combine<Value>(row[element], value) : value;
    }
    if constexpr (lane + 1 < width) put_lanes<lane + 1>(lanes, line, first, adds, row);
  }
  template <int lane, class Out>
  REDTUNE_DEVICE void leave_lanes(const Lanes& lanes, i64 column, Out* results) const {
    Value value = value_of_lane<lane>(lanes, 0, 0, false);
    if constexpr (Op::indexed) {
      const In* const elements = tile.slice(set) + (column + lane);
      if (hides_its_sign<Op>(value)) take_element(value, elements[value.index * tile.array.pitch]);
    }
    results[lane] = Op::template leave<Out>(value, tile.array.count);
    if constexpr (lane + 1 < width) leave_lanes<lane + 1>(lanes, column, results);
  }
  /// Where there is an index, with that of the element among those of its column.
  template <int lane>
  REDTUNE_DEVICE Value value_of_lane(const Lanes& lanes, i64 line, i32 element,
                                     bool is_ahead) const {
    if constexpr (Op::indexed) {
      if (lanes.lines[lane] == Lanes::none) return {lanes.best[lane], -1};
      const i64 at = line + i64(lanes.lines[lane]) * tile.step();
      if (tile.tiling.merged == 0) return {lanes.best[lane], at};
      const bool is_line_ahead = tile.wraps() ? is_ahead : tile.first + element < begin;
      const i32 row = tile.tiling.merged > 1 ? i32(u32(element) / u32(tile.row_length)) : 0;
      return {lanes.best[lane], (at - (is_line_ahead ? 1 : 0)) * tile.tiling.merged + row};
    } else {
      return lanes.all.v[lane];
    }
  }
};

}  // namespace redtune
