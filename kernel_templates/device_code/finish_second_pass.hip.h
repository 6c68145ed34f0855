// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish in two launches: each block stores its partial; a second launch of one block folds them.
#pragma once

#include "block_reduce.hip.h"

namespace redtune {

struct second_pass {
  static constexpr bool one_block = false;

  static REDTUNE_DEVICE void begin() {}

  template <class Op, int block_size, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE ending<Acc> run(Acc block_value, const finish_memory<Acc, Out>& memory) {
    if (thread_index() == 0) memory.partials[block_index()] = block_value;
    return {block_value, false};
  }
};

template <>
struct ends_at_once<second_pass> {
  static constexpr bool value = false;
};

/// Up to four partials, from index i on and stride apart: loaded together, folded as a tree.
template <class Op, int stride, class Acc>
REDTUNE_DEVICE Acc fold_four(const Acc* partials, u32 i, u32 partial_count) {
  Acc loaded[4];
  REDTUNE_UNROLL
  for (int k = 0; k < 4; ++k) {
    const u32 index = i + u32(k * stride);
    loaded[k] = index < partial_count ? partials[index] : Op::template identity<Acc>();
  }
  return Op::template combine<Acc>(Op::template combine<Acc>(loaded[0], loaded[1]),
                                   Op::template combine<Acc>(loaded[2], loaded[3]));
}

/// Folds partials in an order that their number decides; every thread of the one block calls it.
/// Thread 0 holds the result.
template <class Op, int block_size, int wave_size, class Acc>
REDTUNE_DEVICE Acc fold_partials(const Acc* partials, i32 partial_count) {
  Acc value = Op::template identity<Acc>();
  REDTUNE_ROLLED
  for (u32 i = u32(thread_index()); i < u32(partial_count); i += 4 * block_size) {
    value = Op::template combine<Acc>(value,
                                      fold_four<Op, block_size>(partials, i, u32(partial_count)));
  }
  return block_reduce<Op, block_size, wave_size>(value);
}

template <class Op, class Acc, class Out, int block_size, int wave_size>
REDTUNE_KERNEL(block_size)
fold_pass(typename shaped<Op, Acc>::type* partials, i32 partial_count,
          typename shaped<Op, Out>::result* out, i64 count) {
  typedef finish_memory<typename shaped<Op, Acc>::type, typename shaped<Op, Out>::result> memory;
  wait_for_previous();
  const auto value = fold_partials<Op, block_size, wave_size>(partials, partial_count);
  write_result<Op>({value, true}, memory{out, partials, nullptr, count, nullptr});
}

}  // namespace redtune
