// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_rows': each row of an array to a value. Three kernels: a group of threads
// folds its rows straight from memory; a block brings its rows to shared memory as one stream and
// folds them there; several blocks share a row. A fourth folds the same parts of a row whether
// blocks share it or one has it alone.
#pragma once

#include "device_code/finish_row.hip.h"
#include "device_code/fold_spans.hip.h"
#include "device_code/fold_staged.hip.h"
#include "device_code/group_reduce.hip.h"
#include "device_code/write_one.hip.h"

namespace redtune {

/// Rows in memory.
template <class In>
struct row_array {
  const In* elements;
  i64 rows;
  i64 count;  ///< elements of a row
  i64 pitch;  ///< from row to row

  REDTUNE_DEVICE const In* row(i64 index) const { return elements + index * pitch; }
  REDTUNE_DEVICE array_bounds<In> bounds() const {
    return {elements, rows > 0 ? row(rows - 1) + count : elements};
  }
};

/// What a thread makes of its shares of some elements of each of `spans` rows: those from `first`
/// on, `count` of them. Rows are `apart` from each other; those that are not there have no
/// elements. part: of each 2^30 elements, those that are this group's.
template <class Op, class T, class Shape, class In, class Acc>
REDTUNE_DEVICE void fold_rows(const row_array<In>& array, i64 row, i64 apart, i64 first, i64 count,
                              i32 lane, Acc* values, span_part part = {0, 1}) {
  constexpr int many = Shape::spans;
  const array_bounds<In> bounds = array.bounds();
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) values[i] = Op::template identity<Acc>();
  i64 done = 0;
  do {
    const i64 left = count - done;
    const i32 here = i32(left < most_in_span ? left : most_in_span);
    vector_span<In, Shape::vector_width> spans[many];
    typename span_fold<Op, T>::value of_spans[many];
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) {
      const bool is_there = row + i * apart < array.rows;
      const In* from = is_there ? array.row(row + i * apart) + (first + done) : array.elements;
      spans[i] = vector_span<In, Shape::vector_width>(from, is_there ? here : 0);
    }
    fold_spans<Op, T, Shape>(spans, lane, bounds, of_spans, part);
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) {
      values[i] = Op::template combine<Acc>(values[i], in_row(of_spans[i], first + done));
    }
    done += here;
  } while (done < count);
}

/// Writes the result of a row.
template <class Op, class In, class Acc, class Out>
REDTUNE_DEVICE void write_row(const row_array<In>& array, i64 row, Acc value, Out* out) {
  if constexpr (Op::indexed) {
    if (hides_its_sign<Op>(value)) take_element(value, array.row(row)[value.index]);
  }
  write_one(out + row, Op::template leave<Out>(value, array.count));
}

/// Groups of threads take rows, each several at a time, from memory.
template <class Op, class T, class Shape, int block_size, int wave_size, class In, class Out>
REDTUNE_DEVICE void reduce_rows_in_groups(const row_array<In>& array, Out* out) {
  typedef typename shaped<Op, T>::type Acc;
  constexpr int many = Shape::spans;
  constexpr int groups = block_size / Shape::lanes;
  const i32 lane = i32(u32(thread_index()) % u32(Shape::lanes));
  const i32 group = i32(u32(thread_index()) / u32(Shape::lanes));
  const i64 step = i64(grid_size()) * (groups * many);
  REDTUNE_ROLLED
  for (i64 first = i64(block_index()) * (groups * many); first < array.rows; first += step) {
    const i64 row = first + group;
    Acc values[many];
    fold_rows<Op, T, Shape>(array, row, groups, 0, array.count, lane, values);
    group_reduce<Op, Shape::lanes, block_size, wave_size, many>(values);
    if (lane == 0) {
      REDTUNE_UNROLL
      for (int i = 0; i < many; ++i) {
        if (row + i * groups < array.rows) write_row<Op>(array, row + i * groups, values[i], out);
      }
    }
    if constexpr (Shape::lanes > wave_size) block_barrier();
  }
}

