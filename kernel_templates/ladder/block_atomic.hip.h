// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One element for each thread, folded by waves and through shared memory, and one atomic for each
// block.
#pragma once

#include "../device_code/atomic.hip.h"
#include "wave_first.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size, int wave_size>
REDTUNE_KERNEL(block_size)
block_atomic(const In* in, i64 count, Acc* out) {
  const i64 i = i64(block_index()) * block_size + thread_index();
  wait_for_previous();
  const Acc total = block_sum<block_size, wave_size>(i < count ? Acc(in[i]) : Acc(0));
  if (thread_index() == 0) atomic_add(out, total);
}

}  // namespace redtune::ladder
