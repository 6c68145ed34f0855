// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish in two launches: each block stores its partial; a second launch of one block folds them.
#pragma once

#include "block_reduce.hip.h"

namespace redtune {

struct second_pass {
  static constexpr bool one_block = false;

  template <class Op, int block_size, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE void run(Acc block_value, Out*, Acc* partials, u32*) {
    if (thread_index() == 0) partials[block_index()] = block_value;
  }
};

/// Folds partials in index order; every thread of the one block calls it.
template <class Op, int block_size, int wave_size, class Acc, class Out>
REDTUNE_DEVICE void fold_partials(const Acc* partials, i32 partial_count, Out* out) {
  Acc value = Op::template identity<Acc>();
  REDTUNE_ROLLED
  for (i32 i = thread_index(); i < partial_count; i += block_size) {
    value = Op::template combine<Acc>(value, partials[i]);
  }
  value = block_reduce<Op, block_size, wave_size>(value);
  if (thread_index() == 0) *out = Op::template leave<Out>(value);
}

template <class Op, class Acc, class Out, int block_size, int wave_size>
REDTUNE_KERNEL(block_size)
fold_pass(const Acc* partials, i32 partial_count, Out* out) {
  fold_partials<Op, block_size, wave_size>(partials, partial_count, out);
}

}  // namespace redtune
