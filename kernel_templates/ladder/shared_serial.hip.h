// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The block gathers its tile in shared memory and one thread adds it up: one atomic for each block,
// but all other threads stand and wait.
#pragma once

#include "../device_code/atomic.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size>
REDTUNE_KERNEL(block_size)
shared_serial(const In* in, i64 count, Acc* out) {
  REDTUNE_SHARED Acc tile[block_size];
  const i32 thread = thread_index();
  const i64 i = i64(block_index()) * block_size + thread;
  wait_for_previous();
  tile[thread] = i < count ? Acc(in[i]) : Acc(0);
  block_barrier();
  if (thread != 0) return;
  Acc total = 0;
  REDTUNE_ROLLED
  for (i32 k = 0; k < block_size; ++k) total += tile[k];
  atomic_add(out, total);
}

}  // namespace redtune::ladder
