// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Types and names that every platform's prelude shares.
#pragma once

namespace redtune {

typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

/// 16-bit floats in memory: IEEE binary16, and the upper half of a float.
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};

/// How an element is fetched: through all caches, or marked as not to be kept. These choices are
/// types and not enumerators: hipRTC 5.2 finds an instantiation by its demangled name, where
/// enumerators are casts.
struct cached {};
struct streaming {};

/// Memory order of the hand-over between blocks: a full device fence, or acquire and release on the
/// ticket.
struct full_fence {};
struct acq_rel_fence {};

/// Folds of 32-bit words that some GPUs do for a whole wave by one instruction.
enum class wave_fold {
  sum,
  least,
  least_signed,
  greatest,
  greatest_signed,
  common_bits,
  united_bits,
  differing_bits
};

template <class A, class B>
struct is_same {
  static constexpr bool value = false;
};
template <class A>
struct is_same<A, A> {
  static constexpr bool value = true;
};

/// Whether an operator takes elements for 1 where they are not zero, and else for 0.
template <class Op>
constexpr bool enters_as_flag = false;

/// Neighbouring elements that one instruction loads; its address is a multiple of its size.
template <class T, int width>
struct alignas(sizeof(T) * width) vec {
  T v[width];
};

}  // namespace redtune
