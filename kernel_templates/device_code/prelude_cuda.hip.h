// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The prelude for NVRTC on NVIDIA GPUs.
#pragma once

#include "base.hip.h"
#include "prelude_gpu.hip.h"

#if defined(REDTUNE_CUDA)

// A restricted pointer to constants invites loads that may move ahead of wait_for_previous().
#define REDTUNE_RESTRICT
#define REDTUNE_ROLLED _Pragma("unroll 1")

namespace redtune {

/// Lets the next kernel of the stream start, and waits until the work queued ahead has ended and
/// all it wrote is visible. Before the first access to memory; what stands above it overlaps with
/// that work.
REDTUNE_DEVICE void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

template <int wave_size>
REDTUNE_DEVICE u32 shuffle_down_word(u32 value, i32 distance) {
  return __shfl_down_sync(0xffffffffu, value, u32(distance), wave_size);
}

/// The first lane's word, in every lane.
template <int wave_size>
REDTUNE_DEVICE u32 broadcast_word(u32 value) {
  return __shfl_sync(0xffffffffu, value, 0, wave_size);
}

/// What a lane wrote or acquired before is visible to all lanes of its wave after.
REDTUNE_DEVICE void wave_fence() {
  __syncwarp();
}

/// All lanes of the wave meet; what they wrote before, all of them see after.
REDTUNE_DEVICE void wave_barrier() {
  wave_fence();
}

REDTUNE_DEVICE float float_of_f16(u16 bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
REDTUNE_DEVICE u16 f16_of_float(float value) {
  u16 bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}

REDTUNE_DEVICE double square_root(double x) {
  return sqrt(x);
}
REDTUNE_DEVICE double natural_logarithm(double x) {
  return log(x);
}
/// By one instruction, within 2^-22 of the value; zero below the normal numbers.
REDTUNE_DEVICE float power_of_two(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}
REDTUNE_DEVICE double power_of_two(double x) {
  return exp2(x);
}
/// a / b within a few last places, for b that is neither tiny nor huge.
REDTUNE_DEVICE float quotient(float a, float b) {
  return __fdividef(a, b);
}
REDTUNE_DEVICE double quotient(double a, double b) {
  return a / b;
}
/// a * b + c, rounded once.
REDTUNE_DEVICE float multiply_add(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
REDTUNE_DEVICE double multiply_add(double a, double b, double c) {
  return __fma_rn(a, b, c);
}

// One of two in one instruction; NaN wins from sm_80 on.
#define REDTUNE_EXTREME(name, instruction)                        \
  REDTUNE_DEVICE float name(float a, float b) {                   \
    float one;                                                    \
    asm(instruction " %0, %1, %2;" : "=f"(one) : "f"(a), "f"(b)); \
    return one;                                                   \
  }
#if __CUDA_ARCH__ >= 800
REDTUNE_EXTREME(least_or_nan, "min.NaN.f32")
REDTUNE_EXTREME(greatest_or_nan, "max.NaN.f32")
#endif
REDTUNE_EXTREME(least_number, "min.f32")
REDTUNE_EXTREME(greatest_number, "max.f32")
#undef REDTUNE_EXTREME

/// a * b; see prelude_hip.hip.h.
REDTUNE_DEVICE i32 whole_product(i32 a, i32 b) {
  return a * b;
}

/// Ones among the bits of a word.
REDTUNE_DEVICE u32 count_ones(u32 word) {
  return u32(__popc(i32(word)));
}
/// A word whose lowest n bits are set: none below 1, all from 32 on.
REDTUNE_DEVICE u32 low_bits(i32 n) {
  return __funnelshift_lc(~0u, 0u, u32(n > 0 ? n : 0));
}

/// Bits up to the highest that is set; 0 for 0.
REDTUNE_DEVICE int bit_width(u32 word) {
  return 32 - __clz(i32(word));
}

/// The words of all lanes of a wave as one, in every lane; from sm_80 on.
#if __CUDA_ARCH__ >= 800
constexpr bool has_wave_folds = true;
#else
constexpr bool has_wave_folds = false;
#endif
#define REDTUNE_WAVE_FOLD(instruction) \
  asm volatile("redux.sync." instruction " %0, %1, 0xffffffff;" : "=r"(folded) : "r"(word))
template <wave_fold how>
REDTUNE_DEVICE u32 fold_of_wave(u32 word) {
  u32 folded = word;
#if __CUDA_ARCH__ >= 800
  if constexpr (how == wave_fold::sum) REDTUNE_WAVE_FOLD("add.u32");
  if constexpr (how == wave_fold::least) REDTUNE_WAVE_FOLD("min.u32");
  if constexpr (how == wave_fold::least_signed) REDTUNE_WAVE_FOLD("min.s32");
  if constexpr (how == wave_fold::greatest) REDTUNE_WAVE_FOLD("max.u32");
  if constexpr (how == wave_fold::greatest_signed) REDTUNE_WAVE_FOLD("max.s32");
  if constexpr (how == wave_fold::common_bits) REDTUNE_WAVE_FOLD("and.b32");
  if constexpr (how == wave_fold::united_bits) REDTUNE_WAVE_FOLD("or.b32");
  if constexpr (how == wave_fold::differing_bits) REDTUNE_WAVE_FOLD("xor.b32");
#endif
  return folded;
}
#undef REDTUNE_WAVE_FOLD

// The blocks of a cluster, from sm_90 on.
#if __CUDA_ARCH__ >= 900
#define REDTUNE_CLUSTER_KERNEL(block_size, all_registers, cluster_size) \
  REDTUNE_TILE_KERNEL(block_size, all_registers) __cluster_dims__(cluster_size, 1, 1)
#else
#define REDTUNE_CLUSTER_KERNEL(block_size, all_registers, cluster_size) \
  REDTUNE_TILE_KERNEL(block_size, all_registers)
#endif

/// Says that this thread has come so far, and makes what it wrote visible to the cluster.
REDTUNE_DEVICE void arrive_in_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}
/// Waits until all threads of the cluster have arrived.
REDTUNE_DEVICE void wait_for_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
/// Stores a word at the place that it would have in the shared memory of the cluster's first block.
REDTUNE_DEVICE void store_in_first_block(u32* place, u32 word) {
#if __CUDA_ARCH__ >= 900
  u32 address;
  asm("mapa.shared::cluster.u32 %0, %1, 0;"
      : "=r"(address)
      : "r"(u32(__cvta_generic_to_shared(place))));
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(address), "r"(word) : "memory");
#endif
}

/// Words of small elements are folded at once, see word_fold.hip.h.
constexpr bool has_word_folds = true;

/// total plus the squares of the bytes of a word.
template <class In>
REDTUNE_DEVICE u32 add_squares(u32 word, u32 total) {
  if constexpr (is_same<In, u8>::value) {
    return __dp4a(word, word, total);
  } else {
    static_assert(is_same<In, i8>::value, "words of bytes");
    return u32(__dp4a(i32(word), i32(word), i32(total)));
  }
}
constexpr bool has_squares_of_bytes = true;

/// The larger or smaller of the 16-bit integers in the halves of two words; one instruction from
/// sm_90 on.
constexpr bool has_pair_extremes = true;
template <bool is_signed, bool is_max>
REDTUNE_DEVICE u32 extreme_of_pairs(u32 a, u32 b) {
  if constexpr (is_signed) {
    return is_max ? __vmaxs2(a, b) : __vmins2(a, b);
  } else {
    return is_max ? __vmaxu2(a, b) : __vminu2(a, b);
  }
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

/// Word k of what a load brought, k a constant.
REDTUNE_DEVICE u32 word_of(u32 words, int) {
  return words;
}
REDTUNE_DEVICE u32 word_of(uint2 words, int k) {
  return k == 0 ? words.x : words.y;
}
REDTUNE_DEVICE u32 word_of(uint4 words, int k) {
  return k < 2 ? (k == 0 ? words.x : words.y) : (k == 2 ? words.z : words.w);
}

template <class Hint, class Word>
REDTUNE_DEVICE Word load_word(const Word* from) {
  if constexpr (is_same<Hint, streaming>::value) {
    return __ldcs(from);
  } else {
    return *from;
  }
}

template <class Hint, class Word>
REDTUNE_DEVICE void store_word(Word* to, Word value) {
  if constexpr (is_same<Hint, streaming>::value) {
    __stcs(to, value);
  } else {
    *to = value;
  }
}

/// total plus the elements of a word, four bytes or two halves, by one instruction: a dot product
/// with ones.
template <class In>
REDTUNE_DEVICE u32 add_elements(u32 word, u32 total) {
  if constexpr (is_same<In, u8>::value) {
    return __dp4a(word, 0x01010101u, total);
  } else if constexpr (is_same<In, i8>::value) {
    return u32(__dp4a(i32(word), 0x01010101, i32(total)));
  } else if constexpr (is_same<In, u16>::value) {
    return __dp2a_lo(word, 0x0101u, total);
  } else {
    static_assert(is_same<In, i16>::value, "words of small integers");
    return u32(__dp2a_lo(i32(word), 0x0101, i32(total)));
  }
}

/// What this thread wrote before, or reads after it, other blocks see, or have written.
REDTUNE_DEVICE void device_fence() {
  __threadfence();
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

/// Whether vectors of so many bytes come to shared memory without passing through registers.
#if __CUDA_ARCH__ >= 800
template <int bytes>
constexpr bool copies_past_registers = bytes == 4 || bytes == 8 || bytes == 16;
#else
template <int bytes>
constexpr bool copies_past_registers = false;
#endif
/// Starts to copy a vector to shared memory. There it is after wait_for_copies() of this thread.
template <int bytes>
REDTUNE_DEVICE void copy_past_registers(void* to, const void* from) {
#if __CUDA_ARCH__ >= 800
  const u32 place = u32(__cvta_generic_to_shared(to));
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place), "l"(from), "n"(bytes)
                 : "memory");
  }
#endif
}
REDTUNE_DEVICE void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// One more in shared memory; what stood there before.
REDTUNE_DEVICE u32 take_place(u32* counter) {
  return atomicAdd(counter, 1u);
}

