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

template <class T>
struct is_signed_integer {
  static constexpr bool value = !is_same<typename wrapping<T>::type, T>::value;
};
template <class T>
struct is_integer {
  static constexpr bool value = is_signed_integer<T>::value || is_same<T, u8>::value ||
                                is_same<T, u16>::value || is_same<T, u32>::value ||
                                is_same<T, u64>::value;
};

/// One of two types.
template <bool first, class A, class B>
struct either {
  typedef A type;
};
template <class A, class B>
struct either<false, A, B> {
  typedef B type;
};

/// The type that an element is computed with: float for 16-bit floats, which are storage alone.
template <class In>
struct arithmetic {
  typedef In type;
};
template <>
struct arithmetic<f16> {
  typedef float type;
};
template <>
struct arithmetic<bf16> {
  typedef float type;
};

/// The float next to x, with the last bit set where x is between two floats: rounding that again to
/// 16 bits is as good as rounding x.
REDTUNE_DEVICE float to_odd(double x) {
  const float near = float(x);
  const u32 bits = __builtin_bit_cast(u32, near);
  if (double(near) == x || x != x || (bits & 1u) != 0) return near;
  const double size = x < 0 ? -x : x;
  const double near_size = near < 0 ? -double(near) : double(near);
  return __builtin_bit_cast(float, near_size < size ? bits + 1 : bits - 1);
}
REDTUNE_DEVICE float to_odd(float x) {
  return x;
}

/// A value as another type, rounded once where that is a float, cut off where it is an integer.
template <class To>
struct converted {
  template <class From>
  static REDTUNE_DEVICE To from(From x) {
    return To(x);
  }
};
template <>
struct converted<f16> {
  template <class From>
  static REDTUNE_DEVICE f16 from(From x) {
    return {f16_of_float(to_odd(x))};
  }
};
template <>
struct converted<bf16> {
  template <class From>
  static REDTUNE_DEVICE bf16 from(From x) {
    const float near = to_odd(x);
    const u32 word = __builtin_bit_cast(u32, near);
    const u32 rounded = word + 0x7fffu + ((word >> 16) & 1u);
    return {u16((near != near ? word | 0x400000u : rounded) >> 16)};
  }
};
template <class To, class From>
REDTUNE_DEVICE To convert(From x) {
  return converted<To>::from(x);
}

/// The ends of a type's order: infinities for floats; and what is outside of it.
template <class T>
struct bounds;
template <>
struct bounds<float> {
  static REDTUNE_DEVICE float lowest() { return __builtin_bit_cast(float, 0xff800000u); }
  static REDTUNE_DEVICE float highest() { return __builtin_bit_cast(float, 0x7f800000u); }
  static REDTUNE_DEVICE float nan() { return __builtin_bit_cast(float, 0x7fc00000u); }
};
template <>
struct bounds<double> {
  static REDTUNE_DEVICE double lowest() {
    return __builtin_bit_cast(double, 0xfff0000000000000ull);
  }
  static REDTUNE_DEVICE double highest() {
    return __builtin_bit_cast(double, 0x7ff0000000000000ull);
  }
  static REDTUNE_DEVICE double nan() { return __builtin_bit_cast(double, 0x7ff8000000000000ull); }
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
