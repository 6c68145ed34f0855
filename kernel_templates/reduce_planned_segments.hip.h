// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_segments' with a plan in memory, which plan_segments.hip.h makes: shares whose
// beginnings nobody looks for, or bins of segments by their lengths, each folded by groups of
// threads that fit.
#pragma once

#include "device_code/binned_segments.hip.h"
#include "device_code/finish_second_pass.hip.h"
#include "reduce_segments.hip.h"

namespace redtune {

/// The share of this block, of so many steps, from where it and the next begin.
REDTUNE_DEVICE segment_share planned_share(const i64* starts, i64 length) {
  const i64 here = starts[block_index()];
  const i64 next = starts[block_index() + 1];
  const i64 step = block_index() * length;
  return {here >> 1,       next >> 1,      step - (here >> 1), step + length - (next >> 1),
          (here & 1) != 0, (next & 1) != 0};
}

/// Blocks take equal shares.
template <class Op, class In, class Acc, class Out, class Offset, class Cuts, class Staging,
          int block_size, int lanes, int segments, int loads, int vector_width, class Hint,
          int wave_size>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_planned_shares(const In* REDTUNE_RESTRICT in, i64 count,
                      const Offset* REDTUNE_RESTRICT begins, const Offset* REDTUNE_RESTRICT ends,
                      i64 segment_count, const i64* starts, typename shaped<Op, Out>::result* out,
                      typename shaped<Op, Acc>::type* partials, u64* words, u32* counter,
                      i64 share_length) {
  typedef segment_block<Staging, block_size, lanes, segments, loads, vector_width, Hint, wave_size>
      block;
  wait_for_previous();
  const segment_array<In, Offset> of{in, count, begins, ends, segment_count};
  reduce_share<Op, Acc, Cuts, block>(of, planned_share(starts, share_length), out,
                                     {partials, words, counter, share_length});
}

/// Some segments of a bin, each by a group of threads: those of the list from one place up to
/// another.
template <class Op, class T, class Shape, int block_size, int wave_size, class In, class Offset,
          class Out>
REDTUNE_DEVICE void reduce_listed(const segment_array<In, Offset>& of, const u32* list, i64 first,
                                  i64 last, Out* out) {
  constexpr int many = Shape::spans;
  constexpr int groups = block_size / Shape::lanes;
  constexpr u32 none = ~0u;
  const i32 lane = i32(u32(thread_index()) % u32(Shape::lanes));
  const i32 group = i32(u32(thread_index()) / u32(Shape::lanes));
  u32 segments[many];
  segment_piece pieces[many];
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) {
    const i64 place = first + group + i * groups;
    segments[i] = place < last ? list[place] : none;
    pieces[i] = {0, 0, 0};
    if (place >= last) continue;
    const i64 begin = of.begin(segments[i]);
    pieces[i] = {begin, of.end(segments[i]) - begin, 0};
  }
  typename shaped<Op, T>::type values[many];
  fold_pieces<Op, T, Shape, true>(of, pieces, lane, values);
  group_reduce<Op, Shape::lanes, block_size, wave_size, many>(values);
  if (lane != 0) return;
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) {
    if (segments[i] != none) write_segment<Op>(of, i64(segments[i]), values[i], out);
  }
}

/// A piece by a block. Thread 0 holds the result.
template <class Op, class T, class Shape, int block_size, int wave_size, class In, class Offset>
REDTUNE_DEVICE typename shaped<Op, T>::type reduce_piece(const segment_array<In, Offset>& of,
                                                         const segment_piece& piece) {
  typename shaped<Op, T>::type value;
  fold_pieces<Op, T, Shape, true>(of, &piece, thread_index(), &value);
  return block_reduce<Op, block_size, wave_size>(value);
}

