// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Segments as one stream, whatever their lengths: each wave of a block has an equal part of the
// block's share. It brings the elements to shared memory tile by tile, marks by a bit each where
// segments end, and folds as many neighbouring elements in each lane; what lanes have of segments
// that go on is put together by a scan of the wave.
#pragma once

#include "cut_segments.hip.h"
#include "fold_spans.hip.h"
#include "prelude_shuffle_up.hip.h"
#include "prelude_votes.hip.h"

namespace redtune {

/// The segment of a step, sought among [low, high] by all lanes of a wave, several places each at a
/// time.
template <int wave_size, class In, class Offset>
REDTUNE_DEVICE i64 find_segment_by_wave(const segment_array<In, Offset>& of, i64 low, i64 high,
                                        i64 step) {
  constexpr int places = 4;
  constexpr int log2_parts = log2_of<wave_size * places>::value;
  const i32 lane = thread_index() % wave_size;
  REDTUNE_ROLLED
  while (low < high) {
    const i64 many = high - low + 1;
    bool is_behind[places];
    REDTUNE_UNROLL
    for (int i = 0; i < places; ++i) {
      const i64 end = low + ((many * (i * wave_size + lane + 1)) >> log2_parts);
      is_behind[i] = end == low || (end <= high && step_of_end(of, end - 1) < step);
    }
    i32 behind = 0;
    REDTUNE_UNROLL
    for (int i = 0; i < places; ++i) {
      behind += count_votes(votes_of_wave<wave_size>(is_behind[i]));
    }
    high = low + ((many * (behind + 1)) >> log2_parts) - 1;
    low += (many * behind) >> log2_parts;
  }
  return low;
}

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
  static constexpr int pitch = items + 1;   ///< lanes that store at a time do so in other banks
  static constexpr int words_of_marks = 2;  ///< of a lane: neighbours are marked in other words
  static_assert(items <= 32, "a bit for each element of a lane");

