// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Finish in one launch by one way through memory: each block stores its value in words of its own,
// a slot, with a flag in each word. The last block of the grid, which is the last to start, reads
// the slots until all flags are set, folds them in an order that their number decides, and clears
// them for the next launch. A word holds value and flag, so nothing has to be ordered by a fence.
// Why that is enough: docs/explanation/kernels.md.
#pragma once

#include "block_reduce.hip.h"

namespace redtune {

/// The highest bit of every word that was stored.
constexpr u64 slot_flag = u64(1) << 63;

/// A value as words of 64 bits: 32 bits of it in each, and the flag.
template <class T>
struct flagged_words {
  static constexpr int count = int((sizeof(T) + 3) / 4);
  struct parts {
    u32 w[count];
  };

  static REDTUNE_DEVICE void write(T value, u64* words) {
    if constexpr (sizeof(T) < sizeof(u32)) {  // an integer: what it is widened by is cut off again
      words[0] = slot_flag | u32(value);
    } else {
      const parts bits = __builtin_bit_cast(parts, value);
      REDTUNE_UNROLL
      for (int k = 0; k < count; ++k) words[k] = slot_flag | bits.w[k];
    }
  }
  static REDTUNE_DEVICE T read(const u64* words) {
    if constexpr (sizeof(T) < sizeof(u32)) {
      return T(u32(words[0]));
    } else {
      parts bits;
      REDTUNE_UNROLL
      for (int k = 0; k < count; ++k) bits.w[k] = u32(words[k]);
      return __builtin_bit_cast(T, bits);
    }
  }
};

/// An index takes one word: it is -1, or has 62 bits.
template <class T>
struct flagged_words<indexed_value<T>> {
  typedef flagged_words<T> of_value;
  static constexpr int count = of_value::count + 1;

  static REDTUNE_DEVICE void write(const indexed_value<T>& found, u64* words) {
    of_value::write(found.value, words);
    words[of_value::count] = slot_flag | u64(found.index);
  }
  static REDTUNE_DEVICE indexed_value<T> read(const u64* words) {
    return {of_value::read(words), i64(words[of_value::count] << 1) >> 1};
  }
};

/// A number of 63 bits.
struct flagged_number {
  static constexpr int count = 1;
  static REDTUNE_DEVICE void write(u64 number, u64* words) { words[0] = slot_flag | number; }
  static REDTUNE_DEVICE u64 read(const u64* words) { return words[0] & ~slot_flag; }
};

/// A value of at most 32 bits and an index below 2^31 - 1 as one number, the first of two the
/// lower.
template <class Op, class T>
struct found_as_number {
  typedef extreme_order<typename Op::value_op::fold> order;
  typedef ordered_key<order, T> key;
  static constexpr bool exists = sizeof(T) <= sizeof(u32) && key::exists;
  static constexpr u32 no_index = 0x7fffffffu;
  /// Turns the order of keys into that of unsigned numbers.
  typedef decltype(key::of(T())) Key;
  static constexpr u32 turned =
      (is_signed_integer<Key>::value ? 0x80000000u : 0u) ^ (order::takes_least ? 0u : ~0u);

  static REDTUNE_DEVICE u64 number(const indexed_value<T>& found) {
    const u32 rank = u32(key::of(T(found.value + T(0)))) ^ turned;  // zeros of both signs are equal
    return u64(rank) << 31 | (u32(found.index) & no_index);
  }
  static REDTUNE_DEVICE indexed_value<T> found(u64 number) {
    const u32 index = u32(number) & no_index;
    return {key::back(Key(u32(number >> 31) ^ turned)), index == no_index ? i64(-1) : i64(index)};
  }
};

/// Where slots lie: in words, and at least so many bytes from one to the next. Slots of two words
/// and more begin where pairs of words may be loaded at once.
template <class Flagged, int least_stride>
struct slot_layout {
  typedef Flagged flagged;
  static constexpr int words = Flagged::count;
  static constexpr int held = words > 2 ? (words + 1) / 2 * 2 : words;
  static constexpr int stride = least_stride / 8 > held ? least_stride / 8 : held;
  /// That a reader looks at at once: blocks of 1024 threads leave each 64 registers.
  static constexpr int some = words == 1 ? 4 : words > 4 ? 1 : 2;
  static constexpr int most = words == 1 ? 8 : words == 2 ? 4 : some;

