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

  /// What all tiles before one have found, in the first lane of the wave that calls it.
  template <int wave_size>
  REDTUNE_DEVICE heads_found look_back(i64 tile) const {
    const i32 lane = thread_index() % wave_size;
    heads_found before{0, 0};
    REDTUNE_ROLLED
    for (i64 nearest = tile - 1; nearest >= 0; nearest -= wave_size) {
      u64 state[state_words] = {of_all, of_all};  // before the first tile there is nothing
      if (nearest >= lane) wait_for_state(states() + state_words * (nearest - lane), state);
      const bool knows_all = (state[0] & of_all) != 0;
      const u32 first = wave_reduce<min, wave_size>(u32(knows_all ? lane : wave_size));
      const u32 last_needed = broadcast_word<wave_size>(first);
      const bool is_needed = u32(lane) <= last_needed;
      before.many += wave_reduce<sum, wave_size>(is_needed ? state[0] & number_bits : u64(0));
      const u64 behind_last =
          wave_reduce<max, wave_size>(is_needed ? state[1] & number_bits : u64(0));
      before.behind_last = max::combine(before.behind_last, behind_last);
      if (last_needed < u32(wave_size)) break;
    }
    return before;
  }

 private:
  /// Both words are of one kind: between two stores one may be of the tile, the other of all.
  static REDTUNE_DEVICE void wait_for_state(const u64* from, u64* state) {
    while (true) {
      load_slot_words(from, state);
      const u64 kinds = state[0] >> 62;
      if (kinds != 0 && kinds == state[1] >> 62) return;
      before_looking_again();
    }
  }
};

}  // namespace redtune
