// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How blocks that take an array tile by tile learn what the tiles before theirs have found, in one
// launch: each tells what its own tile has, and then what all tiles up to it have; a block looks
// back until it finds one that knows the latter (Merrill, Garland: Single-pass parallel prefix scan
// with decoupled look-back, 2016). What is told are whole numbers: whichever words a block meets,
// the sum is the same. A block waits for those of lower indices alone, which have begun before it
// where a device starts blocks in order.
#pragma once

#include "finish_slots.hip.h"

namespace redtune {

/// Heads of groups in tiles, and where behind the last of them is; 0: there is none.
struct heads_found {
  u64 many;
  u64 behind_last;
};

/// Words of the device's memory: one that says which of two sets of states this launch has and how
/// many states the one before left in the other, which is cleared; the states; and for each tile a
/// place for what it leaves to the next. Zero before the first launch.
struct tile_states {
  u64* words;
  i64 room;       ///< tiles that there is room for
  u64 of_launch;  ///< its first word, as it was when this launch began

  static constexpr i64 before_states = 16;  ///< words: nobody writes beside the first
  static constexpr int state_words = 2;
  static constexpr u64 of_tile = u64(1) << 62;  ///< what is told is of the tile alone
  static constexpr u64 of_all = u64(2) << 62;   ///< or of all tiles up to it
  static constexpr u64 number_bits = of_tile - 1;

  REDTUNE_DEVICE u64* set(u64 which) const {
    return words + before_states + i64(which & 1) * state_words * room;
  }
  REDTUNE_DEVICE u64* states() const { return set(of_launch); }
  REDTUNE_DEVICE u64* left() const { return words + before_states + 2 * state_words * room; }

  REDTUNE_DEVICE void tell(i64 tile, u64 what, heads_found found) const {
    store_slot_words(states() + state_words * tile, what | found.many, what | found.behind_last);
  }
  /// What the launch before last has told. All threads of all blocks call it.
  template <int block_size>
  REDTUNE_DEVICE void clear_others() const {
    u64* const others = set(of_launch + 1);
    const i64 told = i64(of_launch >> 1);
    const i64 all = told > grid_size() ? told : i64(grid_size());
    if (thread_index() == 0) store_slot_words(others + state_words * block_index(), 0, 0);
    REDTUNE_ROLLED
    for (i64 i = grid_size() + i64(block_index()) * block_size + thread_index(); i < all;
         i += i64(grid_size()) * block_size) {
      store_slot_words(others + state_words * i, 0, 0);
    }
  }
  /// By one thread of the last tile's block, which knows that all others have looked at the word.
  REDTUNE_DEVICE void hand_to_next_launch() const {
    store_slot_word(words, u64(grid_size()) << 1 | ((of_launch + 1) & 1));
  }

  /// What all tiles before one have found, in the first lane of the wave that calls it. some:
  /// states that a lane looks at at a time.
  template <int wave_size, int some>
  REDTUNE_DEVICE heads_found look_back(i64 tile) const {
    constexpr u32 none = u32(some * wave_size);
    const i32 lane = thread_index() % wave_size;
    heads_found before{0, 0};
    REDTUNE_ROLLED
    for (i64 nearest = tile - 1; nearest >= 0; nearest -= some * wave_size) {
      u64 words_of[some][state_words];
      wait_for_states<some, wave_size>(nearest - lane, words_of);
      u32 first = none;
      REDTUNE_UNROLL
      for (int i = some - 1; i >= 0; --i) {
        if ((words_of[i][0] & of_all) != 0) first = u32(i * wave_size + lane);
      }
      first = broadcast_word<wave_size>(wave_reduce<min, wave_size>(first));
      heads_found mine{0, 0};
      REDTUNE_UNROLL
      for (int i = 0; i < some; ++i) {
        if (u32(i * wave_size + lane) > first) continue;
        mine.many += words_of[i][0] & number_bits;
        mine.behind_last = max::combine(mine.behind_last, words_of[i][1] & number_bits);
      }
      before.many += wave_reduce<sum, wave_size>(mine.many);
      before.behind_last =
          max::combine(before.behind_last, wave_reduce<max, wave_size>(mine.behind_last));
      if (first < none) break;
    }
    return before;
  }

 private:
  /// Of tiles `step` apart, those before the first of all know that there is nothing. Both words of
  /// a state are of one kind: between two stores one may be of the tile, the other of all.
  template <int some, int step>
  REDTUNE_DEVICE void wait_for_states(i64 nearest, u64 (*to)[state_words]) const {
    while (true) {
      REDTUNE_UNROLL
      for (int i = 0; i < some; ++i) {
        const i64 tile = nearest - i * step;
        to[i][0] = of_all;
        to[i][1] = of_all;
        if (tile >= 0) load_slot_words(states() + state_words * tile, to[i]);
      }
      bool is_missing = false;
      REDTUNE_UNROLL
      for (int i = 0; i < some; ++i) {
        is_missing |= to[i][0] >> 62 == 0 || to[i][0] >> 62 != to[i][1] >> 62;
      }
      if (!is_missing) return;
      before_looking_again();
    }
  }
};

}  // namespace redtune