/// The last of some numbers in order that is not more than one; the first is not.
REDTUNE_DEVICE i64 last_up_to(const i64* numbers, i64 many, i64 one) {
  i64 low = 0;
  i64 high = many;
  REDTUNE_ROLLED
  while (high - low > 1) {
    const i64 middle = low + (high - low) / 2;
    if (numbers[middle] <= one) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// A piece of a segment of several blocks, counted among all pieces; who comes last puts those of
/// the segment together, in their order. counters: one for each such segment, zero before and
/// after.
template <class Op, class T, class Shape, int block_size, int wave_size, class In, class Offset,
          class Acc, class Out>
REDTUNE_DEVICE void reduce_shared_piece(const segment_array<In, Offset>& of, const bin_table* table,
                                        i64 number, Acc* partials, u32* counters, Out* out) {
  REDTUNE_SHARED bool is_last;
  const i64 first_place = table->begins[segment_bins - 1];
  const i64 many = table->begins[segment_bins] - first_place;
  const i64* const first_pieces = first_pieces_of(table, of.segments);
  const i64 which = last_up_to(first_pieces, many, number);
  const i64 first = first_pieces[which];
  const i64 end = which + 1 < many ? first_pieces[which + 1] : table->pieces;
  const i64 segment = i64(list_of(table)[first_place + which]);
  const i64 begin = of.begin(segment);
  const i64 length = of.end(segment) - begin;
  const i64 skipped = (number - first) * table->piece;
  const i64 left = length - skipped;
  const segment_piece piece{begin + skipped, left < table->piece ? left : table->piece, skipped};
  const Acc value = reduce_piece<Op, T, Shape, block_size, wave_size>(of, piece);
  if (thread_index() == 0) {
    partials[number] = value;
    const u32 pieces = u32(end - first);
    is_last = take_ticket<full_fence>(counters + which, pieces) == pieces - 1;
  }
  block_barrier();
  if (!is_last) return;
  const Acc all = fold_partials<Op, block_size, wave_size>(partials + first, i32(end - first));
  if (thread_index() == 0) write_segment<Op>(of, segment, all, out);
}

/// Blocks take what there is to do in turns, the longest first: pieces, segments of a block, and
/// tiles of segments of waves, of parts of waves and of threads.
template <class Op, class In, class Acc, class Out, class Offset, int block_size, int lanes,
          int segments, int loads, int vector_width, class Hint, int wave_size>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_segment_bins(const In* REDTUNE_RESTRICT in, i64 count, const Offset* REDTUNE_RESTRICT begins,
                    const Offset* REDTUNE_RESTRICT ends, i64 segment_count, const bin_table* table,
                    typename shaped<Op, Out>::result* out, typename shaped<Op, Acc>::type* partials,
                    u32* counters) {
  typedef segment_block<direct, block_size, lanes, segments, loads, vector_width, Hint, wave_size>
      block;
  typedef span_shape<1, segments, loads, vector_width, Hint> of_thread;
  typedef typename block::of_group of_part;
  typedef typename block::of_wave of_wave;
  typedef typename block::of_block of_block;
  constexpr i64 tile_of_waves = block_size / wave_size;
  constexpr i64 tile_of_parts = i64(block_size / lanes) * segments;
  constexpr i64 tile_of_threads = i64(block_size) * segments;
  wait_for_previous();
  const segment_array<In, Offset> of{in, count, begins, ends, segment_count};
  const u32* const list = list_of(table);
  const i64* const first_of = table->begins;
  const i64 ends_pieces = table->pieces;
  const i64 ends_blocks = ends_pieces + (first_of[4] - first_of[3]);
  const i64 ends_waves =
      ends_blocks + (first_of[3] - first_of[2] + tile_of_waves - 1) / tile_of_waves;
  const i64 ends_parts =
      ends_waves + (first_of[2] - first_of[1] + tile_of_parts - 1) / tile_of_parts;
  const i64 all = ends_parts + (first_of[1] - first_of[0] + tile_of_threads - 1) / tile_of_threads;
  REDTUNE_ROLLED
  for (i64 turn = block_index(); turn < all; turn += grid_size()) {
    if (turn < ends_pieces) {
      reduce_shared_piece<Op, Acc, of_block, block_size, wave_size>(of, table, turn, partials,
                                                                    counters, out);
    } else if (turn < ends_blocks) {
      const i64 segment = i64(list[first_of[3] + turn - ends_pieces]);
      const i64 begin = of.begin(segment);
      const auto value = reduce_piece<Op, Acc, of_block, block_size, wave_size>(
          of, {begin, of.end(segment) - begin, 0});
      if (thread_index() == 0) write_segment<Op>(of, segment, value, out);
    } else if (turn < ends_waves) {
      reduce_listed<Op, Acc, of_wave, block_size, wave_size>(
          of, list, first_of[2] + (turn - ends_blocks) * tile_of_waves, first_of[3], out);
    } else if (turn < ends_parts) {
      reduce_listed<Op, Acc, of_part, block_size, wave_size>(
          of, list, first_of[1] + (turn - ends_waves) * tile_of_parts, first_of[2], out);
    } else {
      reduce_listed<Op, Acc, of_thread, block_size, wave_size>(
          of, list, first_of[0] + (turn - ends_parts) * tile_of_threads, first_of[1], out);
    }
    if (turn < ends_blocks) block_barrier();  // the waves' values share a place
  }
}

}  // namespace redtune
