// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where groups of equal neighbouring keys begin, in order, and how many there are: in two launches,
// of which the second reads a bit for each key. Keys are equal where their bits are.
#pragma once

#include "device_code/load.hip.h"
#include "device_code/ordered_places.hip.h"

namespace redtune {

/// Keys whose heads of groups are the bits of a byte.
constexpr int keys_of_mark = 8;

/// Which of the keys from one on, eight or as many as there are, differ from the one before.
template <class Key>
REDTUNE_DEVICE u32 heads_among(const Key* keys, i64 first, i64 count) {
  constexpr int width = 16 / sizeof(Key);
  const i64 left = count - first;
  Key some[keys_of_mark];
  if (left >= keys_of_mark && reinterpret_cast<u64>(keys) % 16 == 0) {
    const vec<Key, width>* const from = reinterpret_cast<const vec<Key, width>*>(keys + first);
    REDTUNE_UNROLL
    for (int i = 0; i < keys_of_mark / width; ++i) {
      const vec<Key, width> loaded = from[i];
      REDTUNE_UNROLL
      for (int k = 0; k < width; ++k) some[i * width + k] = loaded.v[k];
    }
  } else {
    REDTUNE_UNROLL
    for (int i = 0; i < keys_of_mark; ++i) some[i] = keys[first + (i < left ? i : left - 1)];
  }
  Key before = first == 0 ? Key(~some[0]) : keys[first - 1];
  u32 heads = 0;
  REDTUNE_UNROLL
  for (int i = 0; i < keys_of_mark; ++i) {
    heads |= some[i] != before ? 1u << i : 0u;
    before = some[i];
  }
  return heads;
}

/// A bit for each key that begins a group, and how many of them a run of keys has; the block that
/// comes last tells how many groups there are before each block's run, and in all.
template <class Key, int block_size>
REDTUNE_KERNEL(block_size)
mark_heads(const Key* keys, i64 count, u8* marks, u64* counts, u32* counter, i64* groups) {
  wait_for_previous();
  const block_run run = run_of_block((count + keys_of_mark - 1) / keys_of_mark);
  u64 found = 0;
  REDTUNE_ROLLED
  for (i64 i = run.first + thread_index(); i < run.end; i += block_size) {
    const u32 heads = heads_among(keys, i * keys_of_mark, count);
    marks[i] = u8(heads);
    found += count_ones(heads);
  }
  const u64 all = scan_block<block_size>(found).all;
  if (thread_index() == 0) counts[block_index()] = all;
  if (!is_last_block(counter)) return;
  const u64 of_all = scan_counts<block_size>(counts, grid_size());
  if (thread_index() == 0) *groups = i64(of_all);
}

/// The offset of each group, and its key where there is a place for keys; behind the last the
/// number of all keys. Launched with as many blocks as the one before.
template <class Key, class Offset, int block_size>
REDTUNE_KERNEL(block_size)
place_heads(const Key* keys, i64 count, const u8* marks, const u64* counts, const i64* groups,
            Offset* offsets, Key* keys_of_groups) {
  wait_for_previous();
  const block_run run = run_of_block((count + keys_of_mark - 1) / keys_of_mark);
  i64 place = i64(counts[block_index()]);
  REDTUNE_ROLLED
  for (i64 first = run.first; first < run.end; first += block_size) {
    const i64 i = first + thread_index();
    const u32 heads = i < run.end ? u32(marks[i]) : 0u;
    const scanned found = scan_block<block_size>(count_ones(heads));
    i64 at = place + i64(found.before);
    REDTUNE_UNROLL
    for (int k = 0; k < keys_of_mark; ++k) {
      if ((heads >> k & 1u) == 0) continue;
      const i64 key = i * keys_of_mark + k;
      offsets[at] = Offset(key);
      if (keys_of_groups != nullptr) keys_of_groups[at] = keys[key];
      ++at;
    }
    place += i64(found.all);
  }
  if (block_index() == 0 && thread_index() == 0) offsets[*groups] = Offset(count);
}

}  // namespace redtune
