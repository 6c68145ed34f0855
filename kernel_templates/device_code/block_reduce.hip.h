// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Folding the threads of a block: waves first, then one value per wave through shared memory.
// Thread 0 holds the result. A block that folds twice has a barrier of its own in between.
#pragma once

#include "wave_reduce.hip.h"

namespace redtune {

/// What blocks need to become one value; passed to finishes.
template <class Acc, class Out>
struct finish_memory {
  Out* out;
  Acc* partials;  ///< one for each block, or cluster of blocks
  u32* counter;   ///< of tickets; zero before and after
  i64 count;      ///< elements of the input
  u64* slots;     ///< instead of partials and counter, where words are handed over; likewise zero
};

/// Whether a finish hands words over, in which more stands than the value of a block.
template <class Finish>
struct hands_over_words {
  static constexpr bool value = false;
};

/// Whether a block of the launch that reads the input writes the result; else another launch does.
template <class Finish>
struct ends_at_once {
  static constexpr bool value = true;
};

/// What kernels are given: `between` are the partials of the blocks, or words.
template <class Finish, class Acc, class Out, class Between>
REDTUNE_DEVICE finish_memory<Acc, Out> memory_of(Out* out, Between* between, u32* counter,
                                                 i64 count) {
  if constexpr (hands_over_words<Finish>::value) {
    return {out, nullptr, counter, count, between};
  } else {
    return {out, between, counter, count, nullptr};
  }
}

/// What a finish has come to in a block: the value of all elements, where is_last. In thread 0.
template <class Acc>
struct ending {
  Acc value;
  bool is_last;
};

template <class Op, class Acc, class Out>
REDTUNE_DEVICE void write_result(const ending<Acc>& end, const finish_memory<Acc, Out>& memory) {
  if (thread_index() == 0 && end.is_last) {
    *memory.out = Op::template leave<Out>(end.value, memory.count);
  }
}

/// Folds the values [first, first + many) as a tree.
template <class Op, int first, int many, class Acc>
REDTUNE_DEVICE Acc fold_values(const Acc* values) {
  if constexpr (many == 1) {
    return values[first];
  } else {
    constexpr int half = many / 2;
    return Op::template combine<Acc>(fold_values<Op, first, half>(values),
                                     fold_values<Op, first + half, many - half>(values));
  }
}

/// Values of waves that one lane folds sooner than all lanes of a wave do: a few loads at once and
/// the steps of the fold, where a shuffle alone takes as long as several steps.
template <class Op, int waves>
struct folds_alone {
  static constexpr bool value = Op::elementwise && waves <= 16;
};

template <class Op, int block_size, int wave_size, class Acc>
REDTUNE_DEVICE Acc block_reduce(Acc value) {
  constexpr int waves = (block_size + wave_size - 1) / wave_size;
  value = wave_reduce<Op, wave_size>(value);
  if constexpr (waves > 1) {
    REDTUNE_SHARED Acc partial alignas(16)[waves];
    const i32 lane = i32(u32(thread_index()) % u32(wave_size));
    const i32 wave = i32(u32(thread_index()) / u32(wave_size));
    if (lane == 0) partial[wave] = value;
    block_barrier();
    if (wave != 0) return value;
    if constexpr (folds_alone<Op, waves>::value) {
      value = fold_values<Op, 0, waves>(partial);
    } else {
      value = lane < waves ? partial[lane] : Op::template identity<Acc>();
      REDTUNE_UNROLL
      for (i32 i = lane + wave_size; i < waves; i += wave_size) {
        value = Op::template combine<Acc>(value, partial[i]);
      }
      value = wave_reduce<Op, wave_size, (waves < wave_size ? waves : wave_size)>(value);
    }
  }
  return value;
}

}  // namespace redtune
