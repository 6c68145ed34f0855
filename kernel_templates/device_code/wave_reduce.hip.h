// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Folding the lanes of a wave: by one instruction where the GPU has it, else through shuffles. Lane
// 0 holds the result.
#pragma once

#include "ops.hip.h"

namespace redtune {

template <int wave_size, class T>
REDTUNE_DEVICE T shuffle_down(T value, i32 distance) {
  if constexpr (sizeof(T) < sizeof(u32)) {  // an integer: what it is widened by is cut off again
    return T(shuffle_down_word<wave_size>(u32(value), distance));
  } else {
    struct words {
      u32 w[(sizeof(T) + 3) / 4];
    };
    static_assert(sizeof(words) == sizeof(T), "shuffled types are whole 32-bit words, or integers");
    words parts = __builtin_bit_cast(words, value);
    REDTUNE_UNROLL
    for (u32& word : parts.w) word = shuffle_down_word<wave_size>(word, distance);
    return __builtin_bit_cast(T, parts);
  }
}

/// Whether a fold of 32-bit words folds accumulators of a type, and which does.
template <class Fold, class Acc>
struct fold_at_once {
  static constexpr bool is_sum = is_same<Fold, adding>::value;
  static constexpr bool is_least = is_same<Fold, taking_least>::value;
  static constexpr bool is_greatest = is_same<Fold, taking_greatest>::value;
  static constexpr bool is_of_bits = is_same<Fold, common_bits>::value ||
                                     is_same<Fold, united_bits>::value ||
                                     is_same<Fold, differing_bits>::value;
  static constexpr bool is_one_word = sizeof(Acc) <= sizeof(u32);
  static constexpr bool exists =
      has_wave_folds && is_integer<Acc>::value &&
      (is_sum || is_of_bits || ((is_least || is_greatest) && is_one_word));
  static constexpr bool is_signed = is_signed_integer<Acc>::value;
  static constexpr wave_fold how =
      is_sum        ? wave_fold::sum
      : is_least    ? (is_signed ? wave_fold::least_signed : wave_fold::least)
      : is_greatest ? (is_signed ? wave_fold::greatest_signed : wave_fold::greatest)
      : is_same<Fold, common_bits>::value ? wave_fold::common_bits
      : is_same<Fold, united_bits>::value ? wave_fold::united_bits
                                          : wave_fold::differing_bits;

  static REDTUNE_DEVICE Acc apply(Acc value) {
    if constexpr (is_one_word) {
      return Acc(fold_of_wave<how>(u32(value)));
    } else if constexpr (is_sum) {
      // In pieces of 27 bits, 32 of which do not overflow a word.
      const u64 bits = u64(value);
      const u64 low = fold_of_wave<how>(u32(bits) & 0x7ffffffu);
      const u64 middle = fold_of_wave<how>(u32(bits >> 27) & 0x7ffffffu);
      const u64 high = fold_of_wave<how>(u32(bits >> 54));
      return Acc(low + (middle << 27) + (high << 54));
    } else {
      const u64 bits = u64(value);
      const u64 low = fold_of_wave<how>(u32(bits));
      return Acc(low | u64(fold_of_wave<how>(u32(bits >> 32))) << 32);
    }
  }
};

/// Folds the first lanes of a wave; a power of two of them, the others are of no account.
template <class Op, int wave_size, int lanes = wave_size, class Acc>
REDTUNE_DEVICE Acc wave_reduce(Acc value) {
  typedef fold_at_once<typename Op::fold, Acc> at_once;
  if constexpr (at_once::exists && lanes > 2) {  // of two lanes a shuffle does it
    if constexpr (lanes < wave_size) {
      if (thread_index() % wave_size >= lanes) value = Op::template identity<Acc>();
    }
    return at_once::apply(value);
  }
  REDTUNE_UNROLL
  for (i32 distance = lanes / 2; distance > 0; distance /= 2) {
    value = Op::template combine<Acc>(value, shuffle_down<wave_size>(value, distance));
  }
  return value;
}

}  // namespace redtune
