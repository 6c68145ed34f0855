// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What all lanes of a wave say yes or no to, and what one of them has, for kernels that need it:
// apart from the other preludes, which all kernels are made of.
#pragma once

#include "wave_reduce.hip.h"

namespace redtune {

/// A bit for each lane of the wave that says yes, in every lane; all of them call it.
template <int wave_size>
REDTUNE_DEVICE u64 votes_of_wave(bool mine) {
#if defined(REDTUNE_CUDA)
  return __ballot_sync(0xffffffffu, mine);
#elif defined(REDTUNE_HIP)
  return __ballot(mine);
#else
  const i32 lane = thread_index() % wave_size;
  u64 votes = mine ? u64(1) << lane : u64(0);
  for (i32 distance = 1; distance < wave_size; distance *= 2) {
    u64 others = 0;
    redtune_host_exchange(&votes, &others, sizeof(votes), (lane ^ distance) - lane);
    votes |= others;
  }
  return votes;
#endif
}

/// Of a wave that says yes.
template <int wave_size>
constexpr u64 votes_of_all = ~u64(0) >> (64 - wave_size);

/// The word that a lane of the wave has: which, each lane says for itself.
template <int wave_size>
REDTUNE_DEVICE u32 word_of_lane(u32 mine, i32 which) {
#if defined(REDTUNE_CUDA)
  return __shfl_sync(0xffffffffu, mine, which, wave_size);
#elif defined(REDTUNE_HIP) && HIP_VERSION_MAJOR >= 7
  return __shfl_sync(~0ull, mine, which, wave_size);
#elif defined(REDTUNE_HIP)
  return u32(__shfl(i32(mine), which, wave_size));
#else
  u32 word = mine;
  redtune_host_exchange(&mine, &word, sizeof(mine), which - thread_index() % wave_size);
  return word;
#endif
}

/// Likewise a value: whole words, or a small integer.
template <int wave_size, class T>
REDTUNE_DEVICE T value_of_lane(T value, i32 which) {
  return exchanged_by_words(value, [=](u32 word) { return word_of_lane<wave_size>(word, which); });
}

/// A line of memory is asked for that is not needed yet.
REDTUNE_DEVICE void ask_for_line([[maybe_unused]] const void* there) {
#if defined(REDTUNE_CUDA)
  asm volatile("prefetch.L2 [%0];" ::"l"(there));
#endif
}

REDTUNE_DEVICE i32 count_votes(u64 votes) {
  return i32(count_ones(u32(votes)) + count_ones(u32(votes >> 32)));
}
/// One more than the last lane that said yes; 0: none did.
REDTUNE_DEVICE i32 end_of_votes(u32 votes) {
  return bit_width(votes);
}
REDTUNE_DEVICE i32 end_of_votes(u64 votes) {
  const u32 high = u32(votes >> 32);
  return high != 0 ? 32 + bit_width(high) : bit_width(u32(votes));
}

}  // namespace redtune
