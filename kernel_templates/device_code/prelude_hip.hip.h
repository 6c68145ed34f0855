// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The prelude for hipRTC on AMD GPUs.
#pragma once

#include "base.hip.h"
#include "prelude_gpu.hip.h"

#if defined(REDTUNE_HIP)

#define REDTUNE_RESTRICT __restrict__
#define REDTUNE_ROLLED _Pragma("clang loop unroll(disable) vectorize(disable)")

namespace redtune {

/// Kernels start after the work queued ahead of them has ended.
REDTUNE_DEVICE void wait_for_previous() {}

template <int wave_size>
REDTUNE_DEVICE u32 shuffle_down_word(u32 value, i32 distance) {
#if HIP_VERSION_MAJOR >= 7
  return __shfl_down_sync(~0ull, value, distance, wave_size);
#else
  return u32(__shfl_down(i32(value), distance, wave_size));
#endif
}

/// The first lane's word, in every lane.
template <int wave_size>
REDTUNE_DEVICE u32 broadcast_word(u32 value) {
  return u32(__builtin_amdgcn_readfirstlane(i32(value)));
}

/// What a lane wrote or acquired before is visible to all lanes of its wave after.
REDTUNE_DEVICE void wave_fence() {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}

/// All lanes of the wave meet; what they wrote before, all of them see after.
REDTUNE_DEVICE void wave_barrier() {
  wave_fence();
}

REDTUNE_DEVICE float float_of_f16(u16 bits) {
  return float(__builtin_bit_cast(_Float16, bits));
}
REDTUNE_DEVICE u16 f16_of_float(float value) {
  return __builtin_bit_cast(u16, _Float16(value));
}

REDTUNE_DEVICE double square_root(double x) {
  return __builtin_sqrt(x);
}
REDTUNE_DEVICE double natural_logarithm(double x) {
  return __ocml_log_f64(x);
}
REDTUNE_DEVICE float power_of_two(float x) {
  return __builtin_exp2f(x);
}
REDTUNE_DEVICE double power_of_two(double x) {
  return __ocml_exp2_f64(x);
}
/// a / b within a few last places, for b that is neither tiny nor huge.
REDTUNE_DEVICE float quotient(float a, float b) {
  return a * __builtin_amdgcn_rcpf(b);
}
REDTUNE_DEVICE double quotient(double a, double b) {
  return a / b;
}
/// a * b + c, rounded once.
REDTUNE_DEVICE float multiply_add(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
REDTUNE_DEVICE double multiply_add(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

/// a * b, of which no bit is worked out apart: the LLVM of hipRTC 5.2 makes the lowest one a
/// product of single bits, for which it has no instruction.
REDTUNE_DEVICE i32 whole_product(i32 a, i32 b) {
  i32 product = a * b;
#if defined(__AMDGCN__)
  asm("" : "+v"(product));
#endif
  return product;
}

/// Ones among the bits of a word.
REDTUNE_DEVICE u32 count_ones(u32 word) {
  return u32(__builtin_popcount(word));
}
/// A word whose lowest n bits are set: none below 1, all from 32 on.
REDTUNE_DEVICE u32 low_bits(i32 n) {
  return n > 0 ? ~0u >> (n < 32 ? 32 - n : 0) : 0u;
}

/// Bits up to the highest that is set; 0 for 0.
REDTUNE_DEVICE int bit_width(u32 word) {
  return word == 0 ? 0 : 32 - __builtin_clz(word);
}

/// Waves are folded by shuffles.
constexpr bool has_wave_folds = false;
template <wave_fold how>
REDTUNE_DEVICE u32 fold_of_wave(u32 word);

// AMD GPUs have no clusters of blocks.
#define REDTUNE_CLUSTER_KERNEL(block_size, all_registers, cluster_size) \
  REDTUNE_TILE_KERNEL(block_size, all_registers)
REDTUNE_DEVICE void arrive_in_cluster();
REDTUNE_DEVICE void wait_for_cluster();
REDTUNE_DEVICE void store_in_first_block(u32* place, u32 word);

/// Words of small elements are folded at once, see word_fold.hip.h.
constexpr bool has_word_folds = true;

/// A dot product of bytes is not an instruction of every AMD GPU.
constexpr bool has_squares_of_bytes = false;
template <class In>
REDTUNE_DEVICE u32 add_squares(u32 word, u32 total);

/// The larger or smaller of the 16-bit integers in the halves of two words; one instruction from
/// gfx9 on.
constexpr bool has_pair_extremes = true;
template <bool is_signed, bool is_max>
REDTUNE_DEVICE u32 extreme_of_pairs(u32 a, u32 b) {
  typedef i16 signed_pair __attribute__((ext_vector_type(2)));
  typedef u16 unsigned_pair __attribute__((ext_vector_type(2)));
  if constexpr (is_signed) {
    const signed_pair x = __builtin_bit_cast(signed_pair, a);
    const signed_pair y = __builtin_bit_cast(signed_pair, b);
    const signed_pair extreme = is_max ? (x > y ? x : y) : (x < y ? x : y);
    return __builtin_bit_cast(u32, extreme);
  } else {
    const unsigned_pair x = __builtin_bit_cast(unsigned_pair, a);
    const unsigned_pair y = __builtin_bit_cast(unsigned_pair, b);
    const unsigned_pair extreme = is_max ? (x > y ? x : y) : (x < y ? x : y);
    return __builtin_bit_cast(u32, extreme);
  }
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

/// Word k of what a load brought, k a constant.
REDTUNE_DEVICE u32 word_of(u32 words, int) {
  return words;
}
REDTUNE_DEVICE u32 word_of(word<8>::type words, int k) {
  return words[k];
}
REDTUNE_DEVICE u32 word_of(word<16>::type words, int k) {
  return words[k];
}

template <class Hint, class Word>
REDTUNE_DEVICE Word load_word(const Word* from) {
  if constexpr (is_same<Hint, streaming>::value) {
    return __builtin_nontemporal_load(from);
  } else {
    return *from;
  }
}

template <class Hint, class Word>
REDTUNE_DEVICE void store_word(Word* to, Word value) {
  if constexpr (is_same<Hint, streaming>::value) {
    __builtin_nontemporal_store(value, to);
  } else {
    *to = value;
  }
}

/// total plus the elements of a word, four bytes or two halves, by the sums of absolute differences
/// from zero that every AMD GPU has. Signed elements are first moved up into the unsigned range.
template <class In>
REDTUNE_DEVICE u32 add_elements(u32 word, u32 total) {
  if constexpr (is_same<In, u8>::value) {
    return __builtin_amdgcn_sad_u8(word, 0, total);
  } else if constexpr (is_same<In, i8>::value) {
    return __builtin_amdgcn_sad_u8(word ^ 0x80808080u, 0, total) - 4 * 0x80u;
  } else if constexpr (is_same<In, u16>::value) {
    return __builtin_amdgcn_sad_u16(word, 0, total);
  } else {
    static_assert(is_same<In, i16>::value, "words of small integers");
    return __builtin_amdgcn_sad_u16(word ^ 0x80008000u, 0, total) - 2 * 0x8000u;
  }
}

/// What this thread wrote before, or reads after it, other blocks see, or have written.
REDTUNE_DEVICE void device_fence() {
  __threadfence();
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

/// Vectors come to shared memory through registers.
template <int bytes>
constexpr bool copies_past_registers = false;
template <int bytes>
REDTUNE_DEVICE void copy_past_registers(void* to, const void* from);
REDTUNE_DEVICE void wait_for_copies();

/// One more in shared memory; what stood there before.
REDTUNE_DEVICE u32 take_place(u32* counter) {
  return atomicAdd(counter, 1u);
}

/// Words of slots, see finish_slots.hip.h: relaxed, at the scope of the device.
REDTUNE_DEVICE void store_slot_word(u64* to, u64 word) {
  __hip_atomic_store(to, word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
REDTUNE_DEVICE void store_slot_words(u64* to, u64 first, u64 second) {
  store_slot_word(to, first);
  store_slot_word(to + 1, second);
}
REDTUNE_DEVICE u64 load_slot_word(const u64* from) {
  return __hip_atomic_load(from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
REDTUNE_DEVICE void load_slot_words(const u64* from, u64* to) {
  to[0] = load_slot_word(from);
  to[1] = load_slot_word(from + 1);
}
/// Adds to a word of sum and count, and tells what stood there before.
REDTUNE_DEVICE u64 add_to_counted_word(u64* address, u64 value) {
  return __hip_atomic_fetch_add(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
/// Nothing: the other blocks of a GPU are at work beside this one.
REDTUNE_DEVICE void before_looking_again() {}

/// Relaxed, at the scope of the device; see atomic.hip.h. Floats: one instruction of the memory
/// where the GPU has it, which works on the device's own memory only; else a loop of compare and
/// exchange.
template <class Word>
REDTUNE_DEVICE void add_to_word(Word* address, Word value) {
  __hip_atomic_fetch_add(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
REDTUNE_DEVICE void min_to_word(T* address, T value) {
  __hip_atomic_fetch_min(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
REDTUNE_DEVICE void max_to_word(T* address, T value) {
  __hip_atomic_fetch_max(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class Word>
REDTUNE_DEVICE void and_to_word(Word* address, Word value) {
  __hip_atomic_fetch_and(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class Word>
REDTUNE_DEVICE void or_to_word(Word* address, Word value) {
  __hip_atomic_fetch_or(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class Word>
REDTUNE_DEVICE void xor_to_word(Word* address, Word value) {
  __hip_atomic_fetch_xor(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

}  // namespace redtune

#endif
