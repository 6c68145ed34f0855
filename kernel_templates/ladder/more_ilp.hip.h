// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Several loads before the first addition, and an accumulator for each: the thread waits once for
// all of them, and no addition waits for the one before it.
#pragma once

#include "wave_first.hip.h"

namespace redtune::ladder {

/// in: aligned to 16 bytes.
template <class In, class Acc, int block_size, int wave_size, int loads>
REDTUNE_KERNEL(block_size)
more_ilp(const In* in, i64 count, Acc* out) {
  constexpr i32 width = 16 / i32(sizeof(In));
  const vec<In, width>* vectors = reinterpret_cast<const vec<In, width>*>(in);
  const i64 vector_count = count / width;
  const i64 first = i64(block_index()) * block_size + thread_index();
  const i64 stride = i64(grid_size()) * block_size;
  wait_for_previous();
  Acc value[loads] = {};
  i64 i = first;
  for (; i + (loads - 1) * stride < vector_count; i += loads * stride) {
    pack<In, width> loaded[loads];
    REDTUNE_UNROLL
    for (i32 k = 0; k < loads; ++k)
      loaded[k] = lanes_of(load_vector<cached>(vectors + i + k * stride));
    REDTUNE_UNROLL
    for (i32 k = 0; k < loads; ++k) {
      REDTUNE_UNROLL
      for (i32 lane = 0; lane < width; ++lane) value[k] += Acc(loaded[k].v[lane]);
    }
  }
  for (; i < vector_count; i += stride) {
    const pack<In, width> loaded = lanes_of(load_vector<cached>(vectors + i));
    REDTUNE_UNROLL
    for (i32 lane = 0; lane < width; ++lane) value[0] += Acc(loaded.v[lane]);
  }
  if (first < count % width) value[0] += Acc(in[vector_count * width + first]);
  REDTUNE_UNROLL
  for (i32 k = 1; k < loads; ++k) value[0] += value[k];
  const Acc total = block_sum<block_size, wave_size>(value[0]);
  if (thread_index() == 0) out[block_index()] = total;
}

}  // namespace redtune::ladder
