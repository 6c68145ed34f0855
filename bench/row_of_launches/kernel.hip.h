// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A small reduction whose blocks note where and when they ran, in three ways to start behind the
// launch before. For NVIDIA GPUs from compute capability 9.0 on.
#pragma once

#include "kernel_templates/device_code/prelude.hip.h"

#if defined(REDTUNE_CUDA)

namespace redtune {

/// Of one block: nanoseconds of the device's clock when it began, when it had waited for the launch
/// before, and when it ended; and the compute unit it ran on.
struct block_note {
  u64 begin;
  u64 ready;
  u64 end;
  u64 unit;
};

REDTUNE_DEVICE u64 now() {
  u64 nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds)::"memory");
  return nanoseconds;
}

REDTUNE_DEVICE u64 this_unit() {
  u32 unit;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
  return unit;
}

/// How a launch starts, and when it lets the next one: 0 as any kernel; 1 early, and the next one
/// at its end; 2 early, and the next one at once.
template <int how>
REDTUNE_DEVICE void wait_as() {
  static_assert(how >= 0 && how <= 2, "one of three ways");
  if constexpr (how == 1) asm volatile("griddepcontrol.wait;" ::: "memory");
  if constexpr (how == 2) wait_for_previous();
}

/// The sum of all threads' values; right in thread 0.
template <int block_size>
REDTUNE_DEVICE float sum_of_block(float value) {
  REDTUNE_SHARED float waves[block_size / 32];
  REDTUNE_UNROLL
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __uint_as_float(shuffle_down_word<32>(__float_as_uint(value), distance));
  }
  if (thread_index() % 32 == 0) waves[thread_index() / 32] = value;
  block_barrier();
  float sum = 0.0f;
  for (int wave = 0; wave < block_size / 32; ++wave) sum += waves[wave];
  block_barrier();
  return sum;
}

/// Sums an input; the last block adds up what all have found. counter is 0 before and after; notes:
/// one for each block, or null.
template <int block_size, int how>
REDTUNE_KERNEL(block_size)
noted_sum(const vec<float, 4>* in, i64 count, float* partials, u32* counter, float* out,
          block_note* notes) {
  const u64 begin = now();
  wait_as<how>();
  const u64 ready = now();
  REDTUNE_SHARED u32 ticket;
  float value = 0.0f;
  const i64 step = i64(grid_size()) * block_size;
  for (i64 i = i64(block_index()) * block_size + thread_index(); i < count; i += step) {
    const vec<float, 4> four = in[i];
    value += (four.v[0] + four.v[1]) + (four.v[2] + four.v[3]);
  }
  const float partial = sum_of_block<block_size>(value);
  if (thread_index() == 0) {
    partials[block_index()] = partial;
    ticket = take_ticket<acq_rel_fence>(counter, u32(grid_size()));
  }
  block_barrier();
  if (ticket == u32(grid_size()) - 1) {
    float rest = 0.0f;
    for (i32 i = thread_index(); i < grid_size(); i += block_size) rest += __ldcg(partials + i);
    const float sum = sum_of_block<block_size>(rest);
    if (thread_index() == 0) *out = sum;
  }
  if (notes != nullptr && thread_index() == 0) {
    const u64 end = now();
    notes[block_index()] = block_note{begin, ready, end, this_unit()};
  }
}

}  // namespace redtune

#endif
