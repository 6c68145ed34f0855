// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// argmin and argmax of elements that are in registers: they are folded as by min and max, and then
// compared with what came out; small ones in the one load that came to it.
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

/// Of all vectors of a thread, `stride` from each other; `first`: the index of its first element.
template <class T, int loads, int stride, class Wanted, class In, int width, class Index>
REDTUNE_DEVICE Index find_in_vectors(const loaded_vector<In, width>* loaded, Wanted wanted,
                                     Index first) {
  Index found = ~Index(0);
  REDTUNE_UNROLL
  for (int i = loads - 1; i >= 0; --i) {
    find_in_vector<width - 1, T>(loaded[i], wanted, first + Index(i * stride * width), found);
  }
  return found;
}

/// Likewise, of the first vector that has it: values are what each comes to.
template <class T, int loads, int stride, class Wanted, class In, int width, class Index>
REDTUNE_DEVICE Index find_by_vectors(const loaded_vector<In, width>* loaded, const T* values,
                                     Wanted wanted, Index first) {
  loaded_vector<In, width> there = loaded[loads - 1];
  Index at = first + Index((loads - 1) * stride * width);
  REDTUNE_UNROLL
  for (int i = loads - 2; i >= 0; --i) {
    const bool is_there = wanted(values[i]);
    there.words = is_there ? loaded[i].words : there.words;
    at = is_there ? first + Index(i * stride * width) : at;
  }
  Index found = ~Index(0);
  find_in_vector<width - 1, T>(there, wanted, at, found);
  return found;
}

/// What the loads of a thread come to. Where loads are words and hold several small elements, each
/// is folded by itself, so that an element is looked for in one load alone. A processor compares
/// several elements of its vectors at once, and does not need that.
template <class ValueOp, class T, int loads, class In, int width,
          bool by_loads = (has_word_folds && sizeof(In) < sizeof(u32) && loads > 1 && width > 2)>
struct loads_value {
  REDTUNE_DEVICE explicit loads_value(const loaded_vector<In, width>* loaded)
      : value(tile_value<ValueOp, T, loads>(loaded)) {}
  template <int stride, class Wanted, class Index>
  REDTUNE_DEVICE Index find(const loaded_vector<In, width>* loaded, Wanted wanted,
                            Index first) const {
    return find_in_vectors<T, loads, stride>(loaded, wanted, first);
  }

  T value;
};
template <class ValueOp, class T, int loads, class In, int width>
struct loads_value<ValueOp, T, loads, In, width, true> {
  REDTUNE_DEVICE explicit loads_value(const loaded_vector<In, width>* loaded) {
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) each.v[i] = tile_value<ValueOp, T, 1>(loaded + i);
    value = fold_lanes<ValueOp, T, 0, loads>(each);
  }
  template <int stride, class Wanted, class Index>
  REDTUNE_DEVICE Index find(const loaded_vector<In, width>* loaded, Wanted wanted,
                            Index first) const {
    return find_by_vectors<T, loads, stride>(loaded, each.v, wanted, first);
  }

  struct {
    T v[loads];
  } each;
  T value;
};

/// The lowest index of an element that is the same as value, of a thread's vectors of which the
/// `left` first are there and the others, behind them, are padded; all bits set for none.
template <int loads, int stride, class Values, class T, class In, int width, class Index>
REDTUNE_DEVICE Index find_same(const Values& values, const loaded_vector<In, width>* loaded,
                               i32 left, T value, Index first) {
  Index found;
  if (value != value) {
    found = values.template find<stride>(loaded, is_nan{}, first);
  } else {
    found = values.template find<stride>(loaded, equal_to<T>{value}, first);
  }
  constexpr i32 most = loads * stride;
  const i32 there = left < 0 ? 0 : left < most ? left : most;
  return found - first < Index(there) * Index(width) ? found : ~Index(0);
}

/// The best of a thread's vectors, and its index; `left` and `first` as above.
template <class Op, class T, int loads, int stride, class In, int width>
REDTUNE_DEVICE placed_value<T> find_in_loads(const loaded_vector<In, width>* loaded, i32 left,
                                             u32 first) {
  typedef typename Op::value_op ValueOp;
  const loads_value<ValueOp, T, loads, In, width> values(loaded);
  const T value = values.value;
  if (leaves_out_nan<ValueOp>::value && value != value) {
    return {ValueOp::template identity<T>(), ~u32(0)};
  }
  return {value, find_same<loads, stride>(values, loaded, left, value, first)};
}

}  // namespace redtune
