// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_segments': each segment of an array to a value. Groups of threads fold
// segments, and leave those that are long for them to waves and to the block; or a block brings a
// tile of segments to shared memory as one stream, where it has room for them, and groups fold them
// there. Blocks take tiles of neighbouring segments, or equal shares of all elements and segments:
// then what they have of segments that are cut is put together in order.
#pragma once

#include "device_code/cut_segments.hip.h"
#include "device_code/fold_spans.hip.h"
#include "device_code/fold_staged.hip.h"
#include "device_code/group_reduce.hip.h"
#include "device_code/stream_segments.hip.h"

namespace redtune {

/// How many tiles' worth of elements a group, or a wave, folds alone before others help.
constexpr int tiles_alone = 4;

/// Whether tiles of segments are brought to shared memory, or folded straight from memory; or all
/// elements come to it, wherever segments begin and end.
struct staged {};
struct direct {};
struct streamed {};

/// How the threads of a block stand for segments, by their lengths. many: segments that a group has
/// at a time; loads: for each of them, or where a tile is staged, of a thread for all of it.
template <class Staging, int block_threads, int threads, int many_of_group, int loads_of_thread,
          int width, class LoadHint, int wave>
struct segment_block {
  typedef LoadHint Hint;
  static constexpr bool is_staged = is_same<Staging, staged>::value;
  static constexpr bool is_streamed = is_same<Staging, streamed>::value;
  /// Steps that the end of a segment is: of a stream it costs about as much as so many elements.
  static constexpr i64 weight = is_streamed ? 3 : 1;
  static constexpr int block_size = block_threads;
  static constexpr int wave_size = wave;
  static constexpr int lanes = threads;
  static constexpr int many = many_of_group;
  static constexpr int loads = loads_of_thread;
  static constexpr int vector_width = width;
  static constexpr int groups = block_size / lanes;
  static constexpr int tile = groups * many;  ///< segments that a block folds at a time
  /// Elements of a tile that may be staged.
  static constexpr i32 room = block_size * loads * width;
  /// Whether groups leave long segments to others, and whether waves are such others.
  static constexpr bool leaves = lanes < block_size;
  static constexpr bool has_waves = lanes < wave_size && wave_size < block_size;

  /// Loads on their way of a long segment: where tiles are staged, few are folded otherwise, and
  /// registers are for more blocks.
  static constexpr int most_loads = is_staged ? 2 : 8;
  static constexpr int own_loads = is_staged ? loads : many * loads;
  static constexpr int long_loads = own_loads < most_loads ? own_loads : most_loads;
  typedef span_shape<lanes, is_staged ? 1 : many, is_staged ? 1 : loads, width, Hint> of_group;
  typedef span_shape<wave_size, 1, long_loads, width, Hint> of_wave;
  typedef span_shape<block_size, 1, long_loads, width, Hint> of_block;

  /// Elements of segments that are not left.
  static constexpr i64 most_of_group = i64(tiles_alone) * of_group::tile * width;
  static constexpr i64 most_of_wave = i64(tiles_alone) * of_wave::tile * width;

  /// Tiles after which the block looks for what was left, and segments of them.
  static constexpr int tiles_of_round = tile < 2048 ? 2048 / tile : 1;
  static constexpr int round = tiles_of_round * tile;

  static REDTUNE_DEVICE i32 lane() { return i32(u32(thread_index()) % u32(lanes)); }
  static REDTUNE_DEVICE i32 group() { return i32(u32(thread_index()) / u32(lanes)); }
};

/// What a thread makes of its shares of some pieces. is_short: none has more than 2^30 elements.
template <class Op, class T, class Shape, bool is_short, class In, class Offset, class Acc>
REDTUNE_DEVICE void fold_pieces(const segment_array<In, Offset>& of, const segment_piece* pieces,
                                i32 lane, Acc* values) {
  constexpr int many = Shape::spans;
  const array_bounds<In> bounds = of.bounds();
  i64 longest = 0;
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) {
    values[i] = Op::template identity<Acc>();
    longest = longest < pieces[i].length ? pieces[i].length : longest;
  }
  i64 done = 0;
  do {
    vector_span<In, Shape::vector_width> spans[many];
    typename span_fold<Op, T>::value of_spans[many];
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) {
      const i64 left = pieces[i].length - done;
      const i32 here = is_short ? i32(left > 0 ? left : 0)
                                : i32(left < 0              ? 0
                                      : left < most_in_span ? left
                                                            : most_in_span);
      const i64 from = here == 0 ? 0 : pieces[i].begin + done;
      spans[i] = vector_span<In, Shape::vector_width>(of.elements + from, here);
    }
    fold_spans<Op, T, Shape>(spans, lane, bounds, of_spans);
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) {
      values[i] =
          Op::template combine<Acc>(values[i], in_row(of_spans[i], pieces[i].skipped + done));
    }
    done += most_in_span;
  } while (!is_short && done < longest);
}

