// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// argmin and argmax of a block. First the value alone, as fast as min and max: each thread keeps
// its best one and the tile it was in. Then only threads that hold the block's value look where in
// that tile it stands.
#pragma once

#include "fold_block.hip.h"

namespace redtune {

/// A thread's best value so far, and where the vectors of its tile begin; -1: none yet.
template <class T>
struct best_tile {
  T value;
  i64 first;
};

template <class Op, class T>
REDTUNE_DEVICE void keep_better(best_tile<T>& best, T value, i64 first) {
  // The first of equals stays; what equals the identity counts as well.
  const bool is_better =
      Op::before(value, best.value) | ((best.first < 0) & Op::same(value, best.value));
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
  for (; at + Shape::tile <= mine.end; at += mine.step, first += mine.step) {
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) {
      loaded[i] = load_vector<Hint>(input.vectors + (first + i * Shape::block_size));
    }
    keep_better<Op, T>(best, tile_value<ValueOp, T, loads>(loaded), first);
  }
  const i32 left = (at < mine.end ? i32(mine.end - at) : 0) - thread_index();
  if (left > 0) {  // fewer vectors than a tile
    load_padded<ValueOp, Hint, loads, Shape::block_size>(input.vectors + first, left, loaded);
    keep_better<Op, T>(best, tile_value<ValueOp, T, loads>(loaded), first);
  }
  return best;
}

/// Compares lanes from `lane` down to the first, so that the lowest that is the same as value is
/// left in found.
template <class Op, int lane, class T, class In, int width>
REDTUNE_DEVICE void find_in_vector(const loaded_vector<In, width>& loaded, T value, i64 index,
                                   u64& found) {
  const bool is_same = Op::same(T(value_of(element_of(loaded, lane))), value);
  found = is_same ? u64(index + lane) : found;
  if constexpr (lane > 0) find_in_vector<Op, lane - 1>(loaded, value, index, found);
}

/// The lowest index among a thread's elements of a tile that are the same as value; all bits set
/// for none. first: the vector that the tile begins with for the thread; left: vectors from there
/// on.
template <class Op, class T, class Shape, class In>
REDTUNE_DEVICE u64 find_in_tile(const split_input<In, Shape::vector_width>& input, i64 first,
                                i32 left, T value) {
  typedef typename Op::value_op ValueOp;
  constexpr int loads = Shape::loads;
  loaded_vector<In, Shape::vector_width> loaded[loads];
  load_padded<ValueOp, cached, loads, Shape::block_size>(input.vectors + first, left, loaded);
  u64 found = ~u64(0);
  REDTUNE_UNROLL
  for (int i = loads - 1; i >= 0; --i) {
    if (i * Shape::block_size >= left) continue;
    const i64 at = first + i * Shape::block_size;
    find_in_vector<Op, Shape::vector_width - 1>(loaded[i], value,
                                                input.head_count + at * Shape::vector_width, found);
  }
  return found;
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

/// The zero at an index, which may be -0.0: folding values does not tell it from 0.0.
template <class T, class Input>
REDTUNE_DEVICE T zero_at(const Input& input, u64 index) {
  if constexpr (!is_integer<T>::value) {
    if (index != ~u64(0)) return T(value_of(input.elements[index]));
  }
  return T(0);
}

/// The value of a block and its lowest index, in thread 0.
template <class Op, class Acc, class Shape, class In>
REDTUNE_DEVICE Acc find_block_extreme(const split_input<In, Shape::vector_width>& input,
                                      const tile_range& mine) {
  typedef typename Acc::value_type T;
  typedef typename Op::value_op ValueOp;
  constexpr int block_size = Shape::block_size;
  const best_tile<T> best = find_best_tile<Op, T, Shape>(input, mine);
  Acc odd = Op::template identity<Acc>();
  if (mine.takes_odd && input.has_odd()) odd = find_odd_extreme<Op, Acc, block_size>(input);
  const T own = ValueOp::template combine<T>(best.value, odd.value);
  const T folded = block_reduce<ValueOp, block_size, Shape::wave_size>(own);
  REDTUNE_SHARED T shared_value;
  if (thread_index() == 0) shared_value = folded;
  block_barrier();
  const T value = shared_value;
  u64 index = ~u64(0);
  if (best.first >= 0 && Op::same(best.value, value)) {
    const i64 tile_end = best.first - thread_index() + Shape::tile;
    const i64 end = mine.end < tile_end ? mine.end : tile_end;
    index = find_in_tile<Op, T, Shape>(input, best.first, i32(end - best.first), value);
  }
  if (Op::same(odd.value, value) && u64(odd.index) < index) index = u64(odd.index);
  index = block_reduce<min, block_size, Shape::wave_size>(index);
  return {Op::same(value, T(0)) ? zero_at<T>(input, index) : value, i64(index)};
}

}  // namespace redtune
