// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// argmin and argmax. Where no block has more than one tile, its elements are still in registers
// when a thread knows its best value, and the index is found among them. Blocks of several tiles
// find the best value, as fast as min and max, and instead of its index only where the tile begins
// that it is in: the block that ends the grid looks for the index, once.
#pragma once

#include "find_in_loads.hip.h"
#include "fold_block.hip.h"

namespace redtune {

/// A thread's best value so far, and where the vectors of its tile begin; -1: none yet.
template <class T>
struct best_tile {
  T value;
  i64 first;
};

template <class Op, bool backwards, class T>
REDTUNE_DEVICE void keep_better(best_tile<T>& best, T value, i64 first) {
  // The lowest of equals stays; what equals the identity counts as well.
  const bool is_lower = backwards ? u64(first) < u64(best.first) : best.first < 0;
  const bool is_better = Op::before(value, best.value) | (is_lower & Op::same(value, best.value));
  best.value = is_better ? value : best.value;
  best.first = is_better ? first : best.first;
}

/// The best tile of a thread.
template <class Op, class T, class Shape, class In>
REDTUNE_DEVICE best_tile<T> find_best_tile(const split_input<In, Shape::vector_width>& input,
                                           const tile_range& mine) {
  typedef typename Op::value_op ValueOp;
  typedef typename Shape::Hint Hint;
  constexpr int loads = Shape::loads;
  best_tile<T> best{ValueOp::template identity<T>(), -1};
  loaded_vector<In, Shape::vector_width> loaded[loads];
  i64 first = mine.first + thread_index();
  i64 at = mine.first;
  REDTUNE_ROLLED
  for (; at + Shape::tile <= mine.end && (!Shape::backwards || at >= 0);
       at += mine.step, first += mine.step) {
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) {
      loaded[i] = load_vector<Hint>(input.vectors + (first + i * Shape::block_size));
    }
    keep_better<Op, Shape::backwards>(best, tile_value<ValueOp, T, loads>(loaded), first);
  }
  if constexpr (Shape::backwards) {
    at = mine.rest(at, Shape::tile);
    first = at + thread_index();
  }
  const i32 left = (at < mine.end ? i32(mine.end - at) : 0) - thread_index();
  if (left > 0) {  // fewer vectors than a tile
    load_padded<ValueOp, Hint, loads, Shape::block_size>(input.vectors + first, left, loaded);
    keep_better<Op, Shape::backwards>(best, tile_value<ValueOp, T, loads>(loaded), first);
  }
  return best;
}

/// The best of a thread's part of the block's one tile, which begins with vector `begin`.
template <class Op, class T, class Shape, class In>
REDTUNE_DEVICE placed_value<T> find_in_tile(const split_input<In, Shape::vector_width>& input,
                                            i64 begin) {
  typedef typename Op::value_op ValueOp;
  typedef typename Shape::Hint Hint;
  constexpr int loads = Shape::loads;
  constexpr int block_size = Shape::block_size;
  const u32 place = u32(thread_index()) * Shape::vector_width;
  const vec<In, Shape::vector_width>* from = input.vectors + (begin + thread_index());
  loaded_vector<In, Shape::vector_width> loaded[loads];
  if (is_exact<Shape>(input)) {
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) loaded[i] = load_vector<Hint>(from + i * block_size);
    return find_in_loads<Op, T, loads, block_size>(loaded, Shape::tile, place);
  }
  const i64 there = Shape::backwards && begin < 0 ? 0 : input.vector_count - begin;
  const i32 left = i32(there < Shape::tile ? there : Shape::tile) - thread_index();
  load_padded<ValueOp, Hint, loads, block_size>(from, left, loaded);
  return find_in_loads<Op, T, loads, block_size>(loaded, left, place);
}

/// The lowest index of an element that is the same as value in the tile that begins with vector
/// `at`, in thread 0; all bits set for none.
template <class Op, class T, class Shape, class In>
REDTUNE_DEVICE u64 look_in_tile(const split_input<In, Shape::vector_width>& input, i64 at,
                                T value) {
  typedef typename Op::value_op ValueOp;
  constexpr int block_size = Shape::block_size;
  constexpr int loads = Shape::loads;
  constexpr int width = Shape::vector_width;
  const i64 there = input.vector_count - at;
  const i32 left = i32(there < Shape::tile ? there : Shape::tile) - thread_index();
  const i64 first = at + thread_index();
  loaded_vector<In, width> loaded[loads];
  load_padded<ValueOp, cached, loads, block_size>(input.vectors + first, left, loaded);
  const loads_value<ValueOp, T, loads, In, width> values(loaded);
  const u64 found = find_same<loads, block_size>(values, loaded, left, value,
                                                 u64(input.head_count + first * width));
  return block_reduce<min, block_size, Shape::wave_size>(found);
}

