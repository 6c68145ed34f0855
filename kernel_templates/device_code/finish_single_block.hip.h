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
  static REDTUNE_DEVICE ending<Acc> run(Acc block_value, const finish_memory<Acc, Out>&) {
    return {block_value, true};
  }
};

}  // namespace redtune
