// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the text of a user's operator may use beside the language: names of types, the usual
// functions of mathematics, and words like __device__, which it never needs.
#pragma once

#include "prelude.hip.h"

#if defined(REDTUNE_HIP)
// Functions without a word for where they run are for devices as well.
#define REDTUNE_USER_TEXT_BEGINS _Pragma("clang force_cuda_host_device begin")
#define REDTUNE_USER_TEXT_ENDS _Pragma("clang force_cuda_host_device end")
#else
// NVRTC is asked for the same by an option.
#define REDTUNE_USER_TEXT_BEGINS
#define REDTUNE_USER_TEXT_ENDS
#endif

#if !defined(REDTUNE_HIP) && !defined(REDTUNE_CUDA)
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#endif

namespace redtune_custom {

using redtune::i16;
using redtune::i32;
using redtune::i64;
using redtune::i8;
using redtune::u16;
using redtune::u32;
using redtune::u64;
using redtune::u8;

#if !defined(REDTUNE_HIP) && !defined(REDTUNE_CUDA)
// GPU compilers declare these by themselves.
#define REDTUNE_MATH_1(name)       \
  inline float name(float x) {     \
    return __builtin_##name##f(x); \
  }                                \
  inline double name(double x) {   \
    return __builtin_##name(x);    \
  }                                \
  inline float name##f(float x) {  \
    return __builtin_##name##f(x); \
  }
#define REDTUNE_MATH_2(name)               \
  inline float name(float x, float y) {    \
    return __builtin_##name##f(x, y);      \
  }                                        \
  inline double name(double x, double y) { \
    return __builtin_##name(x, y);         \
  }                                        \
  inline float name##f(float x, float y) { \
    return __builtin_##name##f(x, y);      \
  }
REDTUNE_MATH_1(fabs)
REDTUNE_MATH_1(sqrt)
REDTUNE_MATH_1(cbrt)
REDTUNE_MATH_1(exp)
REDTUNE_MATH_1(exp2)
REDTUNE_MATH_1(expm1)
REDTUNE_MATH_1(log)
REDTUNE_MATH_1(log2)
REDTUNE_MATH_1(log10)
REDTUNE_MATH_1(log1p)
REDTUNE_MATH_1(sin)
REDTUNE_MATH_1(cos)
REDTUNE_MATH_1(tan)
REDTUNE_MATH_1(tanh)
REDTUNE_MATH_1(floor)
REDTUNE_MATH_1(ceil)
REDTUNE_MATH_1(round)
REDTUNE_MATH_1(trunc)
REDTUNE_MATH_2(pow)
REDTUNE_MATH_2(fmin)
REDTUNE_MATH_2(fmax)
REDTUNE_MATH_2(fmod)
REDTUNE_MATH_2(hypot)
#undef REDTUNE_MATH_1
#undef REDTUNE_MATH_2
#endif

/// Floats that are packed in an integer element: two in one of 64 bits.
REDTUNE_DEVICE float bits_to_float(u32 bits) {
  return __builtin_bit_cast(float, bits);
}
REDTUNE_DEVICE double bits_to_double(u64 bits) {
  return __builtin_bit_cast(double, bits);
}

}  // namespace redtune_custom
