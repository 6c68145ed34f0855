// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce': a whole array to one value. Load tiles, fold per thread, fold per block,
// finish.
#pragma once

#include "device_code/extreme_pairs.hip.h"
#include "device_code/finish_last_block.hip.h"
#include "device_code/finish_last_wave.hip.h"
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

/// What loads of one tile come to: lane by lane, or one lane where the operator folds a tile in a
/// type of its own or by pairs.
template <class Op, class Acc, int loads, class In, int width>
REDTUNE_DEVICE auto fold_tile(const pack<In, width>* loaded) {
  typedef typename tile_accumulator<Op, In, Acc>::type TileAcc;
  if constexpr (folds_pairs<Op, In, width>::value) {
    pack<Acc, 1> folded;
    folded.v[0] = Op::template enter<Acc>(Acc(extreme_of_loads<Op, loads>(loaded)));
    return folded;
  } else if constexpr (is_same<TileAcc, Acc>::value) {
    return fold_loads<Op, Acc, 0, loads>(loaded);
  } else {
    pack<Acc, 1> folded;
    folded.v[0] = Acc(sum_loads<TileAcc, loads>(loaded));
    return folded;
  }
}

/// What one thread of the block that takes the odd elements makes of its share of them.
template <class Op, class Acc, int block_size, class Input>
REDTUNE_DEVICE Acc fold_odd_elements(const Input& input) {
  Acc value = Op::template identity<Acc>();
  const i32 odd = input.odd_count();
  REDTUNE_ROLLED
  for (i32 i = thread_index(); i < odd; i += block_size) {
    value = Op::template combine<Acc>(value, Op::template enter<Acc>(Acc(input.odd_element(i))));
  }
  return value;
}

/// What one thread makes of all its elements.
template <class Op, class In, class Acc, int block_size, int items_per_thread, int vector_width,
          class Hint>
REDTUNE_DEVICE Acc fold_thread(const split_input<In, vector_width>& input, const tile_range& mine) {
  typedef vec<In, vector_width> vector;
  constexpr int loads = items_per_thread / vector_width;
  constexpr i32 tile = block_size * loads;  // vectors
  const i64 last = mine.end - tile;         // where a whole tile can still begin
  const vector* from = input.vectors + (mine.first + thread_index());
  pack<In, vector_width> loaded[loads];
  typedef typename tile_accumulator<Op, In, Acc>::type TileAcc;
  constexpr bool by_lanes =
      is_same<TileAcc, Acc>::value && !folds_pairs<Op, In, vector_width>::value;
  constexpr int lanes = by_lanes ? vector_width : 1;
  pack<Acc, lanes> acc;
  REDTUNE_UNROLL
  for (int lane = 0; lane < lanes; ++lane) acc.v[lane] = Op::template identity<Acc>();

  i64 at = mine.first;
  REDTUNE_ROLLED
  for (; at <= last; at += mine.step, from += mine.step) {
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) loaded[i] = load_vector<Hint>(from + i * block_size);
    acc = combine_packs<Op>(acc, fold_tile<Op, Acc, loads>(loaded));
  }
  const bool takes_odd = mine.takes_odd && input.has_odd();
  if (at < mine.end || takes_odd) {  // fewer vectors than a tile, and single elements
    const i32 left = (at < mine.end ? i32(mine.end - at) : 0) - thread_index();
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) {
      if (i * block_size < left) loaded[i] = load_vector<Hint>(from + i * block_size);
    }
    if (takes_odd) {  // while the loads above are on their way
      acc.v[0] = Op::template combine<Acc>(acc.v[0], fold_odd_elements<Op, Acc, block_size>(input));
    }
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) {
      if (i * block_size < left) acc = combine_packs<Op>(acc, fold_tile<Op, Acc, 1>(&loaded[i]));
    }
  }
  return fold_lanes<Op, Acc, 0, lanes>(acc);
}

template <class Op, class In, class Acc, class Out, class Finish, int block_size,
          int items_per_thread, int vector_width, class Hint, int wave_size>
REDTUNE_KERNEL(block_size)
reduce(const In* REDTUNE_RESTRICT in, i64 count, Out* out, Acc* partials, u32* counter, i64 run) {
  constexpr i32 tile = block_size * items_per_thread / vector_width;
  const split_input<In, vector_width> input(in, count);
  const tile_range mine = Finish::one_block ? tile_range(input.vector_count, tile)
                                            : tile_range(input.vector_count, tile, run);
  wait_for_previous();
  Acc value =
      fold_thread<Op, In, Acc, block_size, items_per_thread, vector_width, Hint>(input, mine);
  value = block_reduce<Op, block_size, wave_size>(value);
  Finish::template run<Op, block_size, wave_size>(value, out, partials, counter);
}

}  // namespace redtune
