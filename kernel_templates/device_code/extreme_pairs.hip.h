// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Minimum and maximum of 8- and 16-bit integers, two at a time in the halves of a word, where a
// platform has instructions for that.
#pragma once

#include "ops.hip.h"

namespace redtune {

/// Whether loads of so many elements are folded by pairs.
template <class Op, class In, int width>
struct folds_pairs {
  typedef typename Op::fold fold;
  static constexpr bool is_extreme =
      (is_same<fold, taking_least>::value || is_same<fold, taking_greatest>::value) &&
      (Op::plain || is_same<Op, abs_max>::value);
  static constexpr bool is_small = is_integer<In>::value && sizeof(In) < sizeof(u32);
  static constexpr bool value =
      has_pair_extremes && is_extreme && is_small && sizeof(vec<In, width>) % sizeof(u32) == 0;
};

/// The extreme of all elements of some loads. Bytes are compared as the upper bytes of pairs: what
/// stands below them decides between equals only. The odd bytes stand there already, the even ones
/// after a shift.
template <class Fold, int loads, class In, int width>
REDTUNE_DEVICE In extreme_of_loads(const loaded_vector<In, width>* loaded) {
  constexpr bool is_signed = is_signed_integer<In>::value;
  constexpr bool is_max = is_same<Fold, taking_greatest>::value;
  u32 odd = word_of(loaded[0].words, 0);
  u32 even = odd << 8;
  REDTUNE_UNROLL
  for (int i = 0; i < loads; ++i) {
    REDTUNE_UNROLL
    for (int k = 0; k < words_of_load<In, width>; ++k) {
      const u32 word = word_of(loaded[i].words, k);
      odd = extreme_of_pairs<is_signed, is_max>(odd, word);
      if constexpr (sizeof(In) == 1) even = extreme_of_pairs<is_signed, is_max>(even, word << 8);
    }
  }
  constexpr int upper = 16 - 8 * sizeof(In);  // where the compared part of a half begins
  In result = Fold::template combine<In>(In(odd >> upper), In(odd >> (16 + upper)));
  if constexpr (sizeof(In) == 1) {
    result = Fold::template combine<In>(result, In(even >> upper));
    result = Fold::template combine<In>(result, In(even >> (16 + upper)));
  }
  return result;
}

/// What loads come to by pairs. The largest magnitude is that of the least or of the greatest.
template <class Op, class Acc, int loads, class In, int width>
REDTUNE_DEVICE Acc fold_pairs(const loaded_vector<In, width>* loaded) {
  const In extreme = extreme_of_loads<typename Op::fold, loads>(loaded);
  if constexpr (is_same<Op, abs_max>::value && is_signed_integer<In>::value) {
    const In least = extreme_of_loads<taking_least, loads>(loaded);
    return Op::template combine<Acc>(Op::template enter<Acc>(least),
                                     Op::template enter<Acc>(extreme));
  } else {
    return Acc(extreme);
  }
}

}  // namespace redtune
