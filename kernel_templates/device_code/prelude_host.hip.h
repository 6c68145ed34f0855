// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The prelude for host C++ compilers; the device that runs the text defines the services declared
// here.
#pragma once

#include "prelude.hip.h"

#if !defined(REDTUNE_HIP) && !defined(REDTUNE_CUDA)
#define REDTUNE_DEVICE inline __attribute__((always_inline))
#define REDTUNE_KERNEL(block_size) void
#define REDTUNE_SHARED static thread_local
#define REDTUNE_RESTRICT __restrict__
#define REDTUNE_UNROLL
#define REDTUNE_ROLLED

/// Position of the running lane, and what it shares with the lanes of its block and wave.
int redtune_host_thread();
int redtune_host_block();
int redtune_host_grid();
void redtune_host_barrier();
void redtune_host_exchange(const void* mine, void* theirs, int bytes, int distance);

namespace redtune {

REDTUNE_DEVICE i32 thread_index() {
  return redtune_host_thread();
}
REDTUNE_DEVICE i32 block_index() {
  return redtune_host_block();
}
REDTUNE_DEVICE i32 grid_size() {
  return redtune_host_grid();
}
REDTUNE_DEVICE void block_barrier() {
  redtune_host_barrier();
}

/// Packs are the compiler's vectors here, and need no pairs.
constexpr bool has_pair_extremes = false;
template <bool is_signed, bool is_max>
REDTUNE_DEVICE u32 extreme_of_pairs(u32 a, u32 b);

/// Kernels start after the work queued ahead of them has ended.
REDTUNE_DEVICE void wait_for_previous() {}

template <int wave_size>
REDTUNE_DEVICE u32 shuffle_down_word(u32 value, i32 distance) {
  u32 other = value;
  redtune_host_exchange(&value, &other, sizeof(value), distance);
  return other;
}

template <int wave_size>
REDTUNE_DEVICE u32 broadcast_word(u32 value) {
  u32 first = value;
  redtune_host_exchange(&value, &first, sizeof(value), -(thread_index() % wave_size));
  return first;
}
/// A wave's lanes take turns on one processor.
REDTUNE_DEVICE void wave_fence() {}

/// Elements held in registers: a vector of the compiler, since CPUs have instructions for whole
/// packs.
template <class T, int width>
struct pack {
  typedef T native __attribute__((vector_size(sizeof(T) * width)));
  native v;
};

/// Each lane combined with the same lane of the other.
template <class Op, class Acc, int width>
REDTUNE_DEVICE pack<Acc, width> combine_packs(const pack<Acc, width>& a,
                                              const pack<Acc, width>& b) {
  if constexpr (Op::elementwise) {
    return {Op::combine(a.v, b.v)};
  } else {
    pack<Acc, width> result;
    for (int lane = 0; lane < width; ++lane) {
      result.v[lane] = Op::template combine<Acc>(a.v[lane], b.v[lane]);
    }
    return result;
  }
}

/// Each lane converted to the accumulator and transformed as the operator says.
template <class Op, class Acc, class In, int width>
REDTUNE_DEVICE pack<Acc, width> enter_pack(const pack<In, width>& in) {
  typedef typename pack<Acc, width>::native native;
  const native converted = __builtin_convertvector(in.v, native);
  if constexpr (Op::elementwise) {
    return {Op::enter(converted)};
  } else {
    pack<Acc, width> result;
    for (int lane = 0; lane < width; ++lane) {
      result.v[lane] = Op::template enter<Acc>(Acc(converted[lane]));
    }
    return result;
  }
}

/// Twice as wide: the sum of a thread's part of a tile fits, 64 bytes in 16 bits.
template <class T>
struct doubled;
template <>
struct doubled<i8> {
  typedef i16 type;
};
template <>
struct doubled<i16> {
  typedef i32 type;
};
template <>
struct doubled<u8> {
  typedef u16 type;
};
template <>
struct doubled<u16> {
  typedef u32 type;
};

/// The sum of all lanes, half onto half.
template <class T, int width>
REDTUNE_DEVICE T add_lanes(const pack<T, width>& lanes) {
  if constexpr (width == 1) {
    return lanes.v[0];
  } else {
    struct halves {
      pack<T, width / 2> low;
      pack<T, width / 2> high;
    };
    const halves parts = __builtin_bit_cast(halves, lanes);
    return add_lanes<T, width / 2>({parts.low.v + parts.high.v});
  }
}

/// The sum of the small integers of some loads.
template <class Narrow, int loads, class In, int width>
REDTUNE_DEVICE Narrow sum_loads(const pack<In, width>* loaded) {
  typedef typename doubled<In>::type Lane;  // compilers widen vectors well once, and not twice
  typedef typename pack<Lane, width>::native native;
  native lanes = __builtin_convertvector(loaded[0].v, native);
  for (int i = 1; i < loads; ++i) lanes += __builtin_convertvector(loaded[i].v, native);
  return Narrow(add_lanes<Lane, width>({lanes}));
}

template <class Hint, class T, int width>
REDTUNE_DEVICE pack<T, width> load_vector(const vec<T, width>* from) {
#if defined(REDTUNE_CHECK_ALIGNMENT)
  if (reinterpret_cast<u64>(from) % sizeof(*from) != 0) __builtin_trap();  // as a GPU does
#endif
  pack<T, width> loaded;
  __builtin_memcpy(&loaded, from, sizeof(loaded));
  return loaded;
}

template <class Hint, class T, int width>
REDTUNE_DEVICE void store_vector(vec<T, width>* to, const pack<T, width>& value) {
#if defined(REDTUNE_CHECK_ALIGNMENT)
  if (reinterpret_cast<u64>(to) % sizeof(*to) != 0) __builtin_trap();  // as a GPU does
#endif
  __builtin_memcpy(to, &value, sizeof(value));
}

template <class Fence>
REDTUNE_DEVICE u32 take_ticket(u32* counter, u32 blocks) {
  constexpr int order = is_same<Fence, full_fence>::value ? __ATOMIC_SEQ_CST : __ATOMIC_ACQ_REL;
  const u32 ticket = __atomic_fetch_add(counter, 1u, order);
  if (ticket == blocks - 1) __atomic_store_n(counter, 0u, __ATOMIC_RELAXED);
  return ticket;
}

}  // namespace redtune

#endif
