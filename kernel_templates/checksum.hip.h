// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whether memory holds what it held, or what it should, and how it comes to hold that again,
// without a copy to the host.
#pragma once

#include "compare.hip.h"

namespace redtune {

/// The bits of a word, mixed with its place: two that swap places change the sum.
REDTUNE_DEVICE u64 mixed(u64 word, u64 place) {
  u64 bits = word + (place + 1) * 0x9e3779b97f4a7c15ull;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return bits ^ (bits >> 31);
}

/// The sum of what the threads of a block have found.
template <int block_size>
REDTUNE_DEVICE void leave_sum(u64 found, u64* sums) {
  static_assert((block_size & (block_size - 1)) == 0, "halves of a block are whole");
  REDTUNE_SHARED u64 shared[block_size];
  const i32 thread = thread_index();
  shared[thread] = found;
  for (i32 half = block_size / 2; half > 0; half /= 2) {
    block_barrier();
    if (thread < half) shared[thread] += shared[thread + half];
  }
  if (thread == 0) sums[block_index()] = shared[0];
}

/// A sum for each block, which together tell the bytes. They begin at a multiple of four.
template <int block_size>
REDTUNE_KERNEL(block_size)
checksum(const unsigned char* bytes, i64 count, u64* sums) {
  const i64 step = i64(grid_size()) * block_size;
  const i64 first = i64(block_index()) * block_size + thread_index();
  const u32* const words = reinterpret_cast<const u32*>(bytes);
  const i64 whole = count / 4;
  u64 sum = 0;
  REDTUNE_ROLLED
  for (i64 i = first; i < whole; i += step) sum += mixed(words[i], u64(i));
  for (i64 i = 4 * whole + first; i < count; i += step) sum += mixed(bytes[i], u64(i) << 32);
  leave_sum<block_size>(sum, sums);
}

template <class T>
REDTUNE_DEVICE bool is_within(T got, T expected, double absolute, double relative) {
  if (is_same_value(got, expected)) return true;
  if constexpr (is_integer<T>::value) {
    return false;
  } else {
    const double value = number_of<T>(__builtin_bit_cast(typename float_words<T>::word, got));
    const double right = number_of<T>(__builtin_bit_cast(typename float_words<T>::word, expected));
    const double off = value < right ? right - value : value - right;
    const double size = right < 0 ? -right : right;
    return off - off == 0 && (off <= absolute || off <= relative * size);
  }
}

/// How many numbers each block saw that are not certainly near enough: integers that are not the
/// same, floats that are farther off than both bounds.
template <class T, int block_size>
REDTUNE_KERNEL(block_size)
far_apart(const T* got, const T* expected, i64 count, double absolute, double relative, u64* far) {
  const i64 step = i64(grid_size()) * block_size;
  const i64 first = i64(block_index()) * block_size + thread_index();
  u64 seen = 0;
  REDTUNE_ROLLED
  for (i64 i = first; i < count; i += step) {
    if (!is_within(got[i], expected[i], absolute, relative)) ++seen;
  }
  leave_sum<block_size>(seen, far);
}

/// Copies bytes that begin at a multiple of four on both sides.
template <int block_size>
REDTUNE_KERNEL(block_size)
restore(unsigned char* to, const unsigned char* from, i64 count) {
  const i64 step = i64(grid_size()) * block_size;
  const i64 first = i64(block_index()) * block_size + thread_index();
  u32* const words = reinterpret_cast<u32*>(to);
  const u32* const source = reinterpret_cast<const u32*>(from);
  const i64 whole = count / 4;
  REDTUNE_ROLLED
  for (i64 i = first; i < whole; i += step) words[i] = source[i];
  for (i64 i = 4 * whole + first; i < count; i += step) to[i] = from[i];
}

}  // namespace redtune
