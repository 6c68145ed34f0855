// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_channels': each channel of a batch of arrays to a value. A channel has a span
// of neighbours in each array. Groups of threads take its spans, or pieces of them, in turn; blocks
// have some channels each, or share one.
#pragma once

#include "device_code/finish_row.hip.h"
#include "device_code/fold_spans.hip.h"
#include "device_code/group_reduce.hip.h"
#include "device_code/write_one.hip.h"

namespace redtune {

/// Channels in memory. The elements of a channel count from array to array.
template <class In>
struct channel_array {
  const In* elements;
  i64 channels;
  i64 pitch;  ///< from channel to channel
  i64 batch;
  i64 batch_pitch;  ///< from array to array
  i64 count;        ///< elements of a channel in an array: a span
  i64 piece;        ///< elements of a piece of it, at most 2^30
  i32 pieces;       ///< of a span, in all

  REDTUNE_DEVICE const In* span(i64 channel, i64 array) const {
    return elements + (array * batch_pitch + channel * pitch);
  }
  REDTUNE_DEVICE array_bounds<In> bounds() const {
    return {elements, channels > 0 ? span(channels - 1, batch - 1) + count : elements};
  }
};

/// How the threads of a block stand: those of a group beside each other, then groups of
/// neighbouring channels, then lines of such groups, which share the channels.
template <int block_size, int lanes_of_group, int channels_of_block>
struct channel_block {
  static constexpr int lanes = lanes_of_group;
  static constexpr int channels = channels_of_block;
  static constexpr int lines = block_size / (lanes * channels);

  static REDTUNE_DEVICE i32 lane() { return i32(u32(thread_index()) % u32(lanes)); }
  static REDTUNE_DEVICE i32 channel() {
    return i32(u32(thread_index()) / u32(lanes) % u32(channels));
  }
  static REDTUNE_DEVICE i32 line() { return i32(u32(thread_index()) / u32(lanes * channels)); }
};

/// Pieces of a channel, from one on every so many: one division at the start and none between.
struct piece_walk {
  i64 array;
  i32 piece;  ///< of the span in that array
  i32 pieces;
  i32 next_array;  ///< what a step adds
  i32 next_piece;

  REDTUNE_DEVICE piece_walk(i32 first, i32 step, i32 pieces_of_span)
      : array(u32(first) / u32(pieces_of_span)),
        piece(i32(u32(first) % u32(pieces_of_span))),
        pieces(pieces_of_span),
        next_array(i32(u32(step) / u32(pieces_of_span))),
        next_piece(i32(u32(step) % u32(pieces_of_span))) {}

  REDTUNE_DEVICE void go_on() {
    array += next_array;
    piece += next_piece;
    if (piece >= pieces) {
      piece -= pieces;
      array += 1;
    }
  }
};

/// What a thread makes of its shares of every groups-th piece of a channel, from that of its group
/// on; of Shape::spans at a time.
template <class Op, class T, class Shape, class In>
REDTUNE_DEVICE auto fold_channel(const channel_array<In>& of, i64 channel, i32 group, i32 groups,
                                 i32 lane) {
  typedef typename shaped<Op, T>::type Acc;
  constexpr int many = Shape::spans;
  const array_bounds<In> bounds = of.bounds();
  const i64 batch = channel < of.channels ? of.batch : 0;
  Acc value = Op::template identity<Acc>();
  piece_walk walk(group, groups, of.pieces);
  REDTUNE_ROLLED
  while (walk.array < batch) {
    vector_span<In, Shape::vector_width> spans[many];
    typename span_fold<Op, T>::value of_spans[many];
    i64 firsts[many];  // of the elements of the channel
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) {
      const bool is_there = walk.array < batch;
      const i64 begin = walk.piece * of.piece;
      const i64 left = of.count - begin;
      const i32 length = i32(left < of.piece ? left : of.piece);
      const In* from = is_there ? of.span(channel, walk.array) + begin : of.elements;
      spans[i] = vector_span<In, Shape::vector_width>(from, is_there ? length : 0);
      firsts[i] = walk.array * of.count + begin;
      walk.go_on();
    }
    fold_spans<Op, T, Shape>(spans, lane, bounds, of_spans);
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) {
      value = Op::template combine<Acc>(value, in_row(of_spans[i], firsts[i]));
    }
  }
  return value;
}

