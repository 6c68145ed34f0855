// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where groups of equal neighbouring keys begin, in order, and how many there are: in two launches,
// of which the second reads a bit for each key. Keys are equal where their bits are.
#pragma once

#include "device_code/load.hip.h"
#include "device_code/ordered_places.hip.h"

namespace redtune {

/// Keys whose heads of groups are the bits of a byte, and of a word of such bytes.
constexpr int keys_of_mark = 8;
constexpr int keys_of_word = 32;
constexpr int marks_of_word = keys_of_word / keys_of_mark;

/// Eight keys, and the one before them.
template <class Key>
struct marked_keys {
  Key keys[keys_of_mark];
  Key before;

  /// A bit for each that differs from the one before.
  REDTUNE_DEVICE u32 heads() const {
    u32 heads = 0;
    REDTUNE_UNROLL
    for (int i = 0; i < keys_of_mark; ++i) {
      heads |= keys[i] != (i == 0 ? before : keys[i - 1]) ? 1u << i : 0u;
    }
    return heads;
  }
};

/// The key before the first of an array is another one than the first.
template <class Key>
REDTUNE_DEVICE Key key_before(const Key* keys, i64 first) {
  const Key other = keys[first == 0 ? 0 : first - 1];
  return first == 0 ? Key(~other) : other;
}

/// Of keys that begin at a multiple of 16 bytes, and are there.
template <class Key>
REDTUNE_DEVICE void load_marked(const Key* keys, i64 first, marked_keys<Key>& some) {
  constexpr int width = 16 / sizeof(Key);
  const vec<Key, width>* const from = reinterpret_cast<const vec<Key, width>*>(keys + first);
  REDTUNE_UNROLL
  for (int i = 0; i < keys_of_mark / width; ++i) {
    const vec<Key, width> loaded = from[i];
    REDTUNE_UNROLL
    for (int k = 0; k < width; ++k) some.keys[i * width + k] = loaded.v[k];
  }
  some.before = key_before(keys, first);
}

/// Which of the keys from one on, eight or as many as there are, differ from the one before.
template <class Key>
REDTUNE_DEVICE u32 heads_among(const Key* keys, i64 first, i64 count) {
  const i64 left = count - first;
  if (left <= 0) return 0;
  marked_keys<Key> some;
  REDTUNE_UNROLL
  for (int i = 0; i < keys_of_mark; ++i) some.keys[i] = keys[first + (i < left ? i : left - 1)];
  some.before = key_before(keys, first);
  return some.heads();
}

/// A bit for each key that begins a group, zeros up to the end of the last word, and how many of
/// them a run of words has; the block that comes last tells how many groups there are before each
/// block's run, and in all.
template <class Key, int block_size>
REDTUNE_KERNEL(block_size)
mark_heads(const Key* keys, i64 count, u8* marks, u64* counts, u32* counter, i64* groups) {
  // A thread makes so many marks at a time, so that the loads of all are under way.
  constexpr int at_a_time = 16 / sizeof(Key);
  wait_for_previous();
  const block_run run = run_of_block((count + keys_of_word - 1) / keys_of_word);
  const i64 end = run.end * marks_of_word;
  const bool is_aligned = reinterpret_cast<u64>(keys) % 16 == 0;
  u64 found = 0;
  REDTUNE_ROLLED
  for (i64 i = run.first * marks_of_word + thread_index(); i < end; i += block_size * at_a_time) {
    const i64 last = i + block_size * (at_a_time - 1);
    if (is_aligned && last < end && (last + 1) * keys_of_mark <= count) {
      marked_keys<Key> some[at_a_time];
      REDTUNE_UNROLL
      for (int k = 0; k < at_a_time; ++k) {
        load_marked(keys, (i + k * block_size) * keys_of_mark, some[k]);
      }
      REDTUNE_UNROLL
      for (int k = 0; k < at_a_time; ++k) {
        const u32 heads = some[k].heads();
        marks[i + k * block_size] = u8(heads);
        found += count_ones(heads);
      }
    } else {
      REDTUNE_ROLLED
      for (i64 one = i; one < end && one <= last; one += block_size) {
        const u32 heads = heads_among(keys, one * keys_of_mark, count);
        marks[one] = u8(heads);
        found += count_ones(heads);
      }
    }
  }
  const u64 all = scan_block<block_size>(found).all;
  if (thread_index() == 0) counts[block_index()] = all;
  if (!is_last_block(counter)) return;
  const u64 of_all = scan_counts<block_size>(counts, grid_size());
  if (thread_index() == 0) *groups = i64(of_all);
}

/// The offset of each group, and its key where there is a place for keys; behind the last the
/// number of all keys. Launched with as many blocks as the one before. A block brings the heads of
/// its words side by side first, so that neighbouring threads write neighbouring places.
template <class Key, class Offset, int block_size>
REDTUNE_KERNEL(block_size)
place_heads(const Key* keys, i64 count, const u8* marks, const u64* counts, const i64* groups,
            Offset* offsets, Key* keys_of_groups) {
  REDTUNE_SHARED u16 side_by_side[block_size * keys_of_word];
  wait_for_previous();
  const u32* const words = reinterpret_cast<const u32*>(marks);
  const block_run run = run_of_block((count + keys_of_word - 1) / keys_of_word);
  i64 place = i64(counts[block_index()]);
  const auto word_at = [&](i64 i) { return i < run.end ? words[i] : 0u; };
  u32 next = word_at(run.first + thread_index());
  REDTUNE_ROLLED
  for (i64 first = run.first; first < run.end; first += block_size) {
    u32 heads = next;
    next = word_at(first + block_size + thread_index());  // on its way while these are placed
    const scanned found = scan_block<block_size>(count_ones(heads));
    REDTUNE_ROLLED
    for (i32 at = i32(found.before); heads != 0; ++at) {
      const u32 lowest = heads & (0u - heads);
      side_by_side[at] = u16(thread_index() * keys_of_word + i32(count_ones(lowest - 1)));
      heads ^= lowest;
    }
    block_barrier();
    REDTUNE_ROLLED
    for (i32 i = thread_index(); i < i32(found.all); i += block_size) {
      const i64 key = first * keys_of_word + side_by_side[i];
      offsets[place + i] = Offset(key);
      if (keys_of_groups != nullptr) keys_of_groups[place + i] = keys[key];
    }
    place += i64(found.all);
    // The next scan waits for all threads before any of them writes side by side again.
  }
  if (block_index() == 0 && thread_index() == 0) offsets[*groups] = Offset(count);
}

}  // namespace redtune
