// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The same additions between the same places, done by the first threads: whole waves fall idle. But
// their lanes now meet at few banks of shared memory.
#pragma once

#include "../device_code/prelude.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size>
REDTUNE_KERNEL(block_size)
tree_less_divergence(const In* in, i64 count, Acc* out) {
  REDTUNE_SHARED Acc tile[block_size];
  const i32 thread = thread_index();
  const i64 i = i64(block_index()) * block_size + thread;
  wait_for_previous();
  tile[thread] = i < count ? Acc(in[i]) : Acc(0);
  block_barrier();
  REDTUNE_ROLLED
  for (i32 distance = 1; distance < block_size; distance *= 2) {
    const i32 at = 2 * distance * thread;
    if (at < block_size) tile[at] += tile[at + distance];
    block_barrier();
  }
  if (thread == 0) out[block_index()] = tile[0];
}

}  // namespace redtune::ladder