/// Segments that a block's groups leave to its waves, and to all of it, by their places in a round.
template <int room>
struct left_segments {
  u16* places;  ///< those of waves from the first on, those of the block from the last
  u32* counts;

  REDTUNE_DEVICE void add_for_wave(i32 place) { places[take_place(counts)] = u16(place); }
  REDTUNE_DEVICE void add_for_block(i32 place) {
    places[u32(room - 1) - take_place(counts + 1)] = u16(place);
  }
};

/// Whether a block has brought the segments [first, last) to shared memory and folded them there,
/// which it does where they are few enough elements. All threads have the same answer.
template <class Op, class T, class block, class In, class Offset, class Part>
REDTUNE_DEVICE bool reduce_staged_tile(const segment_array<In, Offset>& of, const Part& part,
                                       i64 first, i64 last) {
  constexpr int many = block::many;
  const segment_piece head = part.piece(of, first);
  const segment_piece tail = part.piece(of, last - 1);
  const i64 all = tail.begin + tail.length - head.begin;
  if (all > block::room) return false;
  i32 begins[many];
  i32 lengths[many];
  i64 skipped[many];
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) {
    const i64 segment = first + block::group() + i * block::groups;
    const segment_piece piece = segment < last ? part.piece(of, segment) : segment_piece{0, 0, 0};
    begins[i] = i32(piece.begin - head.begin);
    lengths[i] = i32(piece.length);
    skipped[i] = piece.skipped;
  }
  REDTUNE_SHARED vec<In, block::vector_width> stage[block::block_size * block::loads + 1];
  const i64 from = all > 0 ? head.begin : 0;
  const i32 behind = stage_past_registers<block::block_size, block::loads, typename block::Hint>(
      vector_span<In, block::vector_width>(of.elements + from, i32(all > 0 ? all : 0)), of.bounds(),
      stage);
  const In* const elements = reinterpret_cast<const In*>(stage) + behind;
  block_barrier();
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) {
    auto value = fold_staged<Op, T, block::lanes>(elements + begins[i], lengths[i], block::lane(),
                                                  skipped[i]);
    value = reduce_part_of_wave<Op, block::lanes, block::wave_size>(value);
    const i64 segment = first + block::group() + i * block::groups;
    if (block::lane() == 0 && segment < last) part.take(of, segment, value);
  }
  block_barrier();  // before the stage is written again
  return true;
}

/// The segments [first, last) of a tile, straight from memory. place: that of the first in a round.
template <class Op, class T, class block, class In, class Offset, class Part, class Left>
REDTUNE_DEVICE void reduce_direct_tile(const segment_array<In, Offset>& of, const Part& part,
                                       i64 first, i64 last, i32 place, Left& others) {
  typedef typename shaped<Op, T>::type Acc;
  typedef typename block::of_group Shape;
  constexpr int many = Shape::spans;
  segment_piece pieces[many];
  u32 mine = 0;  // a bit for each value that this group writes
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) {
    const i64 one = first + block::group() + i * block::groups;
    const bool is_there = one < last;
    pieces[i] = is_there ? part.piece(of, one) : segment_piece{0, 0, 0};
    if constexpr (block::leaves) {
      if (pieces[i].length > block::most_of_group) {
        if (block::lane() == 0) {
          const i32 its_place = place + block::group() + i * block::groups;
          if (block::has_waves && pieces[i].length <= block::most_of_wave) {
            others.add_for_wave(its_place);
          } else {
            others.add_for_block(its_place);
          }
        }
        pieces[i].length = 0;
        continue;
      }
    }
    if (is_there) mine |= 1u << i;
  }
  Acc values[many];
  fold_pieces<Op, T, Shape, block::leaves>(of, pieces, block::lane(), values);
  group_reduce<Op, block::lanes, block::block_size, block::wave_size, many>(values);
  if (block::lane() == 0) {
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) {
      const i64 one = first + block::group() + i * block::groups;
      if ((mine >> i & 1u) != 0) part.take(of, one, values[i]);
    }
  }
  if constexpr (block::lanes > block::wave_size) block_barrier();
}

