// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Facts about element types that device text needs and must not take from a standard library.
#pragma once

#include "prelude.hip.h"

namespace redtune {

/// The unsigned type in which integers wrap; floats stay what they are.
template <class T>
struct wrapping {
  typedef T type;
};
template <>
struct wrapping<i8> {
  typedef u8 type;
};
template <>
struct wrapping<i16> {
  typedef u16 type;
};
template <>
struct wrapping<i32> {
  typedef u32 type;
};
template <>
struct wrapping<i64> {
  typedef u64 type;
};

/// The ends of a type's order: infinities for floats.
template <class T>
struct bounds;
template <>
struct bounds<float> {
  static REDTUNE_DEVICE float lowest() { return __builtin_bit_cast(float, 0xff800000u); }
  static REDTUNE_DEVICE float highest() { return __builtin_bit_cast(float, 0x7f800000u); }
};
template <>
struct bounds<double> {
  static REDTUNE_DEVICE double lowest() {
    return __builtin_bit_cast(double, 0xfff0000000000000ull);
  }
  static REDTUNE_DEVICE double highest() {
    return __builtin_bit_cast(double, 0x7ff0000000000000ull);
  }
};
template <>
struct bounds<i8> {
  static REDTUNE_DEVICE i8 lowest() { return -0x7f - 1; }
  static REDTUNE_DEVICE i8 highest() { return 0x7f; }
};
template <>
struct bounds<i16> {
  static REDTUNE_DEVICE i16 lowest() { return -0x7fff - 1; }
  static REDTUNE_DEVICE i16 highest() { return 0x7fff; }
};
template <>
struct bounds<i32> {
  static REDTUNE_DEVICE i32 lowest() { return -0x7fffffff - 1; }
  static REDTUNE_DEVICE i32 highest() { return 0x7fffffff; }
};
template <>
struct bounds<i64> {
  static REDTUNE_DEVICE i64 lowest() { return -0x7fffffffffffffffll - 1; }
  static REDTUNE_DEVICE i64 highest() { return 0x7fffffffffffffffll; }
};
template <>
struct bounds<u8> {
  static REDTUNE_DEVICE u8 lowest() { return 0; }
  static REDTUNE_DEVICE u8 highest() { return 0xff; }
};
template <>
struct bounds<u16> {
  static REDTUNE_DEVICE u16 lowest() { return 0; }
  static REDTUNE_DEVICE u16 highest() { return 0xffff; }
};
template <>
struct bounds<u32> {
  static REDTUNE_DEVICE u32 lowest() { return 0; }
  static REDTUNE_DEVICE u32 highest() { return 0xffffffffu; }
};
template <>
struct bounds<u64> {
  static REDTUNE_DEVICE u64 lowest() { return 0; }
  static REDTUNE_DEVICE u64 highest() { return 0xffffffffffffffffull; }
};

}  // namespace redtune
