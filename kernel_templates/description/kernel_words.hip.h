// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The words of kernels for host C++ compilers, in front of a user's text: where a thread stands,
// what it shares, barriers, shuffles, atomics, vectors. docs/reference/own_kernels.md lists them.
// warpSize is defined before; waves of this file alone have one lane.
#pragma once

#ifndef warpSize
#define warpSize 1
#endif

int redtune_host_thread();
int redtune_host_block();
const int* redtune_host_extents();
void redtune_host_barrier();
void redtune_host_exchange(const void* mine, void* theirs, int bytes, int distance);

#define __global__
#define __device__
#define __host__
#define __constant__ __attribute__((visibility("default"), used))
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

typedef decltype(sizeof(0)) size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;

struct redtune_position {
  unsigned x;
  unsigned y;
  unsigned z;
};

/// Of what has a number, where lines are of so many, and so many lines stand in a layer.
inline redtune_position redtune_position_of(int number, const int* extents) {
  if (extents[1] == 1 && extents[2] == 1) return {unsigned(number), 0, 0};
  return {unsigned(number % extents[0]), unsigned(number / extents[0] % extents[1]),
          unsigned(number / extents[0] / extents[1])};
}
inline redtune_position redtune_extent_at(const int* extents) {
  return {unsigned(extents[0]), unsigned(extents[1]), unsigned(extents[2])};
}

#define threadIdx (redtune_position_of(redtune_host_thread(), redtune_host_extents()))
#define blockIdx (redtune_position_of(redtune_host_block(), redtune_host_extents() + 3))
#define blockDim (redtune_extent_at(redtune_host_extents()))
#define gridDim (redtune_extent_at(redtune_host_extents() + 3))

inline void __syncthreads() {
  redtune_host_barrier();
}
/// Of how many threads of the block it is true.
inline int __syncthreads_count(int is_true) {
  static thread_local int count;
  __syncthreads();
  if (redtune_host_thread() == 0) count = 0;
  __syncthreads();
  if (is_true) ++count;
  __syncthreads();
  return count;
}
inline int __syncthreads_or(int is_true) {
  return __syncthreads_count(is_true) > 0;
}
inline int __syncthreads_and(int is_true) {
  return __syncthreads_count(!is_true) == 0;
}
inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_block() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/// All lanes of a wave come; each gets the value of a lane so far behind it.
template <class T>
inline T redtune_from_lane(T value, int distance) {
  T other = value;
  redtune_host_exchange(&value, &other, int(sizeof(T)), distance);
  return other;
}
inline int redtune_lane() {
  return redtune_host_thread() % warpSize;
}
inline void __syncwarp(unsigned long long = ~0ull) {
  (void)redtune_from_lane(0, 0);
}

// Groups of width lanes exchange among themselves; who asks for a lane outside gets its own value.
template <class T>
inline T __shfl_down(T value, unsigned distance, int width = warpSize) {
  const bool is_inside = redtune_lane() % width + int(distance) < width;
  return redtune_from_lane(value, is_inside ? int(distance) : 0);
}
template <class T>
inline T __shfl_up(T value, unsigned distance, int width = warpSize) {
  const bool is_inside = redtune_lane() % width >= int(distance);
  return redtune_from_lane(value, is_inside ? -int(distance) : 0);
}
template <class T>
inline T __shfl_xor(T value, int mask, int width = warpSize) {
  const int lane = redtune_lane() % width;
  const bool is_inside = (lane ^ mask) < width;
  return redtune_from_lane(value, is_inside ? (lane ^ mask) - lane : 0);
}
template <class T>
inline T __shfl(T value, int lane, int width = warpSize) {
  return redtune_from_lane(value, (lane % width + width) % width - redtune_lane() % width);
}
template <class T>
inline T __shfl_down_sync(unsigned long long, T value, unsigned distance, int width = warpSize) {
  return __shfl_down(value, distance, width);
}
template <class T>
inline T __shfl_up_sync(unsigned long long, T value, unsigned distance, int width = warpSize) {
  return __shfl_up(value, distance, width);
}
template <class T>
inline T __shfl_xor_sync(unsigned long long, T value, int mask, int width = warpSize) {
  return __shfl_xor(value, mask, width);
}
template <class T>
inline T __shfl_sync(unsigned long long, T value, int lane, int width = warpSize) {
  return __shfl(value, lane, width);
}

