// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Neighbours add in pairs, then pairs of pairs: log2(block) rounds instead of a long line. Each
// round keeps every second, fourth, eighth thread at work, so all waves stay and most of their
// lanes idle.
#pragma once

#include "../device_code/prelude.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size>
REDTUNE_KERNEL(block_size)
tree_interleaved(const In* in, i64 count, Acc* out) {
  REDTUNE_SHARED Acc tile[block_size];
  const i32 thread = thread_index();
  const i64 i = i64(block_index()) * block_size + thread;
  wait_for_previous();
  tile[thread] = i < count ? Acc(in[i]) : Acc(0);
  block_barrier();
  REDTUNE_ROLLED
  for (i32 distance = 1; distance < block_size; distance *= 2) {
    if (u32(thread) % u32(2 * distance) == 0) tile[thread] += tile[thread + distance];
    block_barrier();
  }
  if (thread == 0) out[block_index()] = tile[0];
}

}  // namespace redtune::ladder