template <class Op, class In, class Acc, class Out, int block_size, int lanes, int rows, int loads,
          int vector_width, class Hint, int wave_size>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_rows(const In* REDTUNE_RESTRICT in, i64 row_count, i64 count, i64 pitch,
            typename shaped<Op, Out>::result* out) {
  typedef span_shape<lanes, rows, loads, vector_width, Hint> shape;
  wait_for_previous();
  reduce_rows_in_groups<Op, Acc, shape, block_size, wave_size>(
      row_array<In>{in, row_count, count, pitch}, out);
}

/// By what lanes fold staged rows; alike: by vectors, where all rows begin and end at the same
/// places in theirs.
enum class staged_by { elements, words, vectors, alike };

/// Whether kernels fold in a way; by elements all do. With vectors smaller than 16 bytes alike,
/// kernels of bytes took up to 13 registers more, in one loop for all ways.
template <class Op, class In, int lanes, int width>
REDTUNE_DEVICE constexpr bool can_fold(staged_by how) {
  constexpr bool are_padded = lanes == 1 && width > 1 && staged_ends<Op, In, width>::are_padded();
  constexpr bool has_words = are_padded && sizeof(In) < sizeof(u32);
  if (how == staged_by::words) return has_words;
  if (how == staged_by::alike) return are_padded && sizeof(vec<In, width>) == 16;
  return width > 1 && !(has_words && sizeof(vec<In, width>) == sizeof(u32));
}

/// Short rows of one lane each have their elements in different banks, and their words as well,
/// unless the pitch is a multiple of a vector: then vectors are free of conflicts. Of elements of
/// one or two bytes words and vectors are fewer instructions; of rows shorter than two words they
/// were not, and one within a word would be counted twice.
template <class Op, class In, int lanes, int width>
REDTUNE_DEVICE staged_by how_to_fold(i64 count, i64 pitch) {
  constexpr bool has_words = can_fold<Op, In, lanes, width>(staged_by::words);
  constexpr bool has_alike = can_fold<Op, In, lanes, width>(staged_by::alike);
  constexpr i64 most_by_elements = 50;
  constexpr i64 fewest_bytes_by_words = 8;
  const i64 apart = pitch * i64(sizeof(In));
  const bool fills_vectors =
      can_fold<Op, In, lanes, width>(staged_by::vectors) && count >= lanes * width;
  const bool by_vectors =
      has_words ? apart % i64(sizeof(vec<In, width>)) == 0
                : lanes > 1 || sizeof(In) == 1 || count > most_by_elements || apart % 32 == 0;
  if (fills_vectors && by_vectors) {
    const bool are_alike = u64(count) % u64(width) == 0 && u64(pitch) % u64(width) == 0;
    return has_alike && are_alike ? staged_by::alike : staged_by::vectors;
  }
  const bool is_two_words_long = count * i64(sizeof(In)) >= fewest_bytes_by_words;
  return has_words && is_two_words_long ? staged_by::words : staged_by::elements;
}

/// Groups of threads fold the rows of a stage and write their results. begin: the element of the
/// stage with which the first row begins; the others are rows.pitch apart.
template <class Op, class Acc, staged_by how, int lanes, int groups, int wave_size, int fold_width,
          class In, int width, class Out>
REDTUNE_DEVICE void reduce_rows_by(const vec<In, width>* stage, i32 begin,
                                   const row_array<In>& rows, Out* out) {
  typedef typename shaped<Op, Acc>::type Value;
  constexpr int in_word = sizeof(In) < sizeof(u32) ? int(sizeof(u32) / sizeof(In)) : 1;
  constexpr bool is_alone = lanes == 1;  // else all lanes of a wave go on together
  const i32 lane = i32(u32(thread_index()) % u32(lanes));
  const i32 group = i32(u32(thread_index()) / u32(lanes));
  const i32 end = i32(rows.rows);
  const i32 count = i32(rows.count);
  // For one way alone. Told here and not before: what is kept while a stage comes costs registers.
  const rows_alike<In, width> alike(begin, count, i32(rows.pitch), group);
  REDTUNE_ROLLED
  for (i32 next = is_alone ? group : 0; next < end; next += groups) {
    const bool is_there = is_alone || next + group < end;
    const i32 row = is_alone ? next : (is_there ? next + group : 0);
    const i32 at = begin + whole_product(row, i32(rows.pitch));
    const i32 length = is_there ? count : 0;
    Value value;
    if constexpr (how == staged_by::words) {
      value =
          fold_staged_words<Op, Acc>(reinterpret_cast<const vec<In, in_word>*>(stage), at, length);
    } else if constexpr (how == staged_by::alike) {
      value = fold_staged_alike<Op, Acc>(stage + u32(at) / u32(width), alike);
    } else if constexpr (how == staged_by::vectors) {
      value = fold_staged_vectors<Op, Acc, lanes>(stage, at, length, lane);
    } else {
      constexpr bool are_few = can_fold<Op, In, lanes, fold_width>(staged_by::words);
      value = fold_staged<Op, Acc, lanes, are_few>(reinterpret_cast<const In*>(stage) + at, length,
                                                   lane);
    }
    value = reduce_part_of_wave<Op, lanes, wave_size>(value);
    if (lane == 0 && is_there) write_row<Op>(rows, row, value, out);
  }
}