/// The last wave of a block may have fewer than others.
inline int redtune_lanes_of_wave() {
  const int* const extents = redtune_host_extents();
  const int left = extents[0] * extents[1] * extents[2] - (redtune_host_thread() - redtune_lane());
  return left < warpSize ? left : warpSize;
}
inline unsigned long long __activemask() {
  return ~0ull >> (64 - redtune_lanes_of_wave());
}
/// A bit for each lane of the wave.
inline unsigned long long __ballot(int is_true) {
  unsigned long long bits = 0;
  for (int lane = 0; lane < redtune_lanes_of_wave(); ++lane) {
    const bool bit = redtune_from_lane(is_true != 0, lane - redtune_lane());
    bits |= (unsigned long long)(bit) << lane;
  }
  return bits;
}
inline int __any(int is_true) {
  return __ballot(is_true) != 0;
}
inline int __all(int is_true) {
  return __ballot(is_true) == __activemask();
}
inline unsigned long long __ballot_sync(unsigned long long, int is_true) {
  return __ballot(is_true);
}
inline int __any_sync(unsigned long long, int is_true) {
  return __any(is_true);
}
inline int __all_sync(unsigned long long, int is_true) {
  return __all(is_true);
}

/// Replaces what stands there by what change makes of it; tells what stood there.
template <class T, class Change>
inline T redtune_change(T* address, Change change) {
  T before;
  T after;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  do {
    after = change(before);
  } while (!__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED));
  return before;
}
template <class T>
struct redtune_same {
  typedef T type;
};
// The value takes the type of what stands there.
#define REDTUNE_ATOMIC(name, expression)                                      \
  template <class T>                                                          \
  inline T name(T* address, typename redtune_same<T>::type value) {           \
    return redtune_change(address, [value](T before) { return expression; }); \
  }
REDTUNE_ATOMIC(atomicAdd, T(before + value))
REDTUNE_ATOMIC(atomicSub, T(before - value))
REDTUNE_ATOMIC(atomicMin, value < before ? value : before)
REDTUNE_ATOMIC(atomicMax, before < value ? value : before)
REDTUNE_ATOMIC(atomicAnd, T(before& value))
REDTUNE_ATOMIC(atomicOr, T(before | value))
REDTUNE_ATOMIC(atomicXor, T(before ^ value))
REDTUNE_ATOMIC(atomicExch, (void(before), value))
REDTUNE_ATOMIC(atomicInc, before >= value ? T(0) : T(before + 1))
#undef REDTUNE_ATOMIC
template <class T>
inline T atomicCAS(T* address, typename redtune_same<T>::type expected,
                   typename redtune_same<T>::type value) {
  return redtune_change(address, [=](T before) { return before == expected ? T(value) : before; });
}

template <class A, class B>
inline auto min(A a, B b) -> decltype(a < b ? a : b) {
  return b < a ? b : a;
}
template <class A, class B>
inline auto max(A a, B b) -> decltype(a < b ? a : b) {
  return a < b ? b : a;
}
template <class T>
inline T __ldg(const T* address) {
  return *address;
}
inline int __popc(unsigned word) {
  return __builtin_popcount(word);
}
inline int __clz(int word) {
  return word == 0 ? 32 : __builtin_clz(unsigned(word));
}
inline int __ffs(int word) {
  return __builtin_ffs(word);
}
inline int __popcll(unsigned long long word) {
  return __builtin_popcountll(word);
}
inline int __clzll(long long word) {
  return word == 0 ? 64 : __builtin_clzll((unsigned long long)(word));
}
inline int __ffsll(unsigned long long word) {
  return __builtin_ffsll((long long)(word));
}
template <class To, class From>
inline To redtune_same_bits(From from) {
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}
inline int __float_as_int(float x) {
  return redtune_same_bits<int>(x);
}
inline unsigned __float_as_uint(float x) {
  return redtune_same_bits<unsigned>(x);
}
inline float __int_as_float(int bits) {
  return redtune_same_bits<float>(bits);
}
inline float __uint_as_float(unsigned bits) {
  return redtune_same_bits<float>(bits);
}

