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

  /// On the way to a stage: where the first element will lie, and what passes through registers.
  struct coming {
    i32 begin;
    loaded_vector<T, staged_width> loaded[copies_past_registers<16> ? 1 : loads + 1];
  };
  /// All threads call both, and wait for copies between them; nobody may read before a barrier.
  template <class Hint>
  REDTUNE_DEVICE coming start(void* stage) const {
    const vector_span<T, staged_width> span(all + first, here);
    staged_vector* const to = static_cast<staged_vector*>(stage);
    coming it;
    it.begin = span.begin;
    if (is_whole(span)) {
      REDTUNE_UNROLL
      for (int i = 0; i < loads; ++i) {
        const i32 at = thread_index() + i * block_size;
        if (vectors % block_size == 0 || at < vectors) {
          bring<Hint>(to, span.vectors, at, it.loaded[copies_past_registers<16> ? 0 : i]);
        }
      }
    } else {
      const staged_span<T, staged_width> some(span, bounds());
      REDTUNE_UNROLL
      for (int i = 0; i <= loads; ++i) {
        const i32 at = thread_index() + i * block_size;
        if (some.is_whole(at)) {
          bring<Hint>(to, span.vectors, at, it.loaded[copies_past_registers<16> ? 0 : i]);
        }
      }
      some.template stage_ends<block_size>(to);
    }
    return it;
  }
  REDTUNE_DEVICE void end(void* stage, const coming& it) const {
    if constexpr (!copies_past_registers<16>) {
      const vector_span<T, staged_width> span(all + first, here);
      const staged_span<T, staged_width> some(span, bounds());
      REDTUNE_UNROLL
      for (int i = 0; i <= loads; ++i) {
        const i32 at = thread_index() + i * block_size;
        if (some.is_whole(at)) {
          store_vector<cached>(static_cast<staged_vector*>(stage) + at, it.loaded[i]);
        }
      }
    }
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
  REDTUNE_DEVICE array_bounds<T> bounds() const { return {all, all + count}; }
  REDTUNE_DEVICE bool is_whole(const vector_span<T, staged_width>& span) const {
    return span.begin == 0 && here == tile;
  }
  template <class Hint>
  static REDTUNE_DEVICE void bring(staged_vector* to, const staged_vector* from, i32 at,
                                   loaded_vector<T, staged_width>& loaded) {
    if constexpr (copies_past_registers<16>) {
      copy_past_registers<16>(to + at, from + at);
    } else {
      loaded = load_vector<Hint>(from + at);
    }
  }
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

/// Where the groups of a tile come side by side: what a group has up to each head, the first of
/// which ends one of a tile before; keys of groups, and where they begin.
template <class Value, class Key>
struct groups_of_tile {
  Value* ended;
  Key* keys;
  u16* begins;
};

/// What a thread has of its elements: up to its first head where it has one, and from its last head
/// on, or of all.
template <class Value>
struct folded_groups {
  Value until_first;
  Value from_last;
};

/// How a thread folds its elements from one head to the next. heads: a bit for each; before: heads
/// of threads before. By a branch at each head, which costs nothing where there is none; or by
/// stores under a condition.
struct by_branches {
  template <class Value, class Key>
  static REDTUNE_DEVICE Value until_first(const folded_groups<Value>& folded, u32,
                                          const groups_of_tile<Value, Key>&) {
    return folded.until_first;
  }
  template <class Op, class T, int block_size, int items, class In, class Key, class Value>
  static REDTUNE_DEVICE folded_groups<Value> fold(const In* mine, const Key* keys, u32 heads,
                                                  u32 before, i32 here,
                                                  const groups_of_tile<Value, Key>& to) {
    const i32 first = thread_index() * items;
    Value value = Op::template identity<Value>();
    Value until_first = value;
    u32 place = before;
    REDTUNE_UNROLL
    for (int i = 0; i < items; ++i) {
      if (first + i < here) {
        const Value entered = span_fold<Op, T>::enter(mine[i], first + i);
        const Value both = Op::template combine<Value>(value, entered);
        if ((heads >> i & 1u) != 0) {
          if ((heads & low_bits(i)) == 0) {
            until_first = value;
          } else {
            to.ended[place] = value;
          }
          to.keys[place] = keys[i];
          to.begins[place] = u16(first + i);
          ++place;
          value = entered;
        } else {
          value = both;
        }
      }
    }
    return {until_first, value};
  }
};
struct by_stores {
  template <class Op, class T, int block_size, int items, class In, class Key, class Value>
  static REDTUNE_DEVICE folded_groups<Value> fold(const In* mine, const Key* keys, u32 heads,
                                                  u32 before, i32 here,
                                                  const groups_of_tile<Value, Key>& to) {
    const Value value =
        here == block_size * items
            ? fold_some<Op, T, true, items, In, Key, Value>(mine, keys, heads, before, here, to)
            : fold_some<Op, T, false, items, In, Key, Value>(mine, keys, heads, before, here, to);
    return {value, value};
  }
  /// It was stored where the whole of the group will be.
  template <class Value, class Key>
  static REDTUNE_DEVICE Value until_first(const folded_groups<Value>&, u32 before,
                                          const groups_of_tile<Value, Key>& to) {
    return to.ended[before];
  }

 private:
  template <class Op, class T, bool is_whole, int items, class In, class Key, class Value>
  static REDTUNE_DEVICE Value fold_some(const In* mine, const Key* keys, u32 heads, u32 before,
                                        i32 here, const groups_of_tile<Value, Key>& to) {
    const i32 first = thread_index() * items;
    Value value = Op::template identity<Value>();
    u32 place = before;
    REDTUNE_UNROLL
    for (int i = 0; i < items; ++i) {
      const Value entered = span_fold<Op, T>::enter(mine[i], first + i);
      const Value both = Op::template combine<Value>(value, entered);
      const bool is_head = (heads >> i & 1u) != 0;
      if (is_head) {
        to.ended[place] = value;
        to.keys[place] = keys[i];
        to.begins[place] = u16(first + i);
        ++place;
      }
      if (is_whole || first + i < here) {
        value = both;
        if (is_head) value = entered;
      }
    }
    return value;
  }
};

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
