// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// argmin and argmax of elements that are in registers: they are folded as by min and max, and then
// compared with what came out.
#pragma once

#include "fold_tile.hip.h"

namespace redtune {

/// What an element is looked for by: a value that is a number, or that it is none.
template <class T>
struct equal_to {
  T value;
  REDTUNE_DEVICE bool operator()(T x) const { return x == value; }
};
struct is_nan {
  template <class T>
  REDTUNE_DEVICE bool operator()(T x) const {
    return x != x;
  }
};

/// Compares lanes from `lane` down to the first, so that the lowest that is looked for is left in
/// found.
template <int lane, class T, class Wanted, class In, int width, class Index>
REDTUNE_DEVICE void find_in_vector(const loaded_vector<In, width>& loaded, Wanted wanted,
                                   Index index, Index& found) {
  found = wanted(T(value_of(element_of(loaded, lane)))) ? index + Index(lane) : found;
  if constexpr (lane > 0) find_in_vector<lane - 1, T>(loaded, wanted, index, found);
}

/// Likewise of all vectors of a thread that are there, `stride` from each other; `first`: the index
/// of its first element.
template <class T, int loads, int stride, class Wanted, class In, int width, class Index>
REDTUNE_DEVICE Index find_in_vectors(const loaded_vector<In, width>* loaded, i32 left,
                                     Wanted wanted, Index first) {
  Index found = ~Index(0);
  REDTUNE_UNROLL
  for (int i = loads - 1; i >= 0; --i) {
    if (i * stride >= left) continue;
    find_in_vector<width - 1, T>(loaded[i], wanted, first + Index(i * stride * width), found);
  }
  return found;
}

/// The lowest index of an element that is the same as value, of those of a thread that are there;
/// all bits set for none.
template <class T, int loads, int stride, class In, int width, class Index>
REDTUNE_DEVICE Index find_same(const loaded_vector<In, width>* loaded, i32 left, T value,
                               Index first) {
  if (value != value) return find_in_vectors<T, loads, stride>(loaded, left, is_nan{}, first);
  return find_in_vectors<T, loads, stride>(loaded, left, equal_to<T>{value}, first);
}

/// The best of a thread's vectors, of which the `left` first are there and the others are padded,
/// and its index; `first`: that of its first element.
template <class Op, class T, int loads, int stride, class In, int width>
REDTUNE_DEVICE placed_value<T> find_in_loads(const loaded_vector<In, width>* loaded, i32 left,
                                             u32 first) {
  typedef typename Op::value_op ValueOp;
  const T value = tile_value<ValueOp, T, loads>(loaded);
  if (leaves_out_nan<ValueOp>::value && value != value) {
    return {ValueOp::template identity<T>(), ~u32(0)};
  }
  return {value, find_same<T, loads, stride>(loaded, left, value, first)};
}

}  // namespace redtune