/// The segments [first, last) by a block, tile by tile, so far from tile to tile. Part tells what
/// of a segment is the block's, and takes values.
template <class Op, class T, class block, class In, class Offset, class Part>
REDTUNE_DEVICE void reduce_tiles(const segment_array<In, Offset>& of, const Part& part, i64 first,
                                 i64 last, i64 step) {
  typedef typename shaped<Op, T>::type Acc;
  typedef left_segments<block::round> left;
  constexpr int block_size = block::block_size;
  constexpr int wave_size = block::wave_size;
  [[maybe_unused]] REDTUNE_SHARED u16 places[block::leaves ? block::round : 1];
  REDTUNE_SHARED u32 counts[3][2];  // of rounds in turns: while one is read, the next is written
  int turn = 0;
  if constexpr (block::leaves) {
    if (thread_index() < 2) counts[0][thread_index()] = 0;
    block_barrier();
  }
  REDTUNE_ROLLED
  for (i64 round = first; round < last; round += step * block::tiles_of_round) {
    left others{places, counts[turn]};
    REDTUNE_ROLLED
    for (i32 tile = 0; tile < block::tiles_of_round && round + tile * step < last; ++tile) {
      const i64 begin = round + tile * step;
      const i64 end = begin + block::tile < last ? begin + block::tile : last;
      if constexpr (block::is_staged) {
        if (reduce_staged_tile<Op, T, block>(of, part, begin, end)) continue;
        REDTUNE_ROLLED
        for (i32 some = 0; some < block::many; ++some) {
          const i64 from = begin + some * block::groups;
          reduce_direct_tile<Op, T, block>(of, part, from, end,
                                           tile * block::tile + some * block::groups, others);
        }
      } else {
        reduce_direct_tile<Op, T, block>(of, part, begin, end, tile * block::tile, others);
      }
    }
    if constexpr (block::leaves) {
      const int next_turn = turn == 2 ? 0 : turn + 1;
      if (thread_index() < 2) counts[next_turn][thread_index()] = 0;
      block_barrier();
      const u32 of_waves = counts[turn][0];
      const u32 of_block = counts[turn][1];
      turn = next_turn;
      if (of_waves + of_block == 0) continue;
      const auto segment_at = [&](u32 place) {
        return round + i64(place / u32(block::tile)) * step + i64(place % u32(block::tile));
      };
      if constexpr (block::has_waves) {
        const u32 wave = u32(thread_index()) / u32(wave_size);
        const i32 lane = thread_index() % wave_size;
        REDTUNE_ROLLED
        for (u32 k = wave; k < of_waves; k += u32(block_size / wave_size)) {
          const i64 segment = segment_at(places[k]);
          const segment_piece piece = part.piece(of, segment);
          Acc value;
          fold_pieces<Op, T, typename block::of_wave, true>(of, &piece, lane, &value);
          value = wave_reduce<Op, wave_size>(value);
          if (lane == 0) part.take(of, segment, value);
        }
      }
      REDTUNE_ROLLED
      for (u32 k = 0; k < of_block; ++k) {
        const i64 segment = segment_at(places[u32(block::round - 1) - k]);
        const segment_piece piece = part.piece(of, segment);
        Acc value;
        fold_pieces<Op, T, typename block::of_block, false>(of, &piece, thread_index(), &value);
        value = block_reduce<Op, block_size, wave_size>(value);
        if (thread_index() == 0) part.take(of, segment, value);
        block_barrier();
      }
      block_barrier();  // before places are written again
    }
  }
}

/// Whole segments, whose values are results.
template <class Op, class Out>
struct whole_segments {
  Out* out;

  template <class In, class Offset>
  REDTUNE_DEVICE segment_piece piece(const segment_array<In, Offset>& of, i64 segment) const {
    const i64 begin = of.begin(segment);
    return {begin, of.end(segment) - begin, 0};
  }
  template <class In, class Offset, class Acc>
  REDTUNE_DEVICE void take(const segment_array<In, Offset>& of, i64 segment, Acc value) const {
    write_segment<Op>(of, segment, value, out);
  }
};

/// Blocks take tiles of neighbouring segments.
template <class Op, class In, class Acc, class Out, class Offset, class Staging, int block_size,
          int lanes, int segments, int loads, int vector_width, class Hint, int wave_size>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_segments(const In* REDTUNE_RESTRICT in, i64 count, const Offset* REDTUNE_RESTRICT begins,
                const Offset* REDTUNE_RESTRICT ends, i64 segment_count,
                typename shaped<Op, Out>::result* out) {
  typedef segment_block<Staging, block_size, lanes, segments, loads, vector_width, Hint, wave_size>
      block;
  constexpr int tile = block::tile;
  wait_for_previous();
  const segment_array<In, Offset> of{in, count, begins, ends, segment_count};
  const whole_segments<Op, typename shaped<Op, Out>::result> part{out};
  reduce_tiles<Op, Acc, block>(of, part, i64(block_index()) * tile, segment_count,
                               i64(grid_size()) * tile);
}

