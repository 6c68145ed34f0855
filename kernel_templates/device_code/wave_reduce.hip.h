// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Folding the lanes of a wave through shuffles. Lane 0 holds the result.
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

/// Folds the first lanes of a wave; a power of two of them, the others are of no account.
template <class Op, int wave_size, int lanes = wave_size, class Acc>
REDTUNE_DEVICE Acc wave_reduce(Acc value) {
  REDTUNE_UNROLL
  for (i32 distance = lanes / 2; distance > 0; distance /= 2) {
    value = Op::template combine<Acc>(value, shuffle_down<wave_size>(value, distance));
  }
  return value;
}

}  // namespace redtune