  vector* stage;
  Value* values;  ///< of segments that end in the tile, where they do
  u32* marks;     ///< none but between pass of ends and walk
  Kept* carried;  ///< what was open before the tile
  i32* first_mark;
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
  /// that neither touches a bank twice.
  static REDTUNE_DEVICE u32 place_of(u32 vector_index) {
    return vector_index ^ ((vector_index >> 3) & u32(loads - 1));
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
          const u32 at = u32(i * block::wave_size + lane());
          copy_past_registers<int(sizeof(vector))>(stage + place_of(at),
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
          const u32 at = u32(i * block::wave_size + lane());
          store_vector<cached>(stage + place_of(at), loaded[i]);
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

/// What a wave has come to: of the segment that others began, where it ends here, and of the one
/// that it leaves open.
template <class Kept>
struct stream_part {
  i64 first;      ///< segment of its first step
  i64 last;       ///< and of the first step behind
  bool is_begun;  ///< as those of a share
  bool is_open;
  Kept begun;
  Kept open;
};

/// An index in the array as one in a segment.
template <class Value>
REDTUNE_DEVICE Value in_segment(Value value, i64) {
  return value;
}
template <class T>
REDTUNE_DEVICE indexed_value<T> in_segment(const indexed_value<T>& found, i64 begin) {
  return {found.value, found.index < 0 ? i64(-1) : found.index - begin};
}

/// A value in memory. One with an index goes member by member: a compiler may keep what lies
/// between the members in memory as well.
template <class Value>
REDTUNE_DEVICE void leave_in(Value* place, const Value& value) {
  *place = value;
}
template <class T>
REDTUNE_DEVICE void leave_in(indexed_value<T>* place, const indexed_value<T>& found) {
  place->value = found.value;
  place->index = found.index;
}

/// The steps [from, to) by a wave.
template <class Op, class T, class block, class In, class Offset, class Out>
struct segment_stream {
  typedef stream_memory<Op, T, block, In> memory_type;
  typedef typename memory_type::Value Value;
  typedef typename memory_type::Kept Kept;
  typedef typename memory_type::vector vector;
  typedef typename either<sizeof(Offset) == 8, u64, u32>::type Distance;
  static constexpr int wave_size = block::wave_size;
  static constexpr int items = memory_type::items;
  static constexpr i32 tile = memory_type::tile;
  static constexpr int rows = block::many;  ///< of ends, one of each lane
  static constexpr i32 ends_at_once = rows * wave_size;
  /// Where there is no end: no tile has a place so far behind its first.
  static constexpr Offset no_end = Offset(Distance(3) << (8 * sizeof(Offset) - 2));

  const segment_array<In, Offset>& of;
  const memory_type& memory;
  Out* out;
  stream_part<Kept>* part;
  i64 segment;  ///< the next whose end was not met

  stream_of_tiles<memory_type, block, In> tiles;
  i64 base;        ///< index of the tile's first place; before the array's first element below 0
  i64 steps_left;  ///< of the share, from the tile's first place and the next end on
  i32 skipped;     ///< places of the tile that are of others, or done with
  bool is_inner;   ///< the tile begins with elements of the share, and is folded the first time
  bool is_apart;   ///< there may be elements before or between segments
  bool has_elements;

  Offset ends[rows];  ///< of the next segments
  i32 at[rows];       ///< the tile's place behind each end
  u32 has_some;       ///< a bit for each row where the segment has elements in the share
  Kept open;          ///< of segments that go on, of each lane
  bool is_spread;     ///< over all lanes: else the last has it

  static REDTUNE_DEVICE i32 lane() { return thread_index() % wave_size; }
  /// Its place among those of the array's vectors.
  REDTUNE_DEVICE i64 next_tile() const { return base + tiles.begin + tile; }

  REDTUNE_DEVICE void load_ends() {
    const i64 left = of.segments - segment;
    const i32 there = (left < ends_at_once ? i32(left) : ends_at_once) - lane();
    const Offset* const next = of.ends + segment + lane();
    REDTUNE_UNROLL
    for (int i = 0; i < rows; ++i) {
      ends[i] = i * wave_size < there ? next[i * wave_size] : no_end;
    }
  }
  REDTUNE_DEVICE void mark(i32 place) const {
    u32* const words = memory.marks + u32(place) / u32(items) * memory_type::words_of_marks;
    or_to_word(words + u32(place) % memory_type::words_of_marks, 1u << u32(place) % u32(items));
  }

  /// What is known of the ends that lie in the tile and in the share.
  struct met_ends {
    i32 many;
    bool is_full;  ///< there may be more of them
    i32 last;      ///< where is_full: the tile's place behind the last
    i32 next;      ///< the next end where it lies in the tile, or a place behind the tile
  };
  /// inner: all ends that lie in the tile are the share's.
  template <bool inner>
  REDTUNE_DEVICE met_ends mark_ends() {
    const i32 most = steps_left < (i64(1) << 30) ? i32(steps_left) : i32(1) << 30;
    met_ends met{0, true, inner ? 0 : skipped, tile + 1};
    has_some = 0;
    REDTUNE_UNROLL
    for (int i = 0; i < rows; ++i) {
      at[i] = 0;
      if (met.is_full) {
        const i32 number = i * wave_size + lane();
        const Distance behind = Distance(ends[i]) - Distance(base);
        const bool is_near = behind <= Distance(tile);
        at[i] = i32(behind);
        const bool is_here = is_near && (inner || at[i] + i32(of.weight) * (number + 1) - 1 < most);
        i32 ahead = i32(shuffle_up_word<wave_size>(u32(at[i]), 1));
        if (lane() == 0) ahead = met.last;
        bool is_some = is_here && at[i] != ahead;
        if (is_apart) is_some = is_here && mark_begin(number);
        if (is_some) {
          has_some |= 1u << i;
          mark(at[i] - 1);
        }
        const u64 votes = votes_of_wave<wave_size>(is_here);
        const i32 here = count_votes(votes);
        met.many += here;
        met.is_full = here == wave_size;
        if (met.is_full) {
          met.last = i32(word_of_lane<wave_size>(u32(at[i]), wave_size - 1));
        } else if (!inner) {
          met.next = i32(word_of_lane<wave_size>(is_near ? u32(at[i]) : u32(tile + 1), here));
        }
      }
    }
    if (is_apart && !met.is_full) mark_begin(met.many);
    return met;
  }
  /// Of the segment so many behind the next. Whether it has elements in the share.
  REDTUNE_DEVICE bool mark_begin(i32 number) const {
    if (segment + number >= of.segments) return false;
    const i64 begin = of.begin(segment + number);
    const i64 end = of.end(segment + number);
    if (has_elements && begin > base && begin - base <= tile) mark(i32(begin - base) - 1);
    return end > begin && end - base > skipped;
  }

  /// The elements of a lane, one behind the other, from mark to mark; what is behind the last.
  REDTUNE_DEVICE Value walk(u32 marked) const {
    Value* const mine = memory.values + lane() * memory_type::pitch;
    Value value = Op::template identity<Value>();
    REDTUNE_UNROLL
    for (int i = 0; i < block::loads; ++i) {
      const auto loaded = load_vector<cached>(memory.stage + place_of(i));
      REDTUNE_UNROLL
      for (int k = 0; k < block::vector_width; ++k) {
        const int item = i * block::vector_width + k;
        const Value entered = span_fold<Op, T>::enter(element_of(loaded, k), lane() * items + item);
        value = Op::template combine<Value>(value, entered);
        if ((marked & (1u << item)) != 0) {
          mine[item] = value;
          value = Op::template identity<Value>();
        }
      }
    }
    return value;
  }
  /// Likewise where no lane of the wave has a mark.
  REDTUNE_DEVICE Value fold_all() const {
    if constexpr (Op::indexed) {
      return walk(0);
    } else {
      loaded_vector<In, block::vector_width> loaded[block::loads];
      REDTUNE_UNROLL
      for (int i = 0; i < block::loads; ++i) {
        loaded[i] = load_vector<cached>(memory.stage + place_of(i));
      }
      return tile_value<Op, Value, block::loads>(loaded);
    }
  }
  static REDTUNE_DEVICE u32 place_of(int load) {
    return stream_of_tiles<memory_type, block, In>::place_of(u32(lane() * block::loads + load));
  }

  /// What lanes have behind their last marks goes to the first marks behind; what is open of all is
  /// then in the last lane. who: lanes with marks.
  REDTUNE_DEVICE void join_lanes(Value value, u32 marked, u64 who) {
    const u64 before = who & ((u64(1) << lane()) - 1);
    const i32 last = end_of_votes(marked != 0 ? before | u64(1) << lane() : before);
    const i32 reach = last == 0 ? lane() : lane() - (last - 1);  // lanes whose values go on here
    REDTUNE_UNROLL
    for (i32 distance = 1; distance < wave_size; distance *= 2) {
      const Value other = shuffle_up<wave_size>(value, distance);
      const Value both = Op::template combine<Value>(other, value);
      if (distance <= reach) value = both;
    }
    const Value ahead = shuffle_up<wave_size>(value, 1);
    if (is_spread) open = wave_reduce<Op, wave_size>(open);
    if (lane() == (is_spread ? 0 : wave_size - 1)) leave_in(memory.carried, open);
    if (marked != 0) {
      const i32 first = bit_width(marked & (0u - marked)) - 1;
      Value& mine = memory.values[lane() * memory_type::pitch + first];
      if (lane() > 0) mine = Op::template combine<Value>(ahead, mine);
      if (before == 0) *memory.first_mark = lane() * items + first;
    }
    is_spread = false;
    open = in_row(value, base);
  }

  /// The value before a mark.
  REDTUNE_DEVICE Kept value_at(i32 place, i32 first_mark) const {
    const Kept value = in_row(memory.values[u32(place) + u32(place) / u32(items)], base);
    if (place != first_mark) return value;
    return Op::template combine<Kept>(*memory.carried, value);
  }
  REDTUNE_DEVICE void take_ended(i64 first, i32 many) const {
    const i32 first_mark = *memory.first_mark;
    const bool has_begun = part->is_begun && part->first == first && lane() == 0;
    REDTUNE_UNROLL
    for (int i = 0; i < rows; ++i) {
      const i32 number = i * wave_size + lane();
      if (i * wave_size < many && number < many) {
        Kept value = Op::template identity<Kept>();
        if ((has_some & (1u << i)) != 0) value = value_at(at[i] - 1, first_mark);
        const i64 one = first + number;
        if (i == 0 && has_begun) {
          part->begun = value;
        } else {
          write_segment<Op>(of, one, in_segment(value, of.begin(one)), out);
        }
      }
    }
  }

  /// Behind the wave's last tile, of which it has the places up to one.
  REDTUNE_DEVICE void keep_open(i32 to) const {
    const i64 step = steps_left + base + of.weight * segment;  // the first behind the share
    part->last = segment;
    part->is_open = segment < of.segments && first_step(of, segment) < step;
    part->open = Op::template identity<Kept>();
    if (part->is_open && to > skipped && of.begin(segment) < base + to) {
      part->open = value_at(to - 1, *memory.first_mark);
    }
  }

  /// Whether the share goes on behind the tile.
  template <bool inner>
  REDTUNE_DEVICE bool fold_tile() {
    const i64 first = segment;
    const met_ends met = mark_ends<inner>();
    steps_left -= of.weight * met.many;
    bool is_last = false;
    i32 to = tile;
    if constexpr (!inner) {
      i64 places = steps_left;
      if (!met.is_full && met.next < places) places = met.next;
      if (places < tile) to = i32(places);
      is_last = !met.is_full && places <= tile;
      if (lane() == 0 && has_elements) {
        if (skipped > 0) mark(skipped - 1);
        if (is_last && to > 0) mark(to - 1);
      }
    }
    segment += met.many;
    load_ends();
    wave_barrier();
    u32 marked = 0;
    REDTUNE_UNROLL
    for (int i = 0; i < memory_type::words_of_marks; ++i) {
      u32& word = memory.marks[lane() * memory_type::words_of_marks + i];
      marked |= word;
      word = 0;
    }
    const u64 who = votes_of_wave<wave_size>(marked != 0);
    Value value = Op::template identity<Value>();
    if (who != 0) {
      value = walk(marked);
    } else if (inner || has_elements) {
      value = fold_all();
    }
    if (!met.is_full && !is_last) {
      wave_barrier();  // before the stage is written again
      tiles.template start<inner>(next_tile());
    }
    if (who != 0) {
      join_lanes(value, marked, who);
    } else {
      const Kept all = in_row(value, base);
      const bool has_open = is_spread || lane() == wave_size - 1;
      open = has_open ? Op::template combine<Kept>(open, all) : all;
      is_spread = true;
    }
    wave_barrier();
    if (met.many > 0) take_ended(first, met.many);
    if (is_last) {
      if (lane() == 0) keep_open(to);
      return false;
    }
    if (met.is_full) {
      skipped = met.last;
      open = Op::template identity<Kept>();
      is_spread = false;
      is_inner = false;
      wave_barrier();  // before values are written again
      return true;
    }
    skipped = 0;
    is_inner = true;
    base += tile;
    steps_left -= tile;
    wave_barrier();
    tiles.template arrive<inner>(base + tiles.begin);
    return true;
  }

  REDTUNE_DEVICE void run(i64 from_step, i64 to_step) {
    i64 from = from_step - of.weight * segment;
    if (segment < of.segments && of.end(segment) < from) from = of.end(segment);
    const i32 off =
        i32(u32(reinterpret_cast<u64>(of.elements) / sizeof(In)) % u32(block::vector_width));
    i64 most = to_step - of.weight * segment;  // no element from there on is the wave's
    if (most > of.count) most = of.count;
    has_elements = from < most;
    tiles.elements = of.elements - off;
    tiles.begin = off;
    tiles.end = has_elements ? off + most : 0;
    tiles.stage = memory.stage;
    const i64 first_tile = (from + off) / block::vector_width * block::vector_width;
    base = first_tile - off;
    steps_left = to_step - base - of.weight * segment;
    skipped = i32(from - base);
    is_inner = false;
    is_apart = static_cast<const void*>(of.begins + 1) != static_cast<const void*>(of.ends);
    if (segment == 0 && of.segments > 0 && of.begin(0) > 0) is_apart = true;
    open = Op::template identity<Kept>();
    is_spread = false;
    tiles.template start<false>(first_tile);
    load_ends();
    REDTUNE_UNROLL
    for (int i = 0; i < memory_type::words_of_marks; ++i) {
      memory.marks[lane() * memory_type::words_of_marks + i] = 0;
    }
    tiles.template arrive<false>(first_tile);
    wave_barrier();
    // Of an inner tile the next is whole as well.
    const i64 for_inner = 2 * i64(tile) + of.weight * (ends_at_once + 1);
    bool goes_on = true;
    REDTUNE_ROLLED
    while (goes_on) {
      const bool inner = is_inner && steps_left > for_inner && next_tile() + tile <= tiles.end;
      goes_on = inner ? fold_tile<true>() : fold_tile<false>();
      wave_barrier();
    }
  }
};

/// The waves' parts of a block, one behind the other; by thread 0. What is cut between waves is
/// written, what is cut between blocks is kept.
template <class Op, class In, class Offset, class Kept, class Out>
REDTUNE_DEVICE segment_share join_waves(const segment_array<In, Offset>& of,
                                        const stream_part<Kept>* parts, int waves, Out* out,
                                        Kept* begun, Kept* open) {
  const stream_part<Kept>& first = parts[0];
  Kept before = Op::template identity<Kept>();
  REDTUNE_ROLLED
  for (int i = 0; i < waves; ++i) {
    const stream_part<Kept>& part = parts[i];
    if (part.is_begun && part.last > part.first) {
      const Kept all =
          in_segment(Op::template combine<Kept>(before, part.begun), of.begin(part.first));
      if (first.is_begun && part.first == first.first) {
        *begun = all;
      } else {
        write_segment<Op>(of, part.first, all, out);
      }
    }
    before = part.last > part.first ? part.open : Op::template combine<Kept>(before, part.open);
  }
  const stream_part<Kept>& last = parts[waves - 1];
  if (last.is_open) *open = in_segment(before, of.begin(last.last));
  segment_share share{first.first, last.last, 0, 0, first.is_begun, last.is_open};
  return share;
}

/// The steps [from, to) by a block.
template <class Op, class T, class block, class In, class Offset, class Kept, class Out>
REDTUNE_DEVICE segment_share stream_share(const segment_array<In, Offset>& of, i64 from, i64 to,
                                          Out* out, Kept* begun, Kept* open) {
  typedef stream_memory<Op, T, block, In> memory_type;
  constexpr int wave_size = block::wave_size;
  constexpr int waves = block::block_size / wave_size;
  constexpr int values = wave_size * memory_type::pitch;
  constexpr int words = wave_size * memory_type::words_of_marks;
  typedef typename memory_type::vector vector;
  typedef typename memory_type::Value Value;
  REDTUNE_SHARED vector stages[waves * memory_type::vectors];
  REDTUNE_SHARED Value of_ended alignas(16)[waves * values];
  REDTUNE_SHARED u32 marks alignas(16)[waves * words];
  REDTUNE_SHARED Kept carried alignas(16)[waves];
  REDTUNE_SHARED i32 first_marks[waves];
  REDTUNE_SHARED stream_part<Kept> parts alignas(16)[waves];
  const i32 wave = thread_index() / wave_size;
  const i64 all = of.count + of.weight * of.segments;
  if (from > all) from = all;
  if (to > all) to = all;
  const i64 length = (to - from + waves - 1) / waves;
  const i64 first_of_wave = from + wave * length;
  const i64 first = first_of_wave < to ? first_of_wave : to;
  const i64 end = first + length < to ? first + length : to;
  const memory_type memory{stages + wave * memory_type::vectors, of_ended + wave * values,
                           marks + wave * words, carried + wave, first_marks + wave};
  const i64 found = find_segment_by_wave<wave_size>(of, 0, of.segments, first);
  const bool is_begun = found < of.segments && first_step(of, found) < first;
  if (thread_index() % wave_size == 0) {
    parts[wave] = {found,
                   found,
                   is_begun,
                   is_begun,
                   Op::template identity<Kept>(),
                   Op::template identity<Kept>()};
  }
  wave_barrier();
  if (first < end) {
    segment_stream<Op, T, block, In, Offset, Out> stream{of, memory, out, parts + wave, found};
    stream.run(first, end);
  }
  block_barrier();
  REDTUNE_SHARED segment_share share;
  if (thread_index() == 0) share = join_waves<Op>(of, parts, waves, out, begun, open);
  block_barrier();
  return share;
}

}  // namespace redtune
