// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish in one launch: each block stores its partial and takes a ticket; the block with the last
// ticket folds all partials in index order, so the order of additions does not depend on timing.
#pragma once

#include "finish_second_pass.hip.h"

namespace redtune {

template <class Fence>
struct last_block {
  static constexpr bool one_block = false;

  static REDTUNE_DEVICE void begin() {}

  template <class Op, int block_size, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE ending<Acc> run(Acc block_value, const finish_memory<Acc, Out>& memory) {
    REDTUNE_SHARED bool is_last;
    const u32 blocks = u32(grid_size());
    if (thread_index() == 0) {
      memory.partials[block_index()] = block_value;
      is_last = take_ticket<Fence>(memory.counter, blocks) == blocks - 1;
    }
    block_barrier();
    if (!is_last) return {block_value, false};
    return {fold_partials<Op, block_size, wave_size>(memory.partials, i32(blocks)), true};
  }
};

}  // namespace redtune
