// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Folds that take words as they were loaded, several small elements or parts of a large one at
// once, where lane by lane would cost several instructions for each.
#pragma once

#include "ops.hip.h"

namespace redtune {

/// Of 1- and 2-byte elements: the highest bit of each, and all others.
template <class In>
struct word_masks {
  static constexpr u32 high = sizeof(In) == 1 ? 0x80808080u : 0x80008000u;
  static constexpr u32 low = ~high;
};

/// The bits of word `place` of a load that make an element differ from zero: the sign of -0.0 does
/// not.
template <class In>
REDTUNE_DEVICE u32 worth_of_word(int place) {
  if constexpr (is_integer<In>::value) return ~0u;
  if constexpr (sizeof(In) == 2) return 0x7fff7fffu;
  return sizeof(In) == 4 || place % 2 == 1 ? 0x7fffffffu : ~0u;
}

/// The highest bit of each element that is not zero. Adding all lower bits carries into the highest
/// where one of them is set.
template <class In>
REDTUNE_DEVICE u32 nonzero_elements(u32 word) {
  typedef word_masks<In> masks;
  const u32 carried = (word & masks::low) + masks::low;
  return (is_integer<In>::value ? carried | word : carried) & masks::high;
}

/// All elements of a word folded to one.
template <class Fold, class In>
REDTUNE_DEVICE In fold_elements(u32 word) {
  word = Fold::template combine<u32>(word, word >> 16);
  if constexpr (sizeof(In) == 1) word = Fold::template combine<u32>(word, word >> 8);
  return In(word);
}

/// How an operator folds words: start, add word `place` of a load, join two states, and what the
/// state is as an accumulator.
template <class Op, class In>
struct word_fold {
  static constexpr bool exists = false;
};

/// Counts of small elements: a thread's part of a tile is far below 2^32.
template <class In>
struct word_fold<count_nonzero, In> {
  static constexpr bool exists = sizeof(In) < sizeof(u32);
  static constexpr u32 start = 0;
  static REDTUNE_DEVICE u32 add(u32 word, u32 state, int) {
    return state + count_ones(nonzero_elements<In>(word));
  }
  static REDTUNE_DEVICE u32 join(u32 a, u32 b) { return a + b; }
  template <class Acc>
  static REDTUNE_DEVICE Acc result(u32 state) {
    return Acc(state);
  }
};

template <class In>
struct word_fold<all, In> {
  static constexpr bool exists = sizeof(In) < sizeof(u32);
  static constexpr u32 start = word_masks<In>::high;
  static REDTUNE_DEVICE u32 add(u32 word, u32 state, int) {
    return state & nonzero_elements<In>(word);
  }
  static REDTUNE_DEVICE u32 join(u32 a, u32 b) { return a & b; }
  template <class Acc>
  static REDTUNE_DEVICE Acc result(u32 state) {
    return Acc(state == word_masks<In>::high ? 1 : 0);
  }
};

template <class In>
struct word_fold<any, In> {
  static constexpr bool exists = true;
  static constexpr u32 start = 0;
  static REDTUNE_DEVICE u32 add(u32 word, u32 state, int place) {
    return state | (word & worth_of_word<In>(place));
  }
  static REDTUNE_DEVICE u32 join(u32 a, u32 b) { return a | b; }
  template <class Acc>
  static REDTUNE_DEVICE Acc result(u32 state) {
    return Acc(state != 0 ? 1 : 0);
  }
};

/// and, or, xor: bits do not care which element they are of.
template <class Op, class In>
struct bitwise_word_fold {
  static constexpr bool exists = sizeof(In) < sizeof(u32);
  static constexpr u32 start = is_same<Op, bit_and>::value ? ~0u : 0u;
  static REDTUNE_DEVICE u32 add(u32 word, u32 state, int) {
    return Op::template combine<u32>(word, state);
  }
  static REDTUNE_DEVICE u32 join(u32 a, u32 b) { return Op::template combine<u32>(a, b); }
  template <class Acc>
  static REDTUNE_DEVICE Acc result(u32 state) {
    return Acc(fold_elements<Op, In>(state));
  }
};
template <class In>
struct word_fold<bit_and, In> : bitwise_word_fold<bit_and, In> {};
template <class In>
struct word_fold<bit_or, In> : bitwise_word_fold<bit_or, In> {};
template <class In>
struct word_fold<bit_xor, In> : bitwise_word_fold<bit_xor, In> {};

/// Squares of bytes: 2^16 of them do not overflow 32 bits.
template <class In>
struct squares_word_fold {
  static constexpr bool exists = has_squares_of_bytes && sizeof(In) == 1;
  static constexpr u32 start = 0;
  static REDTUNE_DEVICE u32 add(u32 word, u32 state, int) { return add_squares<In>(word, state); }
  static REDTUNE_DEVICE u32 join(u32 a, u32 b) { return a + b; }
  template <class Acc>
  static REDTUNE_DEVICE Acc result(u32 state) {
    return Acc(state);
  }
};
template <class In>
struct word_fold<sum_of_squares, In> : squares_word_fold<In> {};
template <class In>
struct word_fold<l2_norm, In> : squares_word_fold<In> {};

/// Whether loads of so many elements are folded by words.
template <class Op, class In, int width>
struct folds_words {
  static constexpr bool value =
      has_word_folds && sizeof(vec<In, width>) % sizeof(u32) == 0 && word_fold<Op, In>::exists;
};

template <class Op, class Acc, int loads, class In, int width>
REDTUNE_DEVICE Acc fold_words(const loaded_vector<In, width>* loaded) {
  typedef word_fold<Op, In> folder;
  u32 total = folder::start;
  REDTUNE_UNROLL
  for (int i = 0; i < loads; ++i) {
    u32 of_load = folder::start;  // of its own: no load waits for the one before
    REDTUNE_UNROLL
    for (int k = 0; k < words_of_load<In, width>; ++k) {
      of_load = folder::add(word_of(loaded[i].words, k), of_load, k);
    }
    total = folder::join(total, of_load);
  }
  return folder::template result<Acc>(total);
}

}  // namespace redtune
