// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What differs between hipRTC, NVRTC and a host C++ compiler. The only device text with platform
// conditions; everything after it is the same program everywhere.
#pragma once

namespace redtune {

typedef signed char i8;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

/// How an element is fetched: through all caches, or marked as not to be kept. These choices are
/// types and not enumerators: hipRTC 5.2 finds an instantiation by its demangled name, where
/// enumerators are casts.
struct cached {};
struct streaming {};

/// Memory order of the hand-over between blocks: a full device fence, or acquire and release on the
/// ticket.
struct full_fence {};
struct acq_rel_fence {};

template <class A, class B>
struct is_same {
  static constexpr bool value = false;
};
template <class A>
struct is_same<A, A> {
  static constexpr bool value = true;
};

/// Neighbouring elements that one instruction loads; its address is a multiple of its size.
template <class T, int width>
struct alignas(sizeof(T) * width) vec {
  T v[width];
};

}  // namespace redtune

#if defined(REDTUNE_HIP)

#define REDTUNE_DEVICE __device__ __forceinline__
#define REDTUNE_KERNEL(block_size) __global__ void __launch_bounds__(block_size)
#define REDTUNE_SHARED __shared__
#define REDTUNE_RESTRICT __restrict__
#define REDTUNE_UNROLL _Pragma("unroll")

