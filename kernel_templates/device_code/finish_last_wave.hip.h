// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish in one launch, by one wave: as last_block, but only the first wave of each block stays for
// the ticket, and that of the last block folds all partials without another barrier. For grids of
// few blocks. The order of additions is fixed.
#pragma once

#include "finish_second_pass.hip.h"

namespace redtune {

/// Folds partials in an order that their number decides; one wave calls it.
template <class Op, int wave_size, class Acc>
REDTUNE_DEVICE Acc fold_by_wave(const Acc* partials, u32 partial_count) {
  Acc value = Op::template identity<Acc>();
  REDTUNE_ROLLED
  for (u32 i = u32(thread_index()); i < partial_count; i += 4 * wave_size) {
    value = Op::template combine<Acc>(value, fold_four<Op, wave_size>(partials, i, partial_count));
  }
  return wave_reduce<Op, wave_size>(value);
}

/// Takes the ticket of partial `index` of `partial_count`; the wave with the last one folds them
/// all.
template <class Fence, class Op, int wave_size, class Acc, class Out>
REDTUNE_DEVICE ending<Acc> end_by_last_wave(Acc partial, u32 index, u32 partial_count,
                                            const finish_memory<Acc, Out>& memory) {
  u32 ticket = 0;
  if (thread_index() == 0) {
    memory.partials[index] = partial;
    ticket = take_ticket<Fence>(memory.counter, partial_count);
  }
  wave_fence();
  if (broadcast_word<wave_size>(ticket) != partial_count - 1) return {partial, false};
  return {fold_by_wave<Op, wave_size>(memory.partials, partial_count), true};
}

template <class Fence>
struct last_wave {
  static constexpr bool one_block = false;

  static REDTUNE_DEVICE void begin() {}

  template <class Op, int block_size, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE ending<Acc> run(Acc block_value, const finish_memory<Acc, Out>& memory) {
    if (thread_index() >= wave_size) return {block_value, false};
    return end_by_last_wave<Fence, Op, wave_size>(block_value, u32(block_index()), u32(grid_size()),
                                                  memory);
  }
};

}  // namespace redtune
