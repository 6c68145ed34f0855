// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// No thread meets another: each folds a few neighbours into one value, and the kernel is launched
// again on what came out. All that is left goes through memory in every launch.
#pragma once

#include "../device_code/prelude.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size, int work_per_thread>
REDTUNE_KERNEL(block_size)
halving(const In* in, i64 count, Acc* out) {
  const i64 i = i64(block_index()) * block_size + thread_index();
  const i64 first = i * work_per_thread;
  wait_for_previous();
  if (i > 0 && first >= count) return;  // the first thread stays: nothing adds up to zero
  Acc value = 0;
  REDTUNE_UNROLL
  for (i32 k = 0; k < work_per_thread; ++k) {
    if (first + k < count) value += Acc(in[first + k]);
  }
  out[i] = value;
}

}  // namespace redtune::ladder
