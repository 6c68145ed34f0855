// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Fills an input where it lies, so that the host need not hold and copy it.
#pragma once

#include "generate.hip.h"

namespace redtune {

/// Writes count elements, the first of which is the input's element first; each block a run of
/// neighbours. The last five say where the elements of results lie, see generate.hip.h.
template <class T, class Pattern, int block_size>
REDTUNE_KERNEL(block_size)
fill(typename T::word* out, i64 count, u64 seed, u64 decisive, i64 first, u64 result_count,
     u64 step, u64 slice, u64 in_array, u64 batch_step) {
  wait_for_previous();
  const i64 run = i64((u64(count) + u64(grid_size()) - 1) / u64(grid_size()));
  const i64 begin = i64(block_index()) * run;
  const i64 end = begin + run < count ? begin + run : count;
  REDTUNE_ROLLED
  for (i64 i = begin + thread_index(); i < end; i += block_size) {
    out[i] = generated<T, Pattern>(u64(first + i), seed, decisive,
                                   result_places{result_count, step, slice, in_array, batch_step});
  }
}

}  // namespace redtune