/// Likewise in the way that was chosen. Each has a loop of its own: in one for all, what a row
/// costs is what the longest way needs.
template <class Op, class Acc, int lanes, int groups, int wave_size, int fold_width, class In,
          int width, class Out>
REDTUNE_DEVICE void reduce_rows_of_stage(staged_by how, const vec<In, width>* stage, i32 begin,
                                         const row_array<In>& rows, Out* out) {
  if constexpr (can_fold<Op, In, lanes, fold_width>(staged_by::words)) {
    if (how == staged_by::words) {
      reduce_rows_by<Op, Acc, staged_by::words, lanes, groups, wave_size, fold_width>(stage, begin,
                                                                                      rows, out);
    }
  }
  if constexpr (can_fold<Op, In, lanes, fold_width>(staged_by::alike)) {
    if (how == staged_by::alike) {
      reduce_rows_by<Op, Acc, staged_by::alike, lanes, groups, wave_size, fold_width>(stage, begin,
                                                                                      rows, out);
    }
  }
  if constexpr (can_fold<Op, In, lanes, fold_width>(staged_by::vectors)) {
    if (how == staged_by::vectors) {
      reduce_rows_by<Op, Acc, staged_by::vectors, lanes, groups, wave_size, fold_width>(
          stage, begin, rows, out);
    }
  }
  if (how == staged_by::elements) {
    reduce_rows_by<Op, Acc, staged_by::elements, lanes, groups, wave_size, fold_width>(stage, begin,
                                                                                       rows, out);
  }
}

/// Blocks stage rows, tile_rows at a time, and groups of threads fold them from shared memory.
/// tile_rows 0: rows are longer than a stage, and come straight from memory. fold_width 1: elements
/// are dealt to lanes by their index in a row, wherever in a vector the row begins.
template <class Op, class In, class Acc, class Out, int block_size, int lanes, int loads,
          int vector_width, class Hint, int wave_size, int fold_width>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_staged_rows(const In* REDTUNE_RESTRICT in, i64 row_count, i64 count, i64 pitch,
                   typename shaped<Op, Out>::result* out, i64 tile_rows) {
  typedef span_shape<lanes, 1, 1, fold_width, Hint> long_shape;
  constexpr int groups = block_size / lanes;
  REDTUNE_SHARED vec<In, vector_width> stage[block_size * loads + 1];
  wait_for_previous();
  const row_array<In> array{in, row_count, count, pitch};
  if (tile_rows == 0) {
    reduce_rows_in_groups<Op, Acc, long_shape, block_size, wave_size>(array, out);
    return;
  }
  const staged_by how = how_to_fold<Op, In, lanes, fold_width>(count, pitch);
  const i64 step = i64(grid_size()) * tile_rows;
  REDTUNE_ROLLED
  for (i64 first = i64(block_index()) * tile_rows; first < row_count; first += step) {
    const i64 rows = row_count - first < tile_rows ? row_count - first : tile_rows;
    const i32 elements = i32((rows - 1) * pitch + count);
    const i32 skipped = stage_elements<block_size, loads, Hint>(
        vector_span<In, vector_width>(array.row(first), elements), array.bounds(), stage);
    block_barrier();
    reduce_rows_of_stage<Op, Acc, lanes, groups, wave_size, fold_width>(
        how, stage, skipped, row_array<In>{array.row(first), rows, count, pitch}, out + first);
    block_barrier();
  }
}

