// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Each thread loads several neighbouring elements and folds them before it meets the others: the
// work around the elements is shared by more of them. The index is signed, so that compilers may
// join loads.
#pragma once

#include "wave_first.hip.h"

namespace redtune::ladder {

template <class In, class Acc, int block_size, int wave_size, int items>
REDTUNE_KERNEL(block_size)
items_per_thread(const In* in, i64 count, Acc* out) {
  const i64 first = (i64(block_index()) * block_size + thread_index()) * items;
  wait_for_previous();
  In item[items];
  if (first + items <= count) {
    REDTUNE_UNROLL
    for (i32 k = 0; k < items; ++k) item[k] = in[first + k];
  } else {
    REDTUNE_UNROLL
    for (i32 k = 0; k < items; ++k) item[k] = first + k < count ? in[first + k] : In(0);
  }
  Acc value = 0;
  REDTUNE_UNROLL
  for (i32 k = 0; k < items; ++k) value += Acc(item[k]);
  value = block_sum<block_size, wave_size>(value);
  if (thread_index() == 0) out[block_index()] = value;
}

}  // namespace redtune::ladder
