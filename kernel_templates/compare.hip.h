// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Tells results that are certainly right from others, where they lie: to bring many to the host
// takes longer than anything else of a trial. What the others are is for the host to say.
#pragma once

#include "device_code/ops.hip.h"

namespace redtune {

/// The words of a float: the bits of its size that make an infinity, and the least normal number.
template <class T>
struct float_words;
template <>
struct float_words<float> {
  typedef u32 word;
  static constexpr u32 infinity = 0x7f800000u;
  static constexpr u32 least_normal = 0x00800000u;
};
template <>
struct float_words<double> {
  typedef u64 word;
  static constexpr u64 infinity = 0x7ff0000000000000ull;
  static constexpr u64 least_normal = 0x0010000000000000ull;
};
template <>
struct float_words<f16> {
  typedef u16 word;
  static constexpr u16 infinity = 0x7c00;
  static constexpr u16 least_normal = 0x0400;
};
template <>
struct float_words<bf16> {
  typedef u16 word;
  static constexpr u16 infinity = 0x7f80;
  static constexpr u16 least_normal = 0x0080;
};

/// What a float's word says.
template <class T>
REDTUNE_DEVICE double number_of(typename float_words<T>::word word) {
  return double(value_of(__builtin_bit_cast(T, word)));
}

/// Bit for bit, but for NaN, of which one is as good as another.
template <class T>
REDTUNE_DEVICE bool is_same_value(T got, T expected) {
  if constexpr (is_integer<T>::value) {
    return got == expected;
  } else {
    typedef typename float_words<T>::word word;
    constexpr word infinity = float_words<T>::infinity;
    const word a = __builtin_bit_cast(word, got);
    const word b = __builtin_bit_cast(word, expected);
    constexpr word size = word(word(~word(0)) >> 1);
    return a == b || (word(a & size) > infinity && word(b & size) > infinity);
  }
}
template <class T>
REDTUNE_DEVICE bool is_same_value(const indexed_value<T>& got, const indexed_value<T>& expected) {
  return is_same_value(got.value, expected.value) && got.index == expected.index;
}

/// A result of which more digits are known than it has: value + rest. How far it may be off grows
/// with its reach. value NaN: nothing is certain.
struct alignas(16) near_value {
  double value;
  float rest;
  float reach;
};

/// Half the distance from a finite number of some size to the next larger or smaller one; beside
/// the largest there is none that is larger.
template <class T>
REDTUNE_DEVICE double half_step(typename float_words<T>::word size, bool is_to_larger) {
  typedef typename float_words<T>::word word;
  constexpr word least_normal = float_words<T>::least_normal;
  const bool has_larger = word(size + 1) < float_words<T>::infinity;
  const word first = is_to_larger & has_larger ? size : word(size - 1);
  const word from = size > least_normal ? first : least_normal;  // all steps below are as long
  return (number_of<T>(word(from + 1)) - number_of<T>(from)) / 2;
}

/// Whether a result is off by at most what its own rounding, `per_value` of its size and
/// `per_reach` of its reach make together. The margins are for the roundings of this and of the
/// host's own bounds (tuner/verify/acceptable.hpp).
template <class T>
REDTUNE_DEVICE bool is_near(T got, const near_value& expected, double per_value, double per_reach) {
  typedef typename float_words<T>::word word;
  const word bits = __builtin_bit_cast(word, got);
  const word size = word(bits & word(word(~word(0)) >> 1));
  if (size >= float_words<T>::infinity) return false;
  const double off = (expected.value - number_of<T>(bits)) + double(expected.rest);
  const double of_value = expected.value < 0 ? -expected.value : expected.value;
  const bool is_larger = (off > 0) == (size == bits);
  const double allowed = half_step<T>(size, is_larger) * (1 - 0x1p-50) +
                         (of_value * per_value + double(expected.reach) * per_reach) * (1 - 0x1p-8);
  return (off < 0 ? -off : off) <= allowed;
}

/// Calls is_right(i) for all of count results, unless too many are not certainly right. report: how
/// many were looked at, how many of them are not certainly right, and the numbers of these, as far
/// as there is room.
template <int block_size, class IsRight>
REDTUNE_DEVICE void look_at_all(i64 count, u64* report, i64 room, const IsRight& is_right) {
  const i64 step = i64(grid_size()) * block_size;
  u64 looked_at = 0;
  REDTUNE_ROLLED
  for (i64 i = i64(block_index()) * block_size + thread_index(); i < count; i += step) {
    ++looked_at;
    if (is_right(i)) continue;
    const u64 place = add_to_counted_word(report + 1, 1);
    if (place >= u64(room)) break;
    report[2 + place] = u64(i);
  }
  add_to_word(report, looked_at);
}

template <class Result>
struct same_results {
  const Result* got;
  const Result* expected;
  REDTUNE_DEVICE bool operator()(i64 i) const { return is_same_value(got[i], expected[i]); }
};

template <class T>
struct near_results {
  const T* got;
  const near_value* expected;
  double per_value;
  double per_reach;
  REDTUNE_DEVICE bool operator()(i64 i) const {
    return is_near(got[i], expected[i], per_value, per_reach);
  }
};

/// Results that have to be what is expected.
template <class Result, int block_size>
REDTUNE_KERNEL(block_size)
compare_same(const Result* got, i64 count, const Result* expected, u64* report, i64 room) {
  wait_for_previous();
  look_at_all<block_size>(count, report, room, same_results<Result>{got, expected});
}

/// Results that round.
template <class T, int block_size>
REDTUNE_KERNEL(block_size)
compare_near(const T* got, i64 count, const near_value* expected, u64* report, i64 room,
             double per_value, double per_reach) {
  wait_for_previous();
  look_at_all<block_size>(count, report, room,
                          near_results<T>{got, expected, per_value, per_reach});
}

}  // namespace redtune
