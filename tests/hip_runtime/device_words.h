// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC supplies to a program, for a processor: put in front of kernel text that is compiled
// by the HIP runtime for tests. REDTUNE_TEST_WAVE_SIZE is given; the services are those of the host
// device (device/host/services.hpp), on whose fibers the threads of a block run.
#pragma once

#include <math.h>

#define __global__ __attribute__((visibility("default")))
#define __device__
#define __host__
#define __constant__ __attribute__((visibility("default"), used))
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)

static const redtune_host_services* redtune_services;
extern "C" void redtune_bind(const redtune_host_services* services) {
  redtune_services = services;
}

static inline void* redtune_host_shared() {
  return redtune_services->shared();
}

// threadIdx.x and the like. What has a number is told as one, and lines are of so many.
static inline int redtune_test_index(int number, int first_extent, int axis) {
  const int* const extents = redtune_services->extents() + first_extent;
  if (axis == 0) return number % extents[0];
  if (axis == 1) return number / extents[0] % extents[1];
  return number / extents[0] / extents[1];
}
#define REDTUNE_TEST_INDEX(name, value)                       \
  struct redtune_test_##name {                                \
    __declspec(property(get = get_x)) unsigned x;             \
    __declspec(property(get = get_y)) unsigned y;             \
    __declspec(property(get = get_z)) unsigned z;             \
    static unsigned get(int axis) { return unsigned(value); } \
    unsigned get_x() const { return get(0); }                 \
    unsigned get_y() const { return get(1); }                 \
    unsigned get_z() const { return get(2); }                 \
  };                                                          \
  static const redtune_test_##name name;
REDTUNE_TEST_INDEX(threadIdx, redtune_test_index(redtune_services->thread(), 0, axis))
REDTUNE_TEST_INDEX(blockIdx, redtune_test_index(redtune_services->block(), 3, axis))
REDTUNE_TEST_INDEX(blockDim, redtune_services->extents()[axis])
REDTUNE_TEST_INDEX(gridDim, redtune_services->extents()[3 + axis])
#undef REDTUNE_TEST_INDEX

static inline void __syncthreads() {
  redtune_services->barrier();
}

/// A lane past the last of its group of width lanes gets its own value.
template <class T>
static inline T __shfl_down(T value, unsigned distance, int width = REDTUNE_TEST_WAVE_SIZE) {
  static_assert(sizeof(T) == 4, "a word");
  T other = value;
  redtune_services->exchange(&value, &other, sizeof(T), int(distance));
  const int lane = redtune_services->thread() % width;
  return lane + int(distance) < width ? other : value;
}
template <class Mask, class T>
static inline T __shfl_down_sync(Mask, T value, unsigned distance,
                                 int width = REDTUNE_TEST_WAVE_SIZE) {
  return __shfl_down(value, distance, width);
}

/// A lane before the distance-th of its group gets its own value.
template <class T>
static inline T __shfl_up(T value, unsigned distance, int width = REDTUNE_TEST_WAVE_SIZE) {
  static_assert(sizeof(T) == 4, "a word");
  const int lane = redtune_services->thread() % width;
  T other = value;
  redtune_services->exchange(&value, &other, sizeof(T), lane < int(distance) ? 0 : -int(distance));
  return other;
}
template <class Mask, class T>
static inline T __shfl_up_sync(Mask, T value, unsigned distance,
                               int width = REDTUNE_TEST_WAVE_SIZE) {
  return __shfl_up(value, distance, width);
}

template <class T>
static inline T __shfl_xor(T value, int mask) {
  static_assert(sizeof(T) == 4, "a word");
  T other = value;
  const int lane = redtune_services->thread() % REDTUNE_TEST_WAVE_SIZE;
  redtune_services->exchange(&value, &other, sizeof(T), (lane ^ mask) - lane);
  return other;
}
/// What the lane of its group has.
template <class T>
static inline T __shfl(T value, int from, int width = REDTUNE_TEST_WAVE_SIZE) {
  static_assert(sizeof(T) == 4, "a word");
  T other = value;
  const int lane = redtune_services->thread() % width;
  redtune_services->exchange(&value, &other, sizeof(T), from % width - lane);
  return other;
}
template <class Mask, class T>
static inline T __shfl_sync(Mask, T value, int from, int width = REDTUNE_TEST_WAVE_SIZE) {
  return __shfl(value, from, width);
}

