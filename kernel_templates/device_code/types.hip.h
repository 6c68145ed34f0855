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
  static REDTUNE_DEVICE float lowest() { return -__builtin_huge_valf(); }
  static REDTUNE_DEVICE float highest() { return __builtin_huge_valf(); }
};
template <>
struct bounds<double> {
  static REDTUNE_DEVICE double lowest() { return -__builtin_huge_val(); }
  static REDTUNE_DEVICE double highest() { return __builtin_huge_val(); }
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
