// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish in one launch, by one wave: as last_block, but only the first wave of each block stays for
// the ticket, and that of the last block folds all partials without another barrier. For grids of
// few blocks. The order of additions is fixed.
#pragma once

#include "finish_second_pass.hip.h"

namespace redtune {

template <class Fence>
struct last_wave {
  static constexpr bool one_block = false;

  template <class Op, int block_size, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE void run(Acc block_value, Out* out, Acc* partials, u32* counter) {
    if (thread_index() >= wave_size) return;
    const u32 blocks = u32(grid_size());
    u32 ticket = 0;
    if (thread_index() == 0) {
      partials[block_index()] = block_value;
      ticket = take_ticket<Fence>(counter, blocks);
    }
    wave_fence();
    if (broadcast_word<wave_size>(ticket) != blocks - 1) return;
    Acc value = Op::template identity<Acc>();
    REDTUNE_ROLLED
    for (u32 i = u32(thread_index()); i < blocks; i += 4 * wave_size) {
      value = Op::template combine<Acc>(value, fold_four<Op, wave_size>(partials, i, blocks));
    }
    value = wave_reduce<Op, wave_size>(value);
    if (thread_index() == 0) *out = Op::template leave<Out>(value);
  }
};

}  // namespace redtune
