// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// No atomic: every block stores its sum, and the kernel is launched again on the sums until one is
// left. The launches wait for each other; no addition does.
#pragma once

#include "wave_first.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size, int wave_size>
REDTUNE_KERNEL(block_size)
multi_kernel(const In* in, i64 count, Acc* out) {
  const i64 i = i64(block_index()) * block_size + thread_index();
  wait_for_previous();
  const Acc total = block_sum<block_size, wave_size>(i < count ? Acc(in[i]) : Acc(0));
  if (thread_index() == 0) out[block_index()] = total;
}

}  // namespace redtune::ladder