namespace redtune {

REDTUNE_DEVICE i32 thread_index() {
  return i32(threadIdx.x);
}
REDTUNE_DEVICE i32 block_index() {
  return i32(blockIdx.x);
}
REDTUNE_DEVICE i32 grid_size() {
  return i32(gridDim.x);
}
REDTUNE_DEVICE void block_barrier() {
  __syncthreads();
}

template <int wave_size>
REDTUNE_DEVICE u32 shuffle_down_word(u32 value, i32 distance) {
#if HIP_VERSION_MAJOR >= 7
  return __shfl_down_sync(~0ull, value, distance, wave_size);
#else
  return u32(__shfl_down(i32(value), distance, wave_size));
#endif
}

/// Elements held in registers, folded lane by lane.
template <class T, int width>
using pack = vec<T, width>;

/// Each lane combined with the same lane of the other.
template <class Op, class Acc, int width>
REDTUNE_DEVICE pack<Acc, width> combine_packs(const pack<Acc, width>& a,
                                              const pack<Acc, width>& b) {
  pack<Acc, width> result;
  REDTUNE_UNROLL
  for (int lane = 0; lane < width; ++lane) {
    result.v[lane] = Op::template combine<Acc>(a.v[lane], b.v[lane]);
  }
  return result;
}

/// Each lane converted to the accumulator and transformed as the operator says.
template <class Op, class Acc, class In, int width>
REDTUNE_DEVICE pack<Acc, width> enter_pack(const pack<In, width>& in) {
  pack<Acc, width> result;
  REDTUNE_UNROLL
  for (int lane = 0; lane < width; ++lane) {
    result.v[lane] = Op::template enter<Acc>(Acc(in.v[lane]));
  }
  return result;
}

/// What one load instruction brings, by its bytes.
template <int bytes>
struct word;
template <>
struct word<1> {
  typedef u8 type;
};
template <>
struct word<2> {
  typedef u16 type;
};
template <>
struct word<4> {
  typedef u32 type;
};
template <>
struct word<8> {
  typedef u32 type __attribute__((ext_vector_type(2)));
};
template <>
struct word<16> {
  typedef u32 type __attribute__((ext_vector_type(4)));
};

template <class Hint, class T, int width>
REDTUNE_DEVICE pack<T, width> load_vector(const vec<T, width>* from) {
  typedef typename word<sizeof(vec<T, width>)>::type Word;
  const Word* words = reinterpret_cast<const Word*>(from);
  if constexpr (is_same<Hint, streaming>::value) {
    return __builtin_bit_cast(vec<T, width>, __builtin_nontemporal_load(words));
  } else {
    return __builtin_bit_cast(vec<T, width>, *words);
  }
}

/// The next ticket of the launch; after the last one the counter stands at zero again.
template <class Fence>
REDTUNE_DEVICE u32 take_ticket(u32* counter, u32 blocks) {
  if constexpr (is_same<Fence, full_fence>::value) {
    __threadfence();
    const u32 ticket = atomicInc(counter, blocks - 1);
    __threadfence();
    return ticket;
  } else {
    const u32 ticket =
        __hip_atomic_fetch_add(counter, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
    if (ticket == blocks - 1) {
      __hip_atomic_store(counter, 0u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    }
    return ticket;
  }
}

}  // namespace redtune

#elif defined(REDTUNE_CUDA)

#define REDTUNE_DEVICE __device__ __forceinline__
#define REDTUNE_KERNEL(block_size) __global__ void __launch_bounds__(block_size)
#define REDTUNE_SHARED __shared__
#define REDTUNE_RESTRICT __restrict__
#define REDTUNE_UNROLL _Pragma("unroll")

namespace redtune {

REDTUNE_DEVICE i32 thread_index() {
  return i32(threadIdx.x);
}
REDTUNE_DEVICE i32 block_index() {
  return i32(blockIdx.x);
}
REDTUNE_DEVICE i32 grid_size() {
  return i32(gridDim.x);
}
REDTUNE_DEVICE void block_barrier() {
  __syncthreads();
}

template <int wave_size>
REDTUNE_DEVICE u32 shuffle_down_word(u32 value, i32 distance) {
  return __shfl_down_sync(0xffffffffu, value, u32(distance), wave_size);
}

/// Elements held in registers, folded lane by lane.
template <class T, int width>
using pack = vec<T, width>;

/// Each lane combined with the same lane of the other.
template <class Op, class Acc, int width>
REDTUNE_DEVICE pack<Acc, width> combine_packs(const pack<Acc, width>& a,
                                              const pack<Acc, width>& b) {
  pack<Acc, width> result;
  REDTUNE_UNROLL
  for (int lane = 0; lane < width; ++lane) {
    result.v[lane] = Op::template combine<Acc>(a.v[lane], b.v[lane]);
  }
  return result;
}

/// Each lane converted to the accumulator and transformed as the operator says.
template <class Op, class Acc, class In, int width>
REDTUNE_DEVICE pack<Acc, width> enter_pack(const pack<In, width>& in) {
  pack<Acc, width> result;
  REDTUNE_UNROLL
  for (int lane = 0; lane < width; ++lane) {
    result.v[lane] = Op::template enter<Acc>(Acc(in.v[lane]));
  }
  return result;
}

/// What one load instruction brings, by its bytes.
template <int bytes>
struct word;
template <>
struct word<1> {
  typedef unsigned char type;
};
template <>
struct word<2> {
  typedef unsigned short type;
};
template <>
struct word<4> {
  typedef unsigned int type;
};
template <>
struct word<8> {
  typedef uint2 type;
};
template <>
struct word<16> {
  typedef uint4 type;
};

template <class Hint, class T, int width>
REDTUNE_DEVICE pack<T, width> load_vector(const vec<T, width>* from) {
  typedef typename word<sizeof(vec<T, width>)>::type Word;
  const Word* words = reinterpret_cast<const Word*>(from);
  if constexpr (is_same<Hint, streaming>::value) {
    return __builtin_bit_cast(vec<T, width>, __ldcs(words));
  } else {
    return __builtin_bit_cast(vec<T, width>, __ldg(words));
  }
}

template <class Fence>
REDTUNE_DEVICE u32 take_ticket(u32* counter, u32 blocks) {
  if constexpr (is_same<Fence, full_fence>::value) {
    __threadfence();
    const u32 ticket = atomicInc(counter, blocks - 1);
    __threadfence();
    return ticket;
  } else {
    u32 ticket;
    asm volatile("atom.inc.acq_rel.gpu.global.u32 %0, [%1], %2;"
                 : "=r"(ticket)
                 : "l"(counter), "r"(blocks - 1)
                 : "memory");
    return ticket;
  }
}

}  // namespace redtune

#else  // a host C++ compiler; the services are defined by the device that runs the text

#define REDTUNE_DEVICE inline __attribute__((always_inline))
#define REDTUNE_KERNEL(block_size) void
#define REDTUNE_SHARED static thread_local
#define REDTUNE_RESTRICT __restrict__
#define REDTUNE_UNROLL

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

template <int wave_size>
REDTUNE_DEVICE u32 shuffle_down_word(u32 value, i32 distance) {
  u32 other = value;
  redtune_host_exchange(&value, &other, sizeof(value), distance);
  return other;
}

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

template <class Hint, class T, int width>
REDTUNE_DEVICE pack<T, width> load_vector(const vec<T, width>* from) {
#if defined(REDTUNE_CHECK_ALIGNMENT)
  if (reinterpret_cast<u64>(from) % sizeof(*from) != 0) __builtin_trap();  // as a GPU does
#endif
  pack<T, width> loaded;
  __builtin_memcpy(&loaded, from, sizeof(loaded));
  return loaded;
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