/// As many elements of a row for each part as are whole lines, so that parts but the first begin
/// where a line does when their row does.
template <class In>
REDTUNE_DEVICE i64 part_length(i64 count, u32 parts) {
  constexpr u64 line = line_bytes / sizeof(In);
  const u64 length = count > 0 ? (u64(count) - 1) / parts + 1 : 0;
  return i64((length + line - 1) / line * line);
}

/// Blocks share rows, each with tiles of its own that stand parts tiles apart, so that together
/// they read a row from its beginning to its end; they end by a finish. The grid is whole rows.
template <class Op, class In, class Acc, class Out, class Finish, int block_size, int loads,
          int vector_width, class Hint, int wave_size>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_parted_rows(const In* REDTUNE_RESTRICT in, i64 row_count, i64 count, i64 pitch,
                   typename shaped<Op, Out>::result* out, typename shaped<Op, Acc>::type* partials,
                   u64* words, i32 parts) {
  typedef span_shape<block_size, 1, loads, vector_width, Hint> shape;
  typedef typename shaped<Op, Acc>::type Value;
  wait_for_previous();
  const row_array<In> array{in, row_count, count, pitch};
  const row_part part{u32(block_index()) % u32(parts), u32(parts)};
  const finish_memory<Value, typename shaped<Op, Out>::result> memory{out, partials, nullptr, count,
                                                                      words};
  REDTUNE_ROLLED
  for (i64 row = u32(block_index()) / u32(parts); row < row_count;
       row += u32(grid_size()) / u32(parts)) {
    Value values[1];
    fold_rows<Op, Acc, shape>(array, row, 0, 0, count, thread_index(), values,
                              {i32(part.index), parts});
    group_reduce<Op, block_size, block_size, wave_size, 1>(values);
    ending<Value> end{values[0], true};
    if (parts > 1) end = Finish::template run<Op, wave_size>(values[0], part, row, memory);
    if (thread_index() == 0 && end.is_last) write_row<Op>(array, row, end.value, out);
    block_barrier();
  }
}

/// Parts of rows, each folded by one block, whichever: `blocks` share a row, as many as it has
/// parts; or one block has all of them, and as much room among the partials. The bits are the
/// same. The grid is whole rows.
template <class Op, class In, class Acc, class Out, int block_size, int loads, class Hint,
          int wave_size>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_rows_in_parts(const In* REDTUNE_RESTRICT in, i64 row_count, i64 count, i64 pitch,
                     typename shaped<Op, Out>::result* out,
                     typename shaped<Op, Acc>::type* partials, u64* words, i32 parts, i32 blocks) {
  typedef span_shape<block_size, 1, loads, 1, Hint> shape;
  typedef typename shaped<Op, Acc>::type Value;
  wait_for_previous();
  const row_array<In> array{in, row_count, count, pitch};
  const finish_memory<Value, typename shaped<Op, Out>::result> memory{out, partials, nullptr, count,
                                                                      words};
  const u32 mine = u32(block_index()) % u32(blocks);
  const u32 first_row = u32(block_index()) / u32(blocks);
  const i64 length = part_length<In>(count, u32(parts));
  REDTUNE_ROLLED
  for (i64 row = first_row; row < row_count; row += u32(grid_size()) / u32(blocks)) {
    Value* const of_block = partials + i64(first_row) * parts;
    Value values[1];
    REDTUNE_ROLLED
    for (u32 part = mine; part < u32(parts); part += u32(blocks)) {
      const i64 first = i64(part) * length;
      const i64 left = first < count ? count - first : 0;
      fold_rows<Op, Acc, shape>(array, row, 0, first, left < length ? left : length, thread_index(),
                                values);
      group_reduce<Op, block_size, block_size, wave_size, 1>(values);
      if (blocks < parts && thread_index() == 0) of_block[part] = values[0];
      block_barrier();
    }
    ending<Value> end{values[0], true};
    if (blocks > 1) {
      end = row_by_tickets<full_fence>::run<Op, wave_size>(values[0], row_part{mine, u32(parts)},
                                                           row, memory);
    } else if (parts > 1 && thread_index() < wave_size) {
      end.value = fold_by_wave<Op, wave_size>(of_block, u32(parts));
    }
    if (thread_index() == 0 && end.is_last) write_row<Op>(array, row, end.value, out);
    block_barrier();
  }
}

}  // namespace redtune