/// A bit for each lane of the wave that says yes.
static inline unsigned long long __ballot(int yes) {
  const int lane = redtune_services->thread() % REDTUNE_TEST_WAVE_SIZE;
  unsigned long long votes = yes != 0 ? 1ull << lane : 0ull;
  for (int distance = 1; distance < REDTUNE_TEST_WAVE_SIZE; distance *= 2) {
    unsigned long long others = 0;
    redtune_services->exchange(&votes, &others, sizeof(votes), (lane ^ distance) - lane);
    votes |= others;
  }
  return votes;
}
constexpr int warpSize = REDTUNE_TEST_WAVE_SIZE;

static inline int redtune_test_first_lane(int value) {
  int first = value;
  redtune_services->exchange(&value, &first, sizeof(value),
                             -(redtune_services->thread() % REDTUNE_TEST_WAVE_SIZE));
  return first;
}
#define __builtin_amdgcn_readfirstlane(value) redtune_test_first_lane(value)

/// Ends when every lane of the wave has come.
static inline void redtune_test_wave_barrier() {
  const int mine = 0;
  int theirs;
  redtune_services->exchange(&mine, &theirs, sizeof(mine), 0);
}
#define __builtin_amdgcn_wave_barrier() redtune_test_wave_barrier()
#define __builtin_amdgcn_fence(order, scope) __atomic_thread_fence(order)
#define __threadfence() __atomic_thread_fence(__ATOMIC_SEQ_CST)

#define __builtin_amdgcn_rcpf(x) (1.0f / (x))
static inline double __ocml_log_f64(double x) {
  return log(x);
}
static inline double __ocml_exp2_f64(double x) {
  return exp2(x);
}

/// The sums of absolute differences of the bytes, or of the halves, of two words.
template <int bits>
static inline unsigned redtune_test_sad(unsigned a, unsigned b, unsigned total) {
  constexpr unsigned mask = (1u << bits) - 1;
  for (int at = 0; at < 32; at += bits) {
    const unsigned x = a >> at & mask;
    const unsigned y = b >> at & mask;
    total += x < y ? y - x : x - y;
  }
  return total;
}
#define __builtin_amdgcn_sad_u8(a, b, total) redtune_test_sad<8>(a, b, total)
#define __builtin_amdgcn_sad_u16(a, b, total) redtune_test_sad<16>(a, b, total)

/// Replaces what stands there by what change makes of it; tells what stood there.
template <class T, class Change>
static inline T redtune_test_change(T* address, Change change) {
  T before;
  T after;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  do {
    after = change(before);
  } while (!__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED));
  return before;
}
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#define REDTUNE_TEST_CHANGE(address, value, expression)                         \
  redtune_test_change(address, [redtune_other = (value)](auto redtune_before) { \
    return decltype(redtune_before)(expression);                                \
  })
#define __hip_atomic_fetch_add(address, value, order, scope) \
  REDTUNE_TEST_CHANGE(address, value, redtune_before + redtune_other)
#define __hip_atomic_fetch_min(address, value, order, scope) \
  REDTUNE_TEST_CHANGE(address, value,                        \
                      redtune_other < redtune_before ? redtune_other : redtune_before)
#define __hip_atomic_fetch_max(address, value, order, scope) \
  REDTUNE_TEST_CHANGE(address, value,                        \
                      redtune_before < redtune_other ? redtune_other : redtune_before)
#define __hip_atomic_fetch_and(address, value, order, scope) \
  __atomic_fetch_and(address, value, order)
#define __hip_atomic_fetch_or(address, value, order, scope) __atomic_fetch_or(address, value, order)
#define __hip_atomic_fetch_xor(address, value, order, scope) \
  __atomic_fetch_xor(address, value, order)
#define __hip_atomic_store(address, value, order, scope) __atomic_store_n(address, value, order)
#define __hip_atomic_load(address, order, scope) __atomic_load_n(address, order)

static inline unsigned atomicInc(unsigned* address, unsigned last) {
  return redtune_test_change(address,
                             [last](unsigned before) { return before >= last ? 0u : before + 1; });
}
template <class T>
static inline T atomicAdd(T* address, T other) {
  return redtune_test_change(address, [other](T before) { return T(before + other); });
}

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
