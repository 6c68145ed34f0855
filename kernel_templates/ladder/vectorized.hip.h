// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The grid of before with loads of 16 bytes: a quarter of the instructions for the same bytes, and
// four times as many bytes on their way. What is left of a vector falls to the first threads.
#pragma once

#include "wave_first.hip.h"

namespace redtune::ladder {

/// in: aligned to 16 bytes.
template <class In, class Acc, int block_size, int wave_size>
REDTUNE_KERNEL(block_size)
vectorized(const In* in, i64 count, Acc* out) {
  constexpr i32 width = 16 / i32(sizeof(In));
  const vec<In, width>* vectors = reinterpret_cast<const vec<In, width>*>(in);
  const i64 vector_count = count / width;
  const i64 first = i64(block_index()) * block_size + thread_index();
  const i64 stride = i64(grid_size()) * block_size;
  wait_for_previous();
  Acc value = 0;
  for (i64 i = first; i < vector_count; i += stride) {
    const pack<In, width> loaded = lanes_of(load_vector<cached>(vectors + i));
    REDTUNE_UNROLL
    for (i32 lane = 0; lane < width; ++lane) value += Acc(loaded.v[lane]);
  }
  if (first < count % width) value += Acc(in[vector_count * width + first]);
  value = block_sum<block_size, wave_size>(value);
  if (thread_index() == 0) out[block_index()] = value;
}

}  // namespace redtune::ladder
