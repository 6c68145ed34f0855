// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish for a grid of one block: its value is the result.
#pragma once

#include "block_reduce.hip.h"

namespace redtune {

struct single_block {
  static constexpr bool one_block = true;

  template <class Op, int block_size, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE void run(Acc block_value, Out* out, Acc*, u32*) {
    if (thread_index() == 0) *out = Op::template leave<Out>(block_value);
  }
};

}  // namespace redtune
