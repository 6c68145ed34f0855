// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Values from lower lanes of a wave, for scans; apart from the other preludes, which all kernels
// are made of. Lanes below the distance have their own.
#pragma once

#include "wave_reduce.hip.h"

namespace redtune {

template <int wave_size>
REDTUNE_DEVICE u32 shuffle_up_word(u32 value, i32 distance) {
#if defined(REDTUNE_CUDA)
  return __shfl_up_sync(0xffffffffu, value, u32(distance), wave_size);
#elif defined(REDTUNE_HIP) && HIP_VERSION_MAJOR >= 7
  return __shfl_up_sync(~0ull, value, distance, wave_size);
#elif defined(REDTUNE_HIP)
  return u32(__shfl_up(i32(value), distance, wave_size));
#else
  u32 other = value;
  const bool is_there = thread_index() % wave_size >= distance;
  redtune_host_exchange(&value, &other, sizeof(value), is_there ? -distance : 0);
  return other;
#endif
}

template <int wave_size, class T>
REDTUNE_DEVICE T shuffle_up(T value, i32 distance) {
  if constexpr (sizeof(T) < sizeof(u32)) {  // an integer: what it is widened by is cut off again
    return T(shuffle_up_word<wave_size>(u32(value), distance));
  } else {
    struct words {
      u32 w[(sizeof(T) + 3) / 4];
    };
    static_assert(sizeof(words) == sizeof(T), "shuffled types are whole 32-bit words, or integers");
    words parts = __builtin_bit_cast(words, value);
    REDTUNE_UNROLL
    for (u32& word : parts.w) word = shuffle_up_word<wave_size>(word, distance);
    return __builtin_bit_cast(T, parts);
  }
}

}  // namespace redtune
