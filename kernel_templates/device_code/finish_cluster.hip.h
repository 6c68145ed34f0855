// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish in one launch: the blocks of a cluster hand their values to the first of them through its
// shared memory; the clusters end as the blocks of last_wave do, by tickets. A grid of one cluster
// needs neither. The order of additions is fixed.
#pragma once

#include "finish_last_wave.hip.h"

namespace redtune {

/// Stores a value at the place that it would have in the shared memory of the cluster's first
/// block.
template <class T>
REDTUNE_DEVICE void hand_to_first_block(T* place, const T& value) {
  if constexpr (sizeof(T) < sizeof(u32)) {
    store_in_first_block(reinterpret_cast<u32*>(place), u32(value));
  } else {
    struct words {
      u32 w[sizeof(T) / sizeof(u32)];
    };
    const words parts = __builtin_bit_cast(words, value);
    REDTUNE_UNROLL
    for (int i = 0; i < int(sizeof(T) / sizeof(u32)); ++i) {
      store_in_first_block(reinterpret_cast<u32*>(place) + i, parts.w[i]);
    }
  }
}

template <class Fence, int cluster_size>
struct cluster {
  static constexpr bool one_block = false;

  /// Nobody's shared memory may be written before its block has begun.
  static REDTUNE_DEVICE void begin() { arrive_in_cluster(); }

  template <class Op, int block_size, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE ending<Acc> run(Acc block_value, const finish_memory<Acc, Out>& memory) {
    struct alignas(16) slot {  // whole words, however small the value is
      Acc value;
    };
    REDTUNE_SHARED slot slots[cluster_size];
    const u32 rank = u32(block_index()) % u32(cluster_size);
    wait_for_cluster();
    if (thread_index() == 0) hand_to_first_block(&slots[rank].value, block_value);
    arrive_in_cluster();
    wait_for_cluster();
    if (rank != 0 || thread_index() >= wave_size) return {block_value, false};
    Acc value =
        thread_index() < cluster_size ? slots[thread_index()].value : Op::template identity<Acc>();
    value = wave_reduce<Op, wave_size, cluster_size>(value);
    const u32 clusters = u32(grid_size()) / u32(cluster_size);
    if (clusters == 1) return {value, true};
    const u32 index = u32(block_index()) / u32(cluster_size);
    return end_by_last_wave<Fence, Op, wave_size>(value, index, clusters, memory);
  }
};

}  // namespace redtune
