// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The upper half is added onto the lower half: neighbouring lanes read neighbouring places, each
// from a bank of its own.
#pragma once

#include "../device_code/prelude.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size>
REDTUNE_KERNEL(block_size)
tree_conflict_free(const In* in, i64 count, Acc* out) {
  REDTUNE_SHARED Acc tile[block_size];
  const i32 thread = thread_index();
  const i64 i = i64(block_index()) * block_size + thread;
  wait_for_previous();
  tile[thread] = i < count ? Acc(in[i]) : Acc(0);
  block_barrier();
  REDTUNE_ROLLED
  for (i32 distance = block_size / 2; distance > 0; distance /= 2) {
    if (thread < distance) tile[thread] += tile[thread + distance];
    block_barrier();
  }
  if (thread == 0) out[block_index()] = tile[0];
}

}  // namespace redtune::ladder
