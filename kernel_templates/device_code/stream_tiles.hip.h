// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the waves of a block have in shared memory while they go through elements as streams: tiles
// of neighbouring elements, which are brought while the wave folds the tile before, and what it
// knows of the segments that end in them.
#pragma once

#include "fold_spans.hip.h"

namespace redtune {

/// What the waves of a block have in shared memory.
template <class Op, class T, class block, class In>
struct stream_memory {
  typedef typename span_fold<Op, T>::value Value;
  typedef typename shaped<Op, T>::type Kept;
  typedef vec<In, block::vector_width> vector;
  static constexpr bool copies = copies_past_registers<int(sizeof(vector))>;
  static constexpr int items = block::loads * block::vector_width;  ///< of a lane
  static constexpr i32 tile = block::wave_size * items;
  static constexpr int vectors = block::wave_size * block::loads;  ///< of a stage
  /// Values of a lane that are stored together, whether all are asked for or not.
  static constexpr int most_at_once =
      sizeof(Value) == 4 || sizeof(Value) == 8 ? 16 / int(sizeof(Value)) : 1;
  static constexpr int at_once = items < most_at_once ? items : most_at_once;
  /// Lanes that store at a time do so in other banks.
  static constexpr int pitch = items + at_once;
  static constexpr int words_of_marks = 2;  ///< of a lane: neighbours are marked in other words
  /// Between the first lane's values and the next.
  static constexpr i32 place_of_nothing = items;
  static_assert(items <= 32, "a bit for each element of a lane");

  /// Of the value before a mark.
  static REDTUNE_DEVICE i32 place_of_value(i32 mark) {
    return mark + i32(u32(mark) / u32(items)) * (pitch - items);
  }
  struct alignas(at_once > 1 ? at_once * sizeof(Value) : alignof(Value)) values_at_once {
    Value v[at_once];
  };

  vector* stage;
  Value* values;    ///< up to each element, or to each mark; and of segments of nothing
  u32* marks;       ///< none but between pass of ends and walk
  Kept* carried;    ///< what was open before the tile, where it is no Value
  i32* first_mark;  ///< place of the value before the tile's first mark, or an earlier tile's
};

/// The tiles of a wave, which are on their way to shared memory while it folds the one before.
/// Places count from the first element's vector on: an array may begin anywhere in it.
template <class Memory, class block, class In>
struct stream_of_tiles {
  typedef typename Memory::vector vector;
  static constexpr int width = block::vector_width;
  static constexpr int loads = block::loads;

  const In* elements;  ///< those behind the array's first, in its vector, are not read
  i32 begin;           ///< place of the array's first element
  i64 end;             ///< the array's, or that of all that the wave may have
  vector* stage;
  loaded_vector<In, width> loaded[Memory::copies ? 1 : loads];

  /// Vectors that a lane reads one behind the other are brought by neighbouring lanes: they lie so
  /// that neither touches a bank twice. As many of them lie at places that differ in their last
  /// bits alone.
  static REDTUNE_DEVICE constexpr u32 place_of(u32 vector_index) {
    return vector_index ^ turn_of(vector_index);
  }
  static REDTUNE_DEVICE constexpr u32 turn_of(u32 vector_index) {
    return (vector_index >> 3) & u32(loads - 1);
  }
  /// That of the vector which a lane brings by a load.
  static REDTUNE_DEVICE u32 place_brought(int load) {
    const u32 first = u32(load * block::wave_size);
    return first + (place_of(u32(lane())) ^ turn_of(first));
  }
  /// Which of a lane's places has its vector of a load.
  static REDTUNE_DEVICE u32 place_in_row(int load) {
    return turn_of(u32(lane() * loads)) ^ place_of(u32(load));
  }
  REDTUNE_DEVICE bool is_whole_tile(i64 next) const {
    return next >= begin && next + Memory::tile <= end;
  }
  static REDTUNE_DEVICE i32 lane() { return thread_index() % block::wave_size; }

  /// The tile from a place on. Nobody folds the stage any more where elements come past the
  /// registers. is_whole: so it is known to be.
  template <bool is_whole>
  REDTUNE_DEVICE void start(i64 next) {
    if (!is_whole && next >= end) return;
    if (is_whole || is_whole_tile(next)) {
      const vector* const from = reinterpret_cast<const vector*>(elements + next) + lane();
      REDTUNE_UNROLL
      for (int i = 0; i < loads; ++i) {
        if constexpr (Memory::copies) {
          copy_past_registers<int(sizeof(vector))>(stage + place_brought(i),
                                                   from + i * block::wave_size);
        } else {
          loaded[i] = load_vector<typename block::Hint>(from + i * block::wave_size);
        }
      }
    } else if constexpr (Memory::copies) {
      bring_what_there_is(next);
    }
  }
  /// All of the tile is there, once the wave has met.
  template <bool is_whole>
  REDTUNE_DEVICE void arrive(i64 next) {
    if constexpr (Memory::copies) {
      wait_for_copies();
    } else if (is_whole || next < end) {
      if (is_whole || is_whole_tile(next)) {
        REDTUNE_UNROLL
        for (int i = 0; i < loads; ++i) {
          store_vector<cached>(stage + place_brought(i), loaded[i]);
        }
      } else {
        bring_what_there_is(next);
      }
    }
  }

 private:
  /// In the place of elements that are not there stand others: what is folded of them is dropped,
  /// but an operator may be particular about what it is given.
  REDTUNE_DEVICE void bring_what_there_is(i64 next) {
    REDTUNE_ROLLED
    for (i32 at = lane(); at < Memory::vectors; at += block::wave_size) {
      const i64 first = next + i64(at) * width;
      vector* const to = stage + place_of(u32(at));
      if (first >= begin && first + width <= end) {
        store_vector<cached>(to, load_vector<typename block::Hint>(
                                     reinterpret_cast<const vector*>(elements + first)));
        continue;
      }
      REDTUNE_ROLLED
      for (int i = 0; i < width; ++i) {
        const i64 place = first + i < begin ? begin : first + i;
        reinterpret_cast<In*>(to)[i] = elements[place < end ? place : end - 1];
      }
    }
  }
};

}  // namespace redtune
