// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the blocks of a grid make of their tiles: one value each.
#pragma once

#include "block_reduce.hip.h"
#include "fold_tile.hip.h"

namespace redtune {

/// The constants of a config that folding a block depends on.
template <int threads, int items_per_thread, int width, class LoadHint, int lanes_of_wave>
struct block_shape {
  typedef LoadHint Hint;
  static constexpr int block_size = threads;
  static constexpr int vector_width = width;
  static constexpr int wave_size = lanes_of_wave;
  static constexpr int loads = items_per_thread / width;  ///< of a thread and tile
  static constexpr i32 tile = threads * loads;            ///< vectors of a block and tile
  /// Whether an input of one whole tile for each block has a way of its own.
  static constexpr bool exact = false;
  static constexpr bool backwards = false;  ///< whether tiles are dealt from the last one down
};
template <class Shape>
struct exact_shape : Shape {
  static constexpr bool exact = true;
};
template <class Shape>
struct backwards_shape : Shape {
  static_assert((Shape::tile & (Shape::tile - 1)) == 0, "whole tiles end where a mask says");
  static constexpr bool backwards = true;
};

/// Whether an input is one whole tile for each block of the grid, from the first line on. The same
/// for all threads.
template <class Shape, class In>
REDTUNE_DEVICE bool is_exact(const split_input<In, Shape::vector_width>& input) {
  if constexpr (Shape::exact) {
    constexpr i32 tile_elements = Shape::tile * Shape::vector_width;
    return input.head_count == 0 && input.count == i64(grid_size()) * tile_elements;
  } else {
    return false;
  }
}

/// What a thread makes of its part of the block's one tile, without bounds and without a loop.
template <class Op, class Acc, class Shape, class In>
REDTUNE_DEVICE Acc fold_whole_tile(const split_input<In, Shape::vector_width>& input) {
  typedef typename Shape::Hint Hint;
  constexpr int loads = Shape::loads;
  const vec<In, Shape::vector_width>* from =
      input.vectors + (i64(block_index()) * Shape::tile + thread_index());
  loaded_vector<In, Shape::vector_width> loaded[loads];
  REDTUNE_UNROLL
  for (int i = 0; i < loads; ++i) loaded[i] = load_vector<Hint>(from + i * Shape::block_size);
  return tile_value<Op, Acc, loads>(loaded);
}

/// Adds what is left of a tile to acc, `left` vectors from `from` on; none if not positive.
/// takes_odd: and this thread's share of the single elements, while the loads are on their way.
template <class Op, class Acc, class Shape, class In, class Folded>
REDTUNE_DEVICE void fold_rest(const split_input<In, Shape::vector_width>& input,
                              const vec<In, Shape::vector_width>* from, i32 left, bool takes_odd,
                              Folded& acc) {
  typedef typename Shape::Hint Hint;
  constexpr int loads = Shape::loads;
  constexpr int block_size = Shape::block_size;
  loaded_vector<In, Shape::vector_width> loaded[loads];
  if constexpr (Op::padded) {
    if (left > 0) load_padded<Op, Hint, loads, block_size>(from, left, loaded);
  } else {
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) {
      if (i * block_size < left) loaded[i] = load_vector<Hint>(from + i * block_size);
    }
  }
  if (takes_odd) {
    acc.v[0] =
        Op::template combine<Acc>(Acc(acc.v[0]), fold_odd_elements<Op, Acc, block_size>(input));
  }
  if constexpr (Op::padded) {
    if (left > 0) acc = combine_packs<Op>(acc, fold_tile<Op, Acc, loads>(loaded));
  } else {
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) {
      if (i * block_size < left) acc = combine_packs<Op>(acc, fold_tile<Op, Acc, 1>(&loaded[i]));
    }
  }
}

/// What one thread makes of all its elements.
template <class Op, class Acc, class Shape, class In>
REDTUNE_DEVICE Acc fold_thread(const split_input<In, Shape::vector_width>& input,
                               const tile_range& mine) {
  typedef typename Shape::Hint Hint;
  constexpr int loads = Shape::loads;
  const i64 last = mine.end - Shape::tile;  // where a whole tile can still begin
  const vec<In, Shape::vector_width>* from = input.vectors + (mine.first + thread_index());
  typedef tile_fold<Op, In, Acc, Shape::vector_width> how;
  constexpr int lanes = how::lanes;
  typename how::Folded acc;
  REDTUNE_UNROLL
  for (int lane = 0; lane < lanes; ++lane) acc.v[lane] = Op::template identity<Acc>();

  i64 at = mine.first;
  REDTUNE_ROLLED
  for (; at <= last && (!Shape::backwards || at >= 0); at += mine.step, from += mine.step) {
    loaded_vector<In, Shape::vector_width> loaded[loads];
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) loaded[i] = load_vector<Hint>(from + i * Shape::block_size);
    acc = combine_packs<Op>(acc, fold_tile<Op, Acc, loads>(loaded));
  }
  if constexpr (Shape::backwards) {
    at = mine.rest(at, Shape::tile);
    from = input.vectors + (at + thread_index());
  }
  const bool takes_odd = mine.takes_odd && input.has_odd();
  if (at < mine.end || takes_odd) {  // fewer vectors than a tile, and single elements
    const i32 left = (at < mine.end ? i32(mine.end - at) : 0) - thread_index();
    fold_rest<Op, Acc, Shape>(input, from, left, takes_odd, acc);
  }
  return fold_lanes<Op, Acc, 0, lanes>(acc);
}

/// The value of a block, in thread 0.
template <class Op, class Acc, class Shape, class In>
REDTUNE_DEVICE Acc fold_block(const split_input<In, Shape::vector_width>& input,
                              const tile_range& mine) {
  const Acc value = is_exact<Shape>(input) ? fold_whole_tile<Op, Acc, Shape>(input)
                                           : fold_thread<Op, Acc, Shape>(input, mine);
  return block_reduce<Op, Shape::block_size, Shape::wave_size>(value);
}

}  // namespace redtune