/// A share of all steps by a block; what it has of segments that are cut is put together with what
/// others have.
template <class Op, class T, class Cuts, class block, class In, class Offset, class Out>
REDTUNE_DEVICE void reduce_share(const segment_array<In, Offset>& of, const segment_share& share,
                                 Out* out, const cut_memory<typename shaped<Op, T>::type>& memory) {
  typedef typename shaped<Op, T>::type Acc;
  REDTUNE_SHARED Acc begun alignas(16)[1];
  REDTUNE_SHARED Acc open alignas(16)[1];
  const cut_segments<Op, Acc, Out> part{share, begun, open, out};
  reduce_tiles<Op, T, block>(of, part, share.first, share.end(), block::tile);
  block_barrier();
  Cuts::template run<Op, block::block_size, block::wave_size>(of, part, memory);
}

/// Likewise the share of this block, which is looked for.
template <class Op, class T, class Cuts, class block, class In, class Offset, class Out>
REDTUNE_DEVICE void reduce_own_share(const segment_array<In, Offset>& of, Out* out,
                                     const cut_memory<typename shaped<Op, T>::type>& memory) {
  if constexpr (block::is_streamed) {
    typedef typename shaped<Op, T>::type Acc;
    REDTUNE_SHARED Acc begun alignas(16)[1];
    REDTUNE_SHARED Acc open alignas(16)[1];
    const i64 from = block_index() * memory.length;
    const cut_segments<Op, Acc, Out> part{
        stream_share<Op, T, block>(of, from, from + memory.length, out, begun, open), begun, open,
        out};
    Cuts::template run<Op, block::block_size, block::wave_size>(of, part, memory);
  } else {
    reduce_share<Op, T, Cuts, block>(of, share_of_block<block::block_size>(of, memory.length), out,
                                     memory);
  }
}

/// Results are made of values in double precision, by functions that have registers of their own.
template <class Op>
constexpr bool leaves_by_double = is_same<Op, l2_norm>::value || is_same<Op, mean>::value;

/// Registers of a thread that streams on NVIDIA's GPUs, about: ends, what is open, tiles that are
/// long, and loads that do not go past registers. Fitted to what NVRTC keeps in memory and does not
/// on sm_75, sm_80, sm_90 and sm_120.
template <class Op, class T, class In, class Offset, class block>
constexpr int registers_of_stream() {
  typedef stream_memory<Op, T, block, In> memory;
  constexpr int word = 4;
  constexpr int words_of_value = (sizeof(typename memory::Value) + word - 1) / word;
  constexpr int words_of_loads =
      block::loads * int((sizeof(typename memory::vector) + word - 1) / word);
  constexpr int of_long_tile = words_of_loads <= 16 ? 0 : is_integer<T>::value ? 24 : 18;
  return 47 + block::many * int(1 + sizeof(Offset) / word) +
         (memory::copies ? 0 : words_of_loads + 2) + of_long_tile + 6 * words_of_value +
         (leaves_by_double<Op> ? 12 : 0);
}

/// Blocks of which a multiprocessor shall have room: waves that stream are many, since each waits
/// for its own tile, as far as its registers are enough for what they have; others have all
/// registers. others: registers that the kernel needs beside.
template <class Op, class T, class In, class Offset, class block, int others = 0>
constexpr int blocks_of_share() {
  if constexpr (block::is_streamed) {
    constexpr int most_blocks = 16;  // of any multiprocessor
    constexpr int needed = others + registers_of_stream<Op, T, In, Offset, block>();
    constexpr bool has_small_values = sizeof(typename span_fold<Op, T>::value) <= 4;
    constexpr int threads = !has_small_values || needed > 80 ? 512 : needed > 64 ? 768 : 1024;
    if (needed > 128 || block::block_size > threads) return 1;
    constexpr int blocks = threads / block::block_size;
    return blocks < most_blocks ? blocks : most_blocks;
  }
  return 1;
}

/// Blocks take equal shares, of so many steps.
template <class Op, class In, class Acc, class Out, class Offset, class Cuts, class Staging,
          int block_size, int lanes, int segments, int loads, int vector_width, class Hint,
          int wave_size>
REDTUNE_KERNEL_OF_BLOCKS(block_size,
                         (blocks_of_share<Op, Acc, In, Offset,
                                          segment_block<Staging, block_size, lanes, segments, loads,
                                                        vector_width, Hint, wave_size>>()))
reduce_segment_shares(const In* REDTUNE_RESTRICT in, i64 count,
                      const Offset* REDTUNE_RESTRICT begins, const Offset* REDTUNE_RESTRICT ends,
                      i64 segment_count, typename shaped<Op, Out>::result* out,
                      typename shaped<Op, Acc>::type* partials, u64* words, u32* counter,
                      i64 share_length) {
  typedef segment_block<Staging, block_size, lanes, segments, loads, vector_width, Hint, wave_size>
      block;
  wait_for_previous();
  const segment_array<In, Offset> of{in, count, begins, ends, segment_count, block::weight};
  reduce_own_share<Op, Acc, Cuts, block>(of, out, {partials, words, counter, share_length});
}

}  // namespace redtune
