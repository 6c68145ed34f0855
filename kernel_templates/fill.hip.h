// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Fills an input where it lies, so that the host need not hold and copy it.
#pragma once

#include "generate.hip.h"

namespace redtune {

/// Writes count elements, the first of which is the input's element first.
template <class T, class Pattern, int block_size>
REDTUNE_KERNEL(block_size)
fill(typename T::word* out, i64 count, u64 seed, u64 decisive, i64 first) {
  const i64 step = i64(grid_size()) * block_size;
  REDTUNE_ROLLED
  for (i64 i = i64(block_index()) * block_size + thread_index(); i < count; i += step) {
    out[i] = generated<T, Pattern>(u64(first + i), seed, decisive);
  }
}

}  // namespace redtune
