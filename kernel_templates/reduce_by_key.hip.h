// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Groups of equal neighbouring keys, each reduced to a value, in one launch that reads keys and
// values once: for groups that are short beside a tile. Each block has a tile of neighbouring
// elements. How many groups begin before it is told by the blocks before (tile_states.hip.h). What
// a tile has of a group that goes on is left in words with flags, and taken by the block in whose
// tile the group ends: which tiles those are follows from where the group began. So the order of
// combinations is that of places, whatever the timing. Keys are equal where their bits are.
#pragma once

#include "device_code/keyed_tile.hip.h"
#include "device_code/tile_states.hip.h"
#include "device_code/write_one.hip.h"

namespace redtune {

/// Writes the result of a group. An index counts from the array's beginning.
template <class Op, class In, class Kept, class Result>
REDTUNE_DEVICE void write_group(const In* in, i64 begin, i64 length, Kept value, Result* to) {
  if constexpr (Op::indexed) {
    if (hides_its_sign<Op>(value)) take_element(value, in[value.index]);
    if (value.index >= 0) value.index -= begin;
  }
  write_one(to, Op::template leave<Result>(value, length));
}

/// What lies in shared memory while groups of a tile are found and written.
template <class Value, class Key, class In, int block_size, int items>
struct tile_memory {
  static constexpr int tile = block_size * items;
  static constexpr int places = tile + 1;
  static constexpr int larger(int a, int b) { return a > b ? a : b; }
  static constexpr int key_bytes =
      larger(tile_array<Key, block_size, items>::stage_bytes, int(sizeof(Key)) * tile);
  static constexpr int value_bytes =
      larger(tile_array<In, block_size, items>::stage_bytes, int(sizeof(Value)) * places);
};

/// The values of the tiles from one on before the block's own that a group has, put together by all
/// threads of the block; in thread 0.
template <class Op, int block_size, int wave_size, class Kept>
REDTUNE_DEVICE Kept take_left(u64* left, i64 from) {
  typedef slot_layout<flagged_words<Kept>, 8> layout;
  u64* const first = left + from * layout::stride;
  const u32 many = u32(block_index() - from);
  if (many == 1) {  // nearly always
    if (thread_index() > 0) return Op::template identity<Kept>();
    return take_slots<Op, layout, wait_all, 1>(first, 0, 1, 1, Op::template identity<Kept>());
  }
  return block_reduce<Op, block_size, wave_size>(
      gather_slots<Op, layout, wait_all, block_size, Kept>(first, many));
}

/// Registers of a thread: as NVIDIA's compiler likes, or as many as leave room for blocks whose
/// loads keep memory at work, where values are small.
struct free_registers {};
struct bounded_registers {};

template <class Registers, class Value, int block_size, int items>
constexpr int blocks_of_unit() {
  constexpr int threads = sizeof(Value) > 8 ? 0 : items <= 16 ? 1024 : items <= 24 ? 768 : 512;
  if (is_same<Registers, free_registers>::value) return 0;
  return threads > block_size ? threads / block_size : 1;
}

/// words, room: see tile_states. A block for each tile, and one where there are no elements.
template <class Op, class In, class Acc, class Out, class Key, class Way, int block_size, int items,
          class Hint, class Fold, int states_of_lane, class Registers, int wave_size>
REDTUNE_KERNEL_OF_BLOCKS(
    block_size,
    (blocks_of_unit<Registers, typename span_fold<Op, Acc>::value, block_size, items>()))
reduce_tiles_by_key(const Key* keys, const In* in, i64 count, Key* keys_of_groups,
                    typename shaped<Op, Out>::result* out, i64* groups, u64* words, i64 room) {
  typedef typename shaped<Op, Acc>::type Kept;
  typedef typename span_fold<Op, Acc>::value Value;
  typedef slot_layout<flagged_words<Kept>, 8> layout;
  typedef tile_memory<Value, Key, In, block_size, items> memory;
  constexpr int tile = memory::tile;
  static_assert(items <= 32 && tile <= 0xffff, "a bit for each element of a thread");
  REDTUNE_SHARED u8 of_keys alignas(16)[memory::key_bytes];
  REDTUNE_SHARED u8 of_values alignas(16)[memory::value_bytes];
  REDTUNE_SHARED u16 begins[tile + 1];  // of the tile's groups
  REDTUNE_SHARED u64 of_launch;
  REDTUNE_SHARED heads_found found_before;
  const groups_of_tile<Value, Key> found{reinterpret_cast<Value*>(of_values),
                                         reinterpret_cast<Key*>(of_keys), begins};
  wait_for_previous();
  if (thread_index() == 0) of_launch = load_slot_word(words);
  const i64 first = i64(block_index()) * tile;
  const i32 here = i32(count - first < tile ? count - first : i64(tile));
  const bool is_last = block_index() == grid_size() - 1;
  const i32 my_first = thread_index() * items;

  Key my_keys[items];
  In my_values[items];
  Key before;
  const tile_array<Key, block_size, items> all_keys{keys, count, first, here};
  const tile_array<In, block_size, items> all_values{in, count, first, here};
  if constexpr (is_same<Way, by_stage>::value) {
    const auto coming_keys = all_keys.template start<Hint>(of_keys);
    const auto coming_values = all_values.template start<Hint>(of_values);
    before = thread_index() == 0 && first > 0 ? keys[first - 1] : Key();
    if constexpr (copies_past_registers<16>) wait_for_copies();
    all_keys.end(of_keys, coming_keys);
    all_values.end(of_values, coming_values);
    block_barrier();
    all_keys.take(of_keys, coming_keys.begin, my_keys);
    all_values.take(of_values, coming_values.begin, my_values);
    if (thread_index() > 0) before = found.keys[coming_keys.begin + my_first - 1];
  } else {
    all_keys.template load<Hint>(my_keys);
    all_values.template load<Hint>(my_values);
    before = my_first <= here && first + my_first > 0 ? keys[first + my_first - 1] : Key();
    block_barrier();  // what of_launch is
  }
  if (first + my_first == 0) before = Key(~my_keys[0]);
  u32 heads = 0;
  REDTUNE_UNROLL
  for (int i = 0; i < items; ++i) {
    heads |= my_keys[i] != (i == 0 ? before : my_keys[i - 1]) ? 1u << i : 0u;
  }
  heads &= low_bits(here - my_first);

  // From here on all threads have their elements, and what was staged is written over.
  const heads_counted counted = count_heads<block_size, wave_size>(count_ones(heads));
  const tile_states states{words, room, of_launch};
  const u32 behind = counted.before + count_ones(heads);
  const bool has_last_head = heads != 0 && behind == counted.all;
  const u64 kind = block_index() == 0 ? tile_states::of_all : tile_states::of_tile;
  if (has_last_head) {
    states.tell(block_index(), kind, {counted.all, u64(first + my_first + bit_width(heads))});
  } else if (counted.all == 0 && thread_index() == 0) {
    states.tell(block_index(), kind, {0, 0});
  }
  states.template clear_others<block_size>();

  const auto folded = Fold::template fold<Op, Acc, block_size, items, In, Key, Value>(
      my_values, my_keys, heads, counted.before, here, found);
  const open_groups<Value> open =
      join_open_groups<Op, block_size, wave_size>(folded.from_last, heads != 0);
  if (heads != 0) {
    found.ended[counted.before] =
        Op::template combine<Value>(open.before, Fold::until_first(folded, counted.before, found));
  }
  if (thread_index() == block_size - 1) {
    if (is_last || counted.all == 0) {
      found.ended[counted.all] = open.behind;
      begins[counted.all] = u16(here);
    }
    if (!is_last) {
      u64 leaves[layout::words];
      flagged_words<Kept>::write(in_row(open.behind, first), leaves);
      layout::store(states.left() + i64(block_index()) * layout::stride, leaves);
    }
  }
  if (thread_index() < wave_size) {
    const heads_found all_before =
        states.template look_back<wave_size, states_of_lane>(block_index());
    if (thread_index() == 0) {
      found_before = all_before;
      const u64 many = all_before.many + counted.all;
      const u64 behind_last =
          counted.all > 0 ? u64(first + begins[counted.all - 1] + 1) : all_before.behind_last;
      if (is_last) {
        *groups = i64(many);
        states.hand_to_next_launch();
      } else if (block_index() > 0) {
        states.tell(block_index(), tile_states::of_all, {many, behind_last});
      }
    }
  }
  block_barrier();

  const i64 groups_before = i64(found_before.many);
  const i32 ends_here = i32(counted.all) - (is_last ? 0 : 1);
  REDTUNE_ROLLED
  for (i32 i = thread_index(); i < i32(counted.all); i += block_size) {
    if (keys_of_groups != nullptr) keys_of_groups[groups_before + i] = found.keys[i];
    if (i >= ends_here) continue;
    const i32 begin = begins[i];
    write_group<Op>(in, first + begin, i64(begins[i + 1] - begin),
                    in_row(found.ended[i + 1], first), out + groups_before + i);
  }
  if (groups_before == 0 || (counted.all == 0 && !is_last)) return;
  // The group that began in a tile before ends in this one.
  const i64 begin = i64(found_before.behind_last) - 1;
  const Kept left = take_left<Op, block_size, wave_size, Kept>(states.left(), begin / tile);
  if (thread_index() == 0) {
    const i64 end = first + begins[0];
    write_group<Op>(in, begin, end - begin,
                    Op::template combine<Kept>(left, in_row(found.ended[0], first)),
                    out + groups_before - 1);
  }
}

}  // namespace redtune