// Of the C library: declared, for kernels' text has no headers.
#define REDTUNE_MATH(name)                  \
  extern "C" float name##f(float) noexcept; \
  extern "C" double name(double) noexcept;
REDTUNE_MATH(sqrt)
REDTUNE_MATH(exp)
REDTUNE_MATH(exp2)
REDTUNE_MATH(log)
REDTUNE_MATH(log2)
REDTUNE_MATH(sin)
REDTUNE_MATH(cos)
REDTUNE_MATH(tanh)
REDTUNE_MATH(fabs)
REDTUNE_MATH(floor)
REDTUNE_MATH(ceil)
REDTUNE_MATH(round)
REDTUNE_MATH(trunc)
REDTUNE_MATH(cbrt)
REDTUNE_MATH(expm1)
REDTUNE_MATH(log1p)
REDTUNE_MATH(log10)
REDTUNE_MATH(tan)
REDTUNE_MATH(atan)
REDTUNE_MATH(erf)
#undef REDTUNE_MATH
#define REDTUNE_MATH_OF_TWO(name)                  \
  extern "C" float name##f(float, float) noexcept; \
  extern "C" double name(double, double) noexcept;
REDTUNE_MATH_OF_TWO(pow)
REDTUNE_MATH_OF_TWO(fmin)
REDTUNE_MATH_OF_TWO(fmax)
REDTUNE_MATH_OF_TWO(fmod)
REDTUNE_MATH_OF_TWO(hypot)
REDTUNE_MATH_OF_TWO(atan2)
#undef REDTUNE_MATH_OF_TWO
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double fma(double, double, double) noexcept;
inline float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
// The C library has words of these names for itself.
#define __expf(x) expf(x)
#define __logf(x) logf(x)
#define __powf(x, y) powf(x, y)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
inline float __fdividef(float a, float b) {
  return a / b;
}
template <class T>
inline bool isnan(T x) {
  return __builtin_isnan(x);
}
template <class T>
inline bool isinf(T x) {
  return __builtin_isinf(x);
}

#define REDTUNE_VECTORS(name, type)                                       \
  struct alignas(2 * sizeof(type)) name##2 {                              \
    type x, y;                                                            \
  };                                                                      \
  struct name##3 {                                                        \
    type x, y, z;                                                         \
  };                                                                      \
  struct alignas(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4 { \
    type x, y, z, w;                                                      \
  };                                                                      \
  inline name##2 make_##name##2(type x, type y) {                         \
    return {x, y};                                                        \
  }                                                                       \
  inline name##3 make_##name##3(type x, type y, type z) {                 \
    return {x, y, z};                                                     \
  }                                                                       \
  inline name##4 make_##name##4(type x, type y, type z, type w) {         \
    return {x, y, z, w};                                                  \
  }
REDTUNE_VECTORS(float, float)
REDTUNE_VECTORS(double, double)
REDTUNE_VECTORS(char, signed char)
REDTUNE_VECTORS(uchar, unsigned char)
REDTUNE_VECTORS(short, short)
REDTUNE_VECTORS(ushort, unsigned short)
REDTUNE_VECTORS(int, int)
REDTUNE_VECTORS(uint, unsigned)
REDTUNE_VECTORS(longlong, long long)
REDTUNE_VECTORS(ulonglong, unsigned long long)
#undef REDTUNE_VECTORS
