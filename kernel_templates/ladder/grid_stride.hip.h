// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A grid of fixed size walks over the input: threads stay and take one element after another, the
// block is folded once. Two launches do for every count: the grid, and one block for its sums.
#pragma once

#include "wave_first.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size, int wave_size>
REDTUNE_KERNEL(block_size)
grid_stride(const In* in, i64 count, Acc* out) {
  const i64 stride = i64(grid_size()) * block_size;
  wait_for_previous();
  Acc value = 0;
  for (i64 i = i64(block_index()) * block_size + thread_index(); i < count; i += stride) {
    value += Acc(in[i]);
  }
  value = block_sum<block_size, wave_size>(value);
  if (thread_index() == 0) out[block_index()] = value;
}

}  // namespace redtune::ladder
