// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The same with four elements for each thread, brought by one load of up to 16 bytes, and a quarter
// of the threads.
#pragma once

#include "../device_code/atomic.hip.h"
#include "wave_first.hip.h"

namespace redtune::ladder {

/// in: aligned to 16 bytes.
template <class In, class Acc, int block_size, int wave_size>
REDTUNE_KERNEL(block_size)
block_atomic_x4(const In* in, i64 count, Acc* out) {
  constexpr i32 width = sizeof(In) > 4 ? 2 : 4;  // of 8-byte elements a load brings two
  const i64 first = (i64(block_index()) * block_size + thread_index()) * 4;
  wait_for_previous();
  Acc value = 0;
  if (first + 4 <= count) {
    const vec<In, width>* vectors = reinterpret_cast<const vec<In, width>*>(in + first);
    REDTUNE_UNROLL
    for (i32 k = 0; k < 4 / width; ++k) {
      const pack<In, width> four = lanes_of(load_vector<cached>(vectors + k));
      REDTUNE_UNROLL
      for (i32 lane = 0; lane < width; ++lane) value += Acc(four.v[lane]);
    }
  } else {
    for (i64 i = first; i < count; ++i) value += Acc(in[i]);
  }
  value = block_sum<block_size, wave_size>(value);
  if (thread_index() == 0) atomic_add(out, value);
}

}  // namespace redtune::ladder
