// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a block makes of a tile of keys and values: neighbouring elements are a thread's, which
// folds them group by group; what threads have of groups that go on is put together in an order
// that places alone decide.
#pragma once

#include "fold_spans.hip.h"
#include "prelude_shuffle_up.hip.h"
#include "stage.hip.h"

namespace redtune {

/// How elements come to their threads: as one stream by way of shared memory, or by each thread's
/// own loads.
struct by_stage {};
struct by_thread {};

/// The widest vector of some elements beside each other that all of them are made of.
template <class T, int items>
struct vector_of_items {
  static constexpr int most = 16 / int(sizeof(T));
  static constexpr int even = items & -items;  // the largest power of two that divides
  static constexpr int width = even < most ? even : most;
};

/// The elements of one array that a tile has.
template <class T, int block_size, int items>
struct tile_array {
  static constexpr int tile = block_size * items;
  static constexpr int staged_width = 16 / int(sizeof(T));
  static constexpr int vectors = tile / staged_width;
  static constexpr int loads = (vectors + block_size - 1) / block_size;
  static constexpr int stage_bytes = (vectors + 1) * 16;
  static constexpr int width = vector_of_items<T, items>::width;
  typedef vec<T, staged_width> staged_vector;

  const T* all;
  i64 count;  ///< elements of the array
  i64 first;  ///< of the tile
  i32 here;   ///< elements of the tile

  /// All threads call it; nobody may read before a barrier. Where the first element lies.
  template <class Hint>
  REDTUNE_DEVICE i32 bring(void* stage) const {
    const vector_span<T, staged_width> span(all + first, here);
    return stage_past_registers<block_size, loads, Hint>(span, array_bounds<T>{all, all + count},
                                                         static_cast<staged_vector*>(stage));
  }
  static REDTUNE_DEVICE void take(const void* stage, i32 begin, T* mine) {
    const T* const from = static_cast<const T*>(stage) + begin + thread_index() * items;
    if (begin == 0) {
      load_vectors<cached>(from, mine);
    } else {
      REDTUNE_UNROLL
      for (int i = 0; i < items; ++i) mine[i] = from[i];
    }
  }
  /// Without a stage.
  template <class Hint>
  REDTUNE_DEVICE void load(T* mine) const {
    const T* const from = all + first + thread_index() * items;
    const i32 left = here - thread_index() * items;
    if (left >= items && reinterpret_cast<u64>(all) % (width * sizeof(T)) == 0) {
      load_vectors<Hint>(from, mine);
    } else {
      REDTUNE_UNROLL
      for (int i = 0; i < items; ++i) mine[i] = i < left ? from[i] : T();
    }
  }

 private:
  template <class Hint>
  static REDTUNE_DEVICE void load_vectors(const T* from, T* mine) {
    loaded_vector<T, width> loaded[items / width];
    REDTUNE_UNROLL
    for (int i = 0; i < items / width; ++i) {
      loaded[i] = load_vector<Hint>(reinterpret_cast<const vec<T, width>*>(from) + i);
    }
    REDTUNE_UNROLL
    for (int i = 0; i < items; ++i) mine[i] = element_of(loaded[i / width], i % width);
  }
};

/// What the threads before one have found, and all of the block.
struct heads_counted {
  u32 before;
  u32 all;
};

/// All threads of a block call it.
template <int block_size, int wave_size>
REDTUNE_DEVICE heads_counted count_heads(u32 mine) {
  constexpr int waves = block_size / wave_size;
  REDTUNE_SHARED u32 of_waves[waves];
  const i32 lane = thread_index() % wave_size;
  const i32 wave = thread_index() / wave_size;
  u32 through = mine;
  REDTUNE_UNROLL
  for (i32 distance = 1; distance < wave_size; distance *= 2) {
    const u32 other = shuffle_up<wave_size>(through, distance);
    if (lane >= distance) through += other;
  }
  if (lane == wave_size - 1) of_waves[wave] = through;
  block_barrier();
  heads_counted found{through - mine, 0};
  REDTUNE_UNROLL
  for (i32 i = 0; i < waves; ++i) {
    const u32 some = of_waves[i];
    if (i < wave) found.before += some;
    found.all += some;
  }
  return found;
}

/// What there is of the group that goes on: before a thread's first element, and behind its last.
template <class Value>
struct open_groups {
  Value before;
  Value behind;
};

/// mine: of a thread's elements from their last head on, or of all where none is one. All threads
/// of a block call it.
template <class Op, int block_size, int wave_size, class Value>
REDTUNE_DEVICE open_groups<Value> join_open_groups(Value mine, bool has_head) {
  constexpr int waves = block_size / wave_size;
  REDTUNE_SHARED Value of_waves alignas(16)[waves];
  REDTUNE_SHARED u32 wave_has_head[waves];
  const i32 lane = thread_index() % wave_size;
  const i32 wave = thread_index() / wave_size;
  u32 is_cut = has_head ? 1 : 0;  // nothing from before goes on behind it
  REDTUNE_UNROLL
  for (i32 distance = 1; distance < wave_size; distance *= 2) {
    const Value other = shuffle_up<wave_size>(mine, distance);
    const u32 other_is_cut = shuffle_up<wave_size>(is_cut, distance);
    const Value both = Op::template combine<Value>(other, mine);
    if (lane >= distance && is_cut == 0) {
      mine = both;
      is_cut = other_is_cut;
    }
  }
  Value before = shuffle_up<wave_size>(mine, 1);
  const u32 before_is_cut = shuffle_up<wave_size>(is_cut, 1);
  if (lane == wave_size - 1) {
    of_waves[wave] = mine;
    wave_has_head[wave] = is_cut;
  }
  block_barrier();
  Value open = Op::template identity<Value>();
  for (i32 i = 0; i < wave; ++i) {
    const Value its = of_waves[i];
    const Value both = Op::template combine<Value>(open, its);
    open = its;
    if (wave_has_head[i] == 0) open = both;
  }
  const Value all_before = Op::template combine<Value>(open, before);
  const Value all_behind = Op::template combine<Value>(open, mine);
  if (lane == 0) {
    before = open;
  } else if (before_is_cut == 0) {
    before = all_before;
  }
  if (is_cut == 0) mine = all_behind;
  return {before, mine};
}

}  // namespace redtune
