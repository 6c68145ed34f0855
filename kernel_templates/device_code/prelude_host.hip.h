// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The prelude for host C++ compilers; the device that runs the text defines the services declared
// here.
#pragma once

#include "base.hip.h"

#if !defined(REDTUNE_HIP) && !defined(REDTUNE_CUDA)
#define REDTUNE_DEVICE inline __attribute__((always_inline))
#define REDTUNE_KERNEL(block_size) void
#define REDTUNE_TILE_KERNEL(block_size, all_registers) void
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
/// Another block is waited for: lets its thread run.
void redtune_host_pause();

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

/// All bits are moved into place at once; infinities and NaN are mended.
REDTUNE_DEVICE float float_of_f16(u16 bits) {
  const u32 size = u32(bits & 0x7fff) << 13;
  const float scaled = __builtin_bit_cast(float, size) * 0x1p112f;
  const u32 word = size >= 0x0f800000u ? size | 0x7f800000u : __builtin_bit_cast(u32, scaled);
  return __builtin_bit_cast(float, word | u32(bits & 0x8000) << 16);
}
REDTUNE_DEVICE u16 f16_of_float(float value) {
  const u32 word = __builtin_bit_cast(u32, value);
  u32 size = word & 0x7fffffffu;
  if (size > 0x7f800000u) {
    size = 0x7e00u;  // NaN
  } else if (size >= 0x477ff000u) {
    size = 0x7c00u;  // 65520 and more: infinity
  } else if (size < 0x38800000u) {
    // Below 2^-14: one unit of 0.5f is the smallest of these floats, so the addition rounds.
    size = __builtin_bit_cast(u32, __builtin_bit_cast(float, size) + 0.5f) - 0x3f000000u;
  } else {
    size = (size - 0x38000000u + 0xfffu + ((size >> 13) & 1u)) >> 13;
  }
  return u16((word >> 16 & 0x8000u) | size);
}

REDTUNE_DEVICE double square_root(double x) {
  return __builtin_sqrt(x);
}
REDTUNE_DEVICE double natural_logarithm(double x) {
  return __builtin_log(x);
}
REDTUNE_DEVICE float power_of_two(float x) {
  return __builtin_exp2f(x);
}
REDTUNE_DEVICE double power_of_two(double x) {
  return __builtin_exp2(x);
}
/// a / b within a few last places, for b that is neither tiny nor huge.
REDTUNE_DEVICE float quotient(float a, float b) {
  return a / b;
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

/// a * b; see prelude_hip.hip.h.
REDTUNE_DEVICE i32 whole_product(i32 a, i32 b) {
  return a * b;
}

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

// The host device has no clusters of blocks.
#define REDTUNE_CLUSTER_KERNEL(block_size, all_registers, cluster_size) \
  REDTUNE_TILE_KERNEL(block_size, all_registers)
inline void arrive_in_cluster();
inline void wait_for_cluster();
inline void store_in_first_block(u32* place, u32 word);

/// Compilers make vectors of the lanes by themselves.
constexpr bool has_word_folds = false;
constexpr bool has_squares_of_bytes = false;
template <class In>
REDTUNE_DEVICE u32 add_squares(u32 word, u32 total);

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

/// All lanes of the wave meet; what they wrote before, all of them see after. An exchange of
/// nothing in particular: it ends when every lane has come.
REDTUNE_DEVICE void wave_barrier() {
  const u32 mine = 0;
  u32 theirs;
  redtune_host_exchange(&mine, &theirs, sizeof(mine), 0);
}

/// What this thread wrote before, or reads after it, other blocks see, or have written.
REDTUNE_DEVICE void device_fence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <class Fence>
REDTUNE_DEVICE u32 take_ticket(u32* counter, u32 blocks) {
  constexpr int order = is_same<Fence, full_fence>::value ? __ATOMIC_SEQ_CST : __ATOMIC_ACQ_REL;
  const u32 ticket = __atomic_fetch_add(counter, 1u, order);
  if (ticket == blocks - 1) __atomic_store_n(counter, 0u, __ATOMIC_RELAXED);
  return ticket;
}

/// Vectors come to shared memory through registers.
template <int bytes>
constexpr bool copies_past_registers = false;
template <int bytes>
REDTUNE_DEVICE void copy_past_registers(void* to, const void* from);
REDTUNE_DEVICE void wait_for_copies();

/// One more in shared memory; what stood there before.
REDTUNE_DEVICE u32 take_place(u32* counter) {
  return __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED);
}

/// Words of slots, see finish_slots.hip.h.
REDTUNE_DEVICE void store_slot_word(u64* to, u64 word) {
  __atomic_store_n(to, word, __ATOMIC_RELAXED);
}
REDTUNE_DEVICE void store_slot_words(u64* to, u64 first, u64 second) {
  store_slot_word(to, first);
  store_slot_word(to + 1, second);
}
REDTUNE_DEVICE u64 load_slot_word(const u64* from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}
REDTUNE_DEVICE void load_slot_words(const u64* from, u64* to) {
  to[0] = load_slot_word(from);
  to[1] = load_slot_word(from + 1);
}
/// Adds to a word of sum and count, and tells what stood there before.
REDTUNE_DEVICE u64 add_to_counted_word(u64* address, u64 value) {
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
/// A processor lets others run: it may have fewer cores than blocks that are on their way.
REDTUNE_DEVICE void before_looking_again() {
  redtune_host_pause();
}

/// Replaces what stands there by what change makes of it, in one step for all threads.
template <class T, class Change>
REDTUNE_DEVICE void change_word(T* address, Change change) {
  T before;
  T after;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  do {
    after = change(before);
  } while (!__atomic_compare_exchange(address, &before, &after, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
}

/// Relaxed; see atomic.hip.h.
template <class Word>
REDTUNE_DEVICE void add_to_word(Word* address, Word value) {
  if constexpr (is_same<Word, float>::value || is_same<Word, double>::value) {
    change_word(address, [value](Word before) { return before + value; });
  } else {
    __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
  }
}
template <class T>
REDTUNE_DEVICE void min_to_word(T* address, T value) {
  change_word(address, [value](T before) { return value < before ? value : before; });
}
template <class T>
REDTUNE_DEVICE void max_to_word(T* address, T value) {
  change_word(address, [value](T before) { return before < value ? value : before; });
}
template <class Word>
REDTUNE_DEVICE void and_to_word(Word* address, Word value) {
  __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
}
template <class Word>
REDTUNE_DEVICE void or_to_word(Word* address, Word value) {
  __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}
template <class Word>
REDTUNE_DEVICE void xor_to_word(Word* address, Word value) {
  __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}

}  // namespace redtune

#endif
