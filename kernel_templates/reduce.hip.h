// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce': a whole array to one value. Load tiles, fold per thread, fold per block,
// finish.
#pragma once

#include "device_code/finish_last_block.hip.h"
#include "device_code/finish_second_pass.hip.h"
#include "device_code/finish_single_block.hip.h"
#include "device_code/load.hip.h"

namespace redtune {

/// Folds the loads [first, first + loads) lane by lane, as a tree: short chains, small errors.
template <class Op, class Acc, int first, int loads, class In, int width>
REDTUNE_DEVICE pack<Acc, width> fold_loads(const pack<In, width>* loaded) {
  if constexpr (loads == 1) {
    return enter_pack<Op, Acc>(loaded[first]);
  } else {
    constexpr int half = loads / 2;
    return combine_packs<Op>(fold_loads<Op, Acc, first, half>(loaded),
                             fold_loads<Op, Acc, first + half, loads - half>(loaded));
  }
}

/// Folds the lanes [first, first + width) of a pack as a tree.
template <class Op, class Acc, int first, int width, class Pack>
REDTUNE_DEVICE Acc fold_lanes(const Pack& values) {
  if constexpr (width == 1) {
    return values.v[first];
  } else {
    return Op::template combine<Acc>(fold_lanes<Op, Acc, first, width / 2>(values),
                                     fold_lanes<Op, Acc, first + width / 2, width / 2>(values));
  }
}

/// What one thread makes of all its elements.
template <class Op, class In, class Acc, int block_size, int items_per_thread, int vector_width,
          class Hint>
REDTUNE_DEVICE Acc fold_thread(const In* in, i64 count, bool chunked) {
  constexpr int loads = items_per_thread / vector_width;
  constexpr i64 tile = i64(block_size) * loads;  // vectors of a tile
  typedef vec<In, vector_width> vector;
  const split_input<In, vector_width> input(in, count);
  const i64 whole_tiles = i64(u64(input.vector_count) / u64(tile));
  const i64 tiles = whole_tiles + (input.vector_count > whole_tiles * tile ? 1 : 0);
  const i32 thread = thread_index();

  pack<Acc, vector_width> acc;
  REDTUNE_UNROLL
  for (int lane = 0; lane < vector_width; ++lane) acc.v[lane] = Op::template identity<Acc>();

  const tile_range mine(tiles, chunked);
  i64 t = mine.first;
  for (; t < mine.end && t < whole_tiles; t += mine.step) {
    const vector* from = input.vectors + t * tile + thread;
    pack<In, vector_width> loaded[loads];
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) loaded[i] = load_vector<Hint>(from + i * block_size);
    acc = combine_packs<Op>(acc, fold_loads<Op, Acc, 0, loads>(loaded));
  }
  if (t < mine.end) {  // the last tile, not whole
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) {
      const i64 index = t * tile + i * block_size + thread;
      if (index < input.vector_count) {
        acc = combine_packs<Op>(acc, enter_pack<Op, Acc>(load_vector<Hint>(input.vectors + index)));
      }
    }
  }
  Acc value = fold_lanes<Op, Acc, 0, vector_width>(acc);
  if (block_index() == 0) {
    const i64 odd = input.head_count + input.rest_count;
    for (i64 i = thread; i < odd; i += block_size) {
      value = Op::template combine<Acc>(value, Op::template enter<Acc>(Acc(input.odd_element(i))));
    }
  }
  return value;
}

template <class Op, class In, class Acc, class Out, class Finish, int block_size,
          int items_per_thread, int vector_width, class Hint, int wave_size>
REDTUNE_KERNEL(block_size)
reduce(const In* REDTUNE_RESTRICT in, i64 count, Out* out, Acc* partials, u32* counter,
       i32 chunked) {
  Acc value = fold_thread<Op, In, Acc, block_size, items_per_thread, vector_width, Hint>(
      in, count, chunked != 0);
  value = block_reduce<Op, block_size, wave_size>(value);
  Finish::template run<Op, block_size, wave_size>(value, out, partials, counter);
}

}  // namespace redtune