/// The best of a thread's share of the elements outside of vectors.
template <class Op, class Acc, int block_size, class Input>
REDTUNE_DEVICE Acc find_odd_extreme(const Input& input) {
  typedef typename Acc::value_type T;
  Acc best = Op::template identity<Acc>();
  const i32 odd = input.odd_count();
  REDTUNE_ROLLED
  for (i32 i = thread_index(); i < odd; i += block_size) {
    const Acc entered{T(value_of(input.odd_element(i))), input.odd_index(i)};
    best = Op::template combine<Acc>(best, entered);
  }
  return best;
}

/// The best value of a block: and its index, or of several tiles where the one begins that it is
/// in, or its own for an element outside of vectors. Of equal values the lowest index.
template <class Op, class Acc, class Shape, class In>
REDTUNE_DEVICE Acc find_block_extreme(const split_input<In, Shape::vector_width>& input,
                                      const tile_range& mine) {
  typedef typename Acc::value_type T;
  constexpr int block_size = Shape::block_size;
  constexpr int wave_size = Shape::wave_size;
  const bool takes_odd = mine.takes_odd && input.has_odd();
  Acc found;
  if (mine.one_each) {
    i64 begin = i64(block_index()) * Shape::tile;
    if constexpr (Shape::backwards) begin = mine.only(Shape::tile);
    placed_value<T> best = find_in_tile<Op, T, Shape>(input, begin);
    if (!takes_odd) best = block_reduce<Op, block_size, wave_size>(best);
    const i64 tile = begin * Shape::vector_width + input.head_count;
    found = {best.value, best.index == ~u32(0) ? i64(-1) : tile + best.index};
    if (!takes_odd) return found;
  } else {
    const best_tile<T> best = find_best_tile<Op, T, Shape>(input, mine);
    const i64 tile = (best.first - thread_index()) * Shape::vector_width + input.head_count;
    found = {best.value, best.first < 0 ? i64(-1) : tile};
  }
  if (takes_odd) {
    found = Op::template combine<Acc>(found, find_odd_extreme<Op, Acc, block_size>(input));
  }
  return block_reduce<Op, block_size, wave_size>(found);
}

/// The index of a value of which is known where the tile begins that it is in, in thread 0; all
/// threads of the block that ends the grid call it.
template <class Op, class Shape, class In, class Acc>
REDTUNE_DEVICE void look_up_index(const split_input<In, Shape::vector_width>& input, Acc& found) {
  typedef typename Acc::value_type T;
  const i64 in_vectors = found.index - input.head_count;
  if (in_vectors < 0 || in_vectors >= input.vector_count * Shape::vector_width) return;
  const i64 at = i64(u64(in_vectors) / u64(Shape::vector_width));
  found.index = i64(look_in_tile<Op, T, Shape>(input, at, found.value));
}

/// Writes the result of the block that ends the grid; all threads of all blocks call it.
/// has_index: the index is that of an element, the same for all.
template <class Op, class Shape, class In, class Acc, class Out>
REDTUNE_DEVICE void write_index(const split_input<In, Shape::vector_width>& input,
                                const ending<Acc>& end, bool has_index,
                                const finish_memory<Acc, Out>& memory) {
  typedef typename Acc::value_type T;
  Acc found = end.value;
  if (!has_index) {
    REDTUNE_SHARED T shared_value;
    REDTUNE_SHARED i64 shared_index;
    REDTUNE_SHARED bool is_last;
    if (thread_index() == 0) {
      shared_value = end.value.value;
      shared_index = end.value.index;
      is_last = end.is_last;
    }
    block_barrier();
    if (!is_last) return;
    found = {shared_value, shared_index};
    look_up_index<Op, Shape>(input, found);
  }
  if (thread_index() != 0 || !end.is_last) return;
  // Folding values does not tell -0.0 from 0.0: the element does.
  if (Op::same(found.value, T(0)) && found.index >= 0) {
    found.value = T(value_of(input.elements[found.index]));
  }
  write_result<Op>({found, true}, memory);
}

}  // namespace redtune