/// Values of the threads of a block to those of its channels: neighbouring threads hold those of
/// one, of which the first gets the result. All threads call it, and have a barrier before they do
/// so again.
template <class Op, class Block, int block_size, int wave_size, class Acc>
REDTUNE_DEVICE Acc reduce_channels_of_block(Acc value) {
  constexpr int threads = block_size / Block::channels;
  if constexpr (Block::channels > 1 && Block::lines > 1) {
    REDTUNE_SHARED Acc together alignas(16)[block_size];
    together[(Block::channel() * Block::lines + Block::line()) * Block::lanes + Block::lane()] =
        value;
    block_barrier();
    value = together[thread_index()];
  }
  group_reduce<Op, threads, block_size, wave_size, 1>(&value);
  return value;
}

/// Writes the result of a channel.
template <class Op, class In, class Acc, class Out>
REDTUNE_DEVICE void write_channel(const channel_array<In>& of, i64 channel, Acc value, Out* out) {
  if constexpr (Op::indexed) {
    if (hides_its_sign<Op>(value)) {
      const i64 array = value.index / of.count;
      take_element(value, of.span(channel, array)[value.index - array * of.count]);
    }
  }
  write_one(out + channel, Op::template leave<Out>(value, of.batch * of.count));
}

/// Blocks have some neighbouring channels each.
template <class Op, class In, class Acc, class Out, int block_size, int lanes, int channels,
          int spans, int loads, int vector_width, class Hint, int wave_size>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_channels(const In* REDTUNE_RESTRICT in, i64 channel_count, i64 pitch, i64 batch,
                i64 batch_pitch, i64 count, i64 piece, i32 pieces,
                typename shaped<Op, Out>::result* out) {
  typedef span_shape<lanes, spans, loads, vector_width, Hint> shape;
  typedef channel_block<block_size, lanes, channels> block;
  typedef typename shaped<Op, Acc>::type Value;
  constexpr int threads = block_size / channels;
  wait_for_previous();
  const channel_array<In> of{in, channel_count, pitch, batch, batch_pitch, count, piece, pieces};
  const i64 step = i64(grid_size()) * channels;
  REDTUNE_ROLLED
  for (i64 first = i64(block_index()) * channels; first < channel_count; first += step) {
    Value value = fold_channel<Op, Acc, shape>(of, first + block::channel(), block::line(),
                                               block::lines, block::lane());
    value = reduce_channels_of_block<Op, block, block_size, wave_size>(value);
    const i64 channel = first + u32(thread_index()) / u32(threads);
    if (thread_index() % threads == 0 && channel < channel_count) {
      write_channel<Op>(of, channel, value, out);
    }
    if constexpr (threads > wave_size || (channels > 1 && block::lines > 1)) block_barrier();
  }
}

/// Parts of channels, a block for each, which end by a finish. The grid is whole channels.
template <class Op, class In, class Acc, class Out, class Finish, int block_size, int lanes,
          int spans, int loads, int vector_width, class Hint, int wave_size>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_parted_channels(const In* REDTUNE_RESTRICT in, i64 channel_count, i64 pitch, i64 batch,
                       i64 batch_pitch, i64 count, i64 piece, i32 pieces,
                       typename shaped<Op, Out>::result* out,
                       typename shaped<Op, Acc>::type* partials, u64* words, i32 parts) {
  typedef span_shape<lanes, spans, loads, vector_width, Hint> shape;
  typedef channel_block<block_size, lanes, 1> block;
  typedef typename shaped<Op, Acc>::type Value;
  wait_for_previous();
  const channel_array<In> of{in, channel_count, pitch, batch, batch_pitch, count, piece, pieces};
  const row_part part{u32(block_index()) % u32(parts), u32(parts)};
  const finish_memory<Value, typename shaped<Op, Out>::result> memory{out, partials, nullptr, count,
                                                                      words};
  REDTUNE_ROLLED
  for (i64 channel = u32(block_index()) / u32(parts); channel < channel_count;
       channel += u32(grid_size()) / u32(parts)) {
    Value value =
        fold_channel<Op, Acc, shape>(of, channel, i32(part.index) * block::lines + block::line(),
                                     parts * block::lines, block::lane());
    value = reduce_channels_of_block<Op, block, block_size, wave_size>(value);
    ending<Value> end{value, true};
    if (parts > 1) end = Finish::template run<Op, wave_size>(value, part, channel, memory);
    if (thread_index() == 0 && end.is_last) write_channel<Op>(of, channel, end.value, out);
    block_barrier();
  }
}

}  // namespace redtune
