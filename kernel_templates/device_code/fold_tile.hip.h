// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the loads of a tile come to, and what a thread makes of the few elements outside of vectors.
#pragma once

#include "elements.hip.h"
#include "extreme_pairs.hip.h"
#include "load.hip.h"
#include "word_fold.hip.h"

namespace redtune {

/// Folds the loads [first, first + loads) lane by lane, as a tree: short chains, small errors.
template <class Op, class Acc, int first, int loads, class In, int width>
REDTUNE_DEVICE pack<Acc, width> fold_loads(const loaded_vector<In, width>* loaded) {
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
    return Acc(values.v[first]);
  } else {
    return Op::template combine<Acc>(fold_lanes<Op, Acc, first, width / 2>(values),
                                     fold_lanes<Op, Acc, first + width / 2, width / 2>(values));
  }
}

/// An accumulator of several members in the place of a pack.
template <class Acc>
struct one_value {
  Acc v[1];
};
template <class Op, class Acc>
REDTUNE_DEVICE one_value<Acc> combine_packs(const one_value<Acc>& a, const one_value<Acc>& b) {
  return {{Op::template combine<Acc>(a.v[0], b.v[0])}};
}

/// How the loads of a tile are folded.
template <class Op, class In, class Acc, int width>
struct tile_fold {
  typedef typename tile_accumulator<Op, In, Acc>::type TileAcc;
  static constexpr bool by_pairs = folds_pairs<Op, In, width>::value;
  static constexpr bool by_words = folds_words<Op, In, width>::value;
  static constexpr bool in_own_type = !is_same<TileAcc, Acc>::value;
  /// Lanes of what comes out; one where an operator has a way of its own.
  static constexpr int lanes = by_pairs || by_words || in_own_type || Op::joint ? 1 : width;
  typedef typename either<Op::joint, one_value<Acc>, pack<Acc, lanes>>::type Folded;
};

template <class Op, class Acc, int loads, class In, int width>
REDTUNE_DEVICE Acc tile_value(const loaded_vector<In, width>* loaded);

/// The elements of some loads.
template <int loads, class In, int width>
struct elements_of_tile {
  typedef In element;
  static constexpr int element_bytes = sizeof(In);
  const loaded_vector<In, width>* loaded;

  static REDTUNE_DEVICE constexpr i64 count() { return loads * width; }
  template <class Op, class T>
  REDTUNE_DEVICE T value() const {
    return tile_value<Op, T, loads>(loaded);
  }
  template <class T, class Function>
  REDTUNE_DEVICE T sum(const Function& function) const {
    T sums[width] = {};
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) add_to_lanes<0>(loaded[i], function, sums);
    return sum_of<0, width>(sums);
  }
};

/// What loads of one tile come to: lane by lane, or one value where the operator folds a tile in a
/// type of its own, by words or by pairs.
template <class Op, class Acc, int loads, class In, int width>
REDTUNE_DEVICE auto fold_tile(const loaded_vector<In, width>* loaded) {
  typedef tile_fold<Op, In, Acc, width> how;
  typedef typename how::TileAcc TileAcc;
  if constexpr (Op::joint) {
    return one_value<Acc>{
        {Op::template fold_elements<Acc>(elements_of_tile<loads, In, width>{loaded})}};
  } else if constexpr (how::lanes != 1 || (width == 1 && !how::in_own_type)) {
    return fold_loads<Op, Acc, 0, loads>(loaded);
  } else {
    pack<Acc, 1> folded;
    if constexpr (how::by_pairs) {
      folded.v[0] = fold_pairs<Op, Acc, loads>(loaded);
    } else if constexpr (how::by_words) {
      folded.v[0] = fold_words<Op, Acc, loads>(loaded);
    } else if constexpr (is_small_integer_sum<Op, In>::value) {
      folded.v[0] = Acc(sum_loads<TileAcc, loads>(loaded));
    } else {
      const auto lanes = fold_loads<Op, TileAcc, 0, loads>(loaded);
      folded.v[0] = Acc(fold_lanes<Op, TileAcc, 0, width>(lanes));
    }
    return folded;
  }
}

/// Likewise, as one value.
template <class Op, class Acc, int loads, class In, int width>
REDTUNE_DEVICE Acc tile_value(const loaded_vector<In, width>* loaded) {
  return fold_lanes<Op, Acc, 0, tile_fold<Op, In, Acc, width>::lanes>(
      fold_tile<Op, Acc, loads>(loaded));
}

/// The element that changes nothing where it is folded with others; of the type that elements of In
/// are computed with.
template <class Op, class E>
REDTUNE_DEVICE E padding() {
  if constexpr (Op::joint) {
    return Op::template padding<E>();
  } else if constexpr (is_same<Op, all>::value) {
    return E(1);  // any but zero
  } else if constexpr (leaves_out_nan<Op>::value) {
    return bounds<E>::nan();  // what looks for an index must not find the identity
  } else {
    return Op::template identity<E>();
  }
}

/// The same as an element of an input.
template <class Op, class In>
REDTUNE_DEVICE In missing_element() {
  return convert<In>(padding<Op, decltype(value_of(In()))>());
}

/// Loads what is left of a tile, `left` vectors from `from` on, and pads the tile, so that the rest
/// of an input is folded by the same instructions as a whole tile.
template <class Op, class Hint, int loads, int stride, class In, int width>
REDTUNE_DEVICE void load_padded(const vec<In, width>* from, i32 left,
                                loaded_vector<In, width>* loaded) {
  const In missing = missing_element<Op, In>();
  REDTUNE_UNROLL
  for (int i = 0; i < loads; ++i) {
    loaded[i] = load_vector_or<Hint>(i * stride < left, from + i * stride, missing);
  }
}

/// What one thread of the block that takes the odd elements makes of its share of them.
template <class Op, class Acc, int block_size, class Input>
REDTUNE_DEVICE Acc fold_odd_elements(const Input& input) {
  Acc value = Op::template identity<Acc>();
  const i32 odd = input.odd_count();
  REDTUNE_ROLLED
  for (i32 i = thread_index(); i < odd; i += block_size) {
    const Acc entered = Op::template enter<Acc>(value_of(input.odd_element(i)));
    value = Op::template combine<Acc>(value, entered);
  }
  return value;
}

}  // namespace redtune
