// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The block size is known to the compiler, so both loops can go: every distance is a constant,
// every address an offset.
#pragma once

#include "../device_code/prelude.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size, int wave_size>
REDTUNE_KERNEL(block_size)
tree_unrolled(const In* in, i64 count, Acc* out) {
  REDTUNE_SHARED Acc tile[block_size];
  const i32 thread = thread_index();
  const i64 i = i64(block_index()) * (2 * block_size) + thread;
  wait_for_previous();
  const Acc first = i < count ? Acc(in[i]) : Acc(0);
  const Acc second = i + block_size < count ? Acc(in[i + block_size]) : Acc(0);
  tile[thread] = first + second;
  block_barrier();
  REDTUNE_UNROLL
  for (i32 distance = block_size / 2; distance > wave_size; distance /= 2) {
    if (thread < distance) tile[thread] += tile[thread + distance];
    block_barrier();
  }
  if (thread >= wave_size) return;
  REDTUNE_UNROLL
  for (i32 distance = wave_size; distance > 0; distance /= 2) {
    if (thread < distance) tile[thread] += tile[thread + distance];
    wave_barrier();
  }
  if (thread == 0) out[block_index()] = tile[0];
}

}  // namespace redtune::ladder
