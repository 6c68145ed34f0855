// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish in one launch without waiting: each block adds its value to the output by a device atomic.
// A launch before it has set the output to the identity. The order of additions is that of the
// blocks' ends.
#pragma once

#include "atomic.hip.h"
#include "block_reduce.hip.h"

namespace redtune {

/// The device atomic of a fold; none for folds that GPUs have no atomic of.
template <class Fold>
struct atomic_fold;
template <>
struct atomic_fold<adding> {
  template <class T>
  static REDTUNE_DEVICE void apply(T* out, T value) {
    atomic_add(out, value);
  }
};
template <>
struct atomic_fold<taking_least> {
  template <class T>
  static REDTUNE_DEVICE void apply(T* out, T value) {
    atomic_min(out, value);
  }
};
template <>
struct atomic_fold<taking_greatest> {
  template <class T>
  static REDTUNE_DEVICE void apply(T* out, T value) {
    atomic_max(out, value);
  }
};
template <>
struct atomic_fold<common_bits> {
  template <class T>
  static REDTUNE_DEVICE void apply(T* out, T value) {
    atomic_and(out, value);
  }
};
template <>
struct atomic_fold<united_bits> {
  template <class T>
  static REDTUNE_DEVICE void apply(T* out, T value) {
    atomic_or(out, value);
  }
};
template <>
struct atomic_fold<differing_bits> {
  template <class T>
  static REDTUNE_DEVICE void apply(T* out, T value) {
    atomic_xor(out, value);
  }
};

struct atomic {
  static constexpr bool one_block = false;

  static REDTUNE_DEVICE void begin() {}

  template <class Op, int block_size, int wave_size, class Acc>
  static REDTUNE_DEVICE ending<Acc> run(Acc block_value, const finish_memory<Acc, Acc>& memory) {
    if (thread_index() == 0) atomic_fold<typename Op::fold>::apply(memory.out, block_value);
    return {block_value, false};
  }
};

/// The launch before: the value of no elements, by one thread of a block of the least size.
template <class Op, class Out, int block_size>
REDTUNE_KERNEL(block_size)
set_identity(Out* out) {
  wait_for_previous();
  if (thread_index() == 0) *out = Op::template identity<Out>();
}

}  // namespace redtune