/// Words of slots, see finish_slots.hip.h: relaxed, at the scope of the device. Of two words each
/// is read and written as a whole, in no order.
REDTUNE_DEVICE void store_slot_word(u64* to, u64 word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}
REDTUNE_DEVICE void store_slot_words(u64* to, u64 first, u64 second) {
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(first), "l"(second)
               : "memory");
}
REDTUNE_DEVICE u64 load_slot_word(const u64* from) {
  u64 word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}
REDTUNE_DEVICE void load_slot_words(const u64* from, u64* to) {
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(to[0]), "=l"(to[1])
               : "l"(from)
               : "memory");
}
/// Adds to a word of sum and count, and tells what stood there before.
REDTUNE_DEVICE u64 add_to_counted_word(u64* address, u64 value) {
  return atomicAdd(address, value);
}
/// Nothing: the other blocks of a GPU are at work beside this one.
REDTUNE_DEVICE void before_looking_again() {}

/// Relaxed, at the scope of the device; see atomic.hip.h.
template <class Word>
REDTUNE_DEVICE void add_to_word(Word* address, Word value) {
  atomicAdd(address, value);
}
template <class T>
REDTUNE_DEVICE void min_to_word(T* address, T value) {
  atomicMin(address, value);
}
template <class T>
REDTUNE_DEVICE void max_to_word(T* address, T value) {
  atomicMax(address, value);
}
template <class Word>
REDTUNE_DEVICE void and_to_word(Word* address, Word value) {
  atomicAnd(address, value);
}
template <class Word>
REDTUNE_DEVICE void or_to_word(Word* address, Word value) {
  atomicOr(address, value);
}
template <class Word>
REDTUNE_DEVICE void xor_to_word(Word* address, Word value) {
  atomicXor(address, value);
}

}  // namespace redtune

#endif