  static REDTUNE_DEVICE void store(u64* slot, const u64* from) {
    REDTUNE_UNROLL
    for (int k = 0; k + 1 < words; k += 2) store_slot_words(slot + k, from[k], from[k + 1]);
    if constexpr (words % 2 == 1) store_slot_word(slot + words - 1, from[words - 1]);
  }
  static REDTUNE_DEVICE void load(const u64* slot, u64* to) {
    REDTUNE_UNROLL
    for (int k = 0; k + 1 < words; k += 2) load_slot_words(slot + k, to + k);
    if constexpr (words % 2 == 1) to[words - 1] = load_slot_word(slot + words - 1);
  }
  static REDTUNE_DEVICE bool is_there(const u64* from) {
    u64 flags = from[0];
    REDTUNE_UNROLL
    for (int k = 1; k < words; ++k) flags &= from[k];
    return i64(flags) < 0;
  }
};

/// Who reads the slots.
struct read_by_wave {};
struct read_by_block {};

/// What a reader does while a slot that it looks at is empty: it reads all that it looks at again,
/// or the empty ones alone.
struct wait_all {
  static constexpr bool reads_all = true;
};
struct wait_missing {
  static constexpr bool reads_all = false;
};

/// Waits for the slots first, first + step, ... before end, at most `many` of them, all loads on
/// their way at once; adds their values, and clears them.
template <class Op, class Layout, class Wait, int many, class Acc>
REDTUNE_DEVICE Acc take_slots(u64* slots, u32 first, u32 step, u32 end, Acc value) {
  // Empty at first. What is missing is told by the words: GPUs have few registers for truths.
  u64 words[many][Layout::words] = {};
  while (true) {
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) {
      const u32 index = first + u32(i) * step;
      if (index >= end || (!Wait::reads_all && Layout::is_there(words[i]))) continue;
      Layout::load(slots + i64(index) * Layout::stride, words[i]);
    }
    bool is_missing = false;
    REDTUNE_UNROLL
    for (int i = 0; i < many; ++i) {
      is_missing |= first + u32(i) * step < end && !Layout::is_there(words[i]);
    }
    if (!is_missing) break;
    before_looking_again();
  }
  const u64 empty[Layout::words] = {};
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) {
    const u32 index = first + u32(i) * step;
    if (index >= end) continue;
    Layout::store(slots + i64(index) * Layout::stride, empty);
    value = Op::template combine<Acc>(value, Layout::flagged::read(words[i]));
  }
  return value;
}

/// What one of `readers` makes of its share of the slots before end.
template <class Op, class Layout, class Wait, int readers, class Acc>
REDTUNE_DEVICE Acc gather_slots(u64* slots, u32 end) {
  const u32 first = u32(thread_index());
  Acc value = Op::template identity<Acc>();
  if (end <= u32(readers)) {
    return take_slots<Op, Layout, Wait, 1>(slots, first, u32(readers), end, value);
  }
  if constexpr (Layout::some < Layout::most) {
    if (end <= u32(Layout::some * readers)) {
      return take_slots<Op, Layout, Wait, Layout::some>(slots, first, u32(readers), end, value);
    }
  }
  REDTUNE_ROLLED
  for (u32 i = first; i < end; i += u32(Layout::most * readers)) {
    value = take_slots<Op, Layout, Wait, Layout::most>(slots, i, u32(readers), end, value);
  }
  return value;
}

template <int least_stride, class Reader, class Wait>
struct slots {
  static constexpr bool one_block = false;

  static REDTUNE_DEVICE void begin() {}

  template <class Op, int block_size, int wave_size, class Acc, class Out>
  static REDTUNE_DEVICE ending<Acc> run(Acc block_value, const finish_memory<Acc, Out>& memory) {
    if constexpr (Op::indexed) {
      typedef found_as_number<Op, typename Acc::value_type> as_number;
      if constexpr (as_number::exists) {
        if (memory.count <= i64(as_number::no_index)) {
          const ending<u64> end = hand_over<min, flagged_number, block_size, wave_size>(
              as_number::number(block_value), memory.slots);
          return {as_number::found(end.value), end.is_last};
        }
      }
    }
    return hand_over<Op, flagged_words<Acc>, block_size, wave_size>(block_value, memory.slots);
  }

 private:
  template <class Op, class Flagged, int block_size, int wave_size, class Acc>
  static REDTUNE_DEVICE ending<Acc> hand_over(Acc block_value, u64* slots) {
    typedef slot_layout<Flagged, least_stride> layout;
    constexpr int readers = is_same<Reader, read_by_wave>::value ? wave_size : block_size;
    const u32 last = u32(grid_size()) - 1;
    if (u32(block_index()) != last) {
      if (thread_index() == 0) {
        u64 words[layout::words];
        Flagged::write(block_value, words);
        layout::store(slots + i64(block_index()) * layout::stride, words);
      }
      return {block_value, false};
    }
    if (thread_index() >= readers) return {block_value, false};
    Acc value = gather_slots<Op, layout, Wait, readers, Acc>(slots, last);
    // The last block's own value never leaves its thread.
    if (thread_index() == 0) value = Op::template combine<Acc>(value, block_value);
    if constexpr (readers == wave_size) {
      return {wave_reduce<Op, wave_size>(value), true};
    } else {
      block_barrier();  // the values of waves share a place with those of the fold before
      return {block_reduce<Op, block_size, wave_size>(value), true};
    }
  }
};

template <int least_stride, class Reader, class Wait>
struct hands_over_words<slots<least_stride, Reader, Wait>> {
  static constexpr bool value = true;
};

}  // namespace redtune
