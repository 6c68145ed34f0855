// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Turned inside out: every wave folds its own values by shuffles first, and shared memory holds one
// value for each wave. One barrier is left.
#pragma once

#include "../device_code/wave_reduce.hip.h"

namespace redtune::ladder {

/// The sum of a wave's values, in its first lane.
template <int wave_size, class Acc>
REDTUNE_DEVICE Acc wave_sum(Acc value) {
  REDTUNE_UNROLL
  for (i32 distance = wave_size / 2; distance > 0; distance /= 2) {
    value += shuffle_down<wave_size>(value, distance);
  }
  return value;
}

/// The sum of a block's values, in its first thread.
template <int block_size, int wave_size, class Acc>
REDTUNE_DEVICE Acc block_sum(Acc value) {
  constexpr i32 waves = block_size / wave_size;
  REDTUNE_SHARED Acc of_wave[waves];
  const i32 lane = thread_index() % wave_size;
  const i32 wave = thread_index() / wave_size;
  value = wave_sum<wave_size>(value);
  if (lane == 0) of_wave[wave] = value;
  block_barrier();
  if (wave == 0) {
    value = 0;
    for (i32 k = lane; k < waves; k += wave_size) value += of_wave[k];
    value = wave_sum<wave_size>(value);
  }
  return value;
}

template <class In, class Acc, int block_size, int wave_size>
REDTUNE_KERNEL(block_size)
wave_first(const In* in, i64 count, Acc* out) {
  const i64 i = i64(block_index()) * (2 * block_size) + thread_index();
  wait_for_previous();
  const Acc first = i < count ? Acc(in[i]) : Acc(0);
  const Acc second = i + block_size < count ? Acc(in[i + block_size]) : Acc(0);
  const Acc total = block_sum<block_size, wave_size>(first + second);
  if (thread_index() == 0) out[block_index()] = total;
}

}  // namespace redtune::ladder
