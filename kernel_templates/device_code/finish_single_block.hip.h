// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish for a grid of one block: its value is the result.
#pragma once

#include "block_reduce.hip.h"

namespace redtune {

struct single_block {
  static constexpr bool one_block = true;

  static REDTUNE_DEVICE void begin() {}

  template <class Op, int block_size, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE void run(Acc block_value, const finish_memory<Acc, Out>& memory) {
    if (thread_index() == 0) *memory.out = Op::template leave<Out>(block_value, memory.count);
  }
};

}  // namespace redtune
