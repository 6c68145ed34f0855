// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Once a single wave is left its lanes wait for each other alone, and the rest of the block is
// done. Lanes of a wave run in step on some devices only, so they do have to wait.
#pragma once

#include "../device_code/prelude.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size, int wave_size>
REDTUNE_KERNEL(block_size)
tree_last_wave(const In* in, i64 count, Acc* out) {
  REDTUNE_SHARED Acc tile[block_size];
  const i32 thread = thread_index();
  const i64 i = i64(block_index()) * (2 * block_size) + thread;
  wait_for_previous();
  const Acc first = i < count ? Acc(in[i]) : Acc(0);
  const Acc second = i + block_size < count ? Acc(in[i + block_size]) : Acc(0);
  tile[thread] = first + second;
  block_barrier();
  REDTUNE_ROLLED
  for (i32 distance = block_size / 2; distance > wave_size; distance /= 2) {
    if (thread < distance) tile[thread] += tile[thread + distance];
    block_barrier();
  }
  if (thread >= wave_size) return;
  REDTUNE_ROLLED
  for (i32 distance = wave_size; distance > 0; distance /= 2) {
    if (thread < distance) tile[thread] += tile[thread + distance];
    wave_barrier();
  }
  if (thread == 0) out[block_index()] = tile[0];
}

}  // namespace redtune::ladder
