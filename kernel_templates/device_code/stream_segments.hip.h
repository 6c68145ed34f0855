// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Segments as one stream, whatever their lengths: each wave of a block has an equal part of the
// block's share. It has the elements in shared memory tile by tile (stream_tiles.hip.h), marks by a
// bit each where segments end, and folds as many neighbouring elements in each lane; what lanes
// have of segments that go on is put together by a scan of the wave.
#pragma once

#include "cut_segments.hip.h"
#include "prelude_shuffle_up.hip.h"
#include "prelude_votes.hip.h"
#include "stream_tiles.hip.h"

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

/// Whether a fold may begin with an element where it could with the identity: NaN that does not
/// count would be what is found.
template <class Op, bool simple = !Op::indexed && !Op::joint>
struct begins_with_element {
  typedef typename Op::fold fold;
  static constexpr bool value =
      is_same<fold, adding>::value || is_same<fold, multiplying>::value ||
      is_same<fold, taking_least>::value || is_same<fold, taking_greatest>::value ||
      is_same<fold, common_bits>::value || is_same<fold, united_bits>::value ||
      is_same<fold, differing_bits>::value;
};
template <class Op>
struct begins_with_element<Op, false> {
  static constexpr bool value = false;
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
  typedef stream_of_tiles<memory_type, block, In> of_tiles;
  typedef typename either<sizeof(Offset) == 8, u64, u32>::type Distance;
  typedef typename either<block::wave_size <= 32, u32, u64>::type Lanes;  ///< a bit for each
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
  i64 segment;    ///< the next whose end was not met
  bool is_begun;  ///< others began it

  of_tiles tiles;
  i64 base;        ///< index of the tile's first place; before the array's first element below 0
  i64 steps_left;  ///< of the share, from the tile's first place and the next end on
  i32 skipped;     ///< places of the tile that are of others
  bool is_inner;   ///< the tile begins with elements of the share, one segment behind the other
  bool is_apart;   ///< there may be elements before or between segments

  const Offset* next_end;  ///< of this lane, of the segments whose ends were not met
  Offset ends[rows];       ///< of the next segments
  i32 at[rows];            ///< where the value of each lies
  Kept open;               ///< of segments that go on, of each lane
  bool is_spread;          ///< over all lanes: else the first has it

  static REDTUNE_DEVICE i32 lane() { return thread_index() % wave_size; }
  /// Of the lane before; the first has the last lane's.
  static REDTUNE_DEVICE i32 lane_before() { return (lane() + wave_size - 1) % wave_size; }
  REDTUNE_DEVICE bool has_elements() const { return tiles.end > 0; }
  /// Its place among those of the array's vectors.
  REDTUNE_DEVICE i64 next_tile() const { return base + tiles.begin + tile; }
  /// Whether all ends of the tile, as many as lanes take at once behind so many others, are the
  /// share's, and all of the next tile.
  REDTUNE_DEVICE bool is_far_from_end(i64 many) const {
    return steps_left - of.weight * many > 2 * i64(tile) + of.weight * (ends_at_once + 1);
  }

  /// Behind those that were met.
  REDTUNE_DEVICE void load_ends(i64 met) {
    const i64 left = of.segments - segment - met;
    const i32 there = (left < ends_at_once ? i32(left) : ends_at_once) - lane();
    REDTUNE_UNROLL
    for (int i = 0; i < rows; ++i) {
      ends[i] = i * wave_size < there ? next_end[i * wave_size] : no_end;
    }
  }
  /// Those behind, where the tile before had as many: they are far.
  REDTUNE_DEVICE void ask_for_ends(i64 many) const {
    constexpr i32 of_line = i32(line_bytes / sizeof(Offset));
    const i64 ahead = ends_at_once + i64(lane()) * of_line;
    const i64 one = segment + many + ahead;
    if (ahead < many && one < of.segments) ask_for_line(of.ends + one);
  }
  REDTUNE_DEVICE void mark(i32 place) const {
    u32* const words = memory.marks + u32(place) / u32(items) * memory_type::words_of_marks;
    or_to_word(words + u32(place) % memory_type::words_of_marks, 1u << u32(place) % u32(items));
  }

  /// What is known of the ends that lie in the tile and in the share.
  struct met_ends {
    i64 many;
    i32 last;  ///< in the first lane: the tile's place behind the last
    i32 next;  ///< the next end where it lies in the tile, or a place behind the tile
  };
  /// Those that were loaded. Whether there may be more. inner: all ends that lie in the tile are
  /// the share's.
  template <bool inner>
  REDTUNE_DEVICE bool mark_ends(met_ends& met) {
    const i64 left = steps_left - of.weight * met.many;
    const i32 most = left < (i64(1) << 30) ? i32(left) : i32(1) << 30;
    bool is_full = true;
    i32 many = ends_at_once;
    REDTUNE_UNROLL
    for (int i = 0; i < rows; ++i) {
      at[i] = memory_type::place_of_nothing;
      if (is_full) {
        const i32 number = i * wave_size + lane();
        const Distance behind = Distance(ends[i]) - Distance(base);
        const bool is_near = behind <= Distance(tile);
        const i32 place = i32(behind);
        const bool is_here = is_near && (inner || place + i32(of.weight) * (number + 1) - 1 < most);
        const i32 before = i32(word_of_lane<wave_size>(u32(place), lane_before()));
        bool is_some = is_here && place != (lane() == 0 ? met.last : before);
        met.last = before;
        if constexpr (!inner) {
          if (is_apart) is_some = is_here && mark_begin(met.many + number);
        }
        if (is_some) {
          at[i] = memory_type::place_of_value(place - 1);
          mark(place - 1);
        }
        const u64 votes = votes_of_wave<wave_size>(is_here);
        is_full = votes == votes_of_all<wave_size>;
        if (!is_full) {
          const i32 here = count_votes(votes);
          many = i * wave_size + here;
          if constexpr (!inner) {
            met.next = i32(word_of_lane<wave_size>(is_near ? u32(place) : u32(tile + 1), here));
          }
        }
      }
    }
    met.many += many;
    next_end += many;
    if constexpr (!inner) {
      if (is_apart && !is_full) mark_begin(met.many);
    }
    return is_full;
  }
  /// Of the segment so many behind the next. Whether it has elements in the share.
  REDTUNE_DEVICE bool mark_begin(i64 number) const {
    if (segment + number >= of.segments) return false;
    const i64 begin = of.begin(segment + number);
    const i64 end = of.end(segment + number);
    if (has_elements() && begin > base && begin - base <= tile) mark(i32(begin - base) - 1);
    return end > begin && end - base > skipped;
  }

  /// The elements of a lane, one behind the other, from mark to mark; what is behind the last.
  REDTUNE_DEVICE Value walk(u32 marked) const {
    typedef typename memory_type::values_at_once values_at_once;
    constexpr int at_once = memory_type::at_once;
    Value* const mine = memory.values + lane() * memory_type::pitch;
    const vector* const row = memory.stage + lane() * block::loads;
    Value value = Op::template identity<Value>();
    values_at_once kept;
    REDTUNE_UNROLL
    for (int i = 0; i < block::loads; ++i) {
      const auto loaded = load_vector<cached>(row + of_tiles::place_in_row(i));
      REDTUNE_UNROLL
      for (int k = 0; k < block::vector_width; ++k) {
        const int item = i * block::vector_width + k;
        const bool is_first = item == 0 || (marked & (1u << (item - 1))) != 0;
        const Value entered = span_fold<Op, T>::enter(element_of(loaded, k), lane() * items + item);
        if constexpr (begins_with_element<Op>::value) {
          value = is_first ? entered : Op::template combine<Value>(value, entered);
        } else {
          if (is_first) value = Op::template identity<Value>();
          value = Op::template combine<Value>(value, entered);
        }
        if constexpr (at_once > 1) {
          kept.v[item % at_once] = value;
          if (item % at_once == at_once - 1) {
            *reinterpret_cast<values_at_once*>(mine + (item - (at_once - 1))) = kept;
          }
        } else {
          if ((marked & (1u << item)) != 0) mine[item] = value;
        }
      }
    }
    return (marked & (1u << (items - 1))) != 0 ? Op::template identity<Value>() : value;
  }
  /// Likewise where no lane of the wave has a mark: a few loads at a time, for few registers.
  REDTUNE_DEVICE Value fold_all() const {
    if constexpr (Op::indexed) {
      return walk(0);
    } else {
      constexpr int few = block::loads < 2 ? 1 : 2;
      const vector* const row = memory.stage + lane() * block::loads;
      Value value = Op::template identity<Value>();
      REDTUNE_UNROLL
      for (int i = 0; i < block::loads; i += few) {
        loaded_vector<In, block::vector_width> loaded[few];
        REDTUNE_UNROLL
        for (int k = 0; k < few; ++k) {
          loaded[k] = load_vector<cached>(row + of_tiles::place_in_row(i + k));
        }
        const Value some = tile_value<Op, Value, few>(loaded);
        value = i == 0 ? some : Op::template combine<Value>(value, some);
      }
      return value;
    }
  }

  /// What lanes have behind their last marks goes to the first marks behind; what is open of all is
  /// then in the first lane. who: lanes with marks.
  REDTUNE_DEVICE void join_lanes(Value value, u32 marked, u64 who) {
    if (is_spread) open = wave_reduce<Op, wave_size>(open);
    is_spread = false;
    if constexpr (!Op::indexed) {
      if (lane() == 0 && marked == 0) value = Op::template combine<Value>(open, value);
    }
    const Lanes until_me = Lanes(who) & Lanes(~(~Lanes(1) << lane()));
    const i32 reach = lane() - (end_of_votes(Lanes(until_me | 1)) - 1);  // lanes that go on here
    REDTUNE_UNROLL
    for (i32 distance = 1; distance < wave_size; distance *= 2) {
      const Value other = shuffle_up<wave_size>(value, distance);
      const Value both = Op::template combine<Value>(other, value);
      if (distance <= reach) value = both;
    }
    Value ahead = value_of_lane<wave_size>(value, lane_before());
    const Kept behind = in_row(ahead, base);
    if constexpr (Op::indexed) {
      ahead = lane() == 0 ? Op::template identity<Value>() : ahead;
      if (lane() == 0) leave_in(memory.carried, open);
    } else {
      if (lane() == 0) ahead = open;
    }
    if (marked != 0) {
      const i32 first = bit_width(marked & (0u - marked)) - 1;
      Value& mine = memory.values[lane() * memory_type::pitch + first];
      mine = Op::template combine<Value>(ahead, mine);
      const bool is_first = (until_me & ((Lanes(1) << lane()) - 1)) == 0;
      if (Op::indexed && is_first) *memory.first_mark = lane() * memory_type::pitch + first;
    }
    open = behind;
  }

  /// A value at its place.
  REDTUNE_DEVICE Kept value_at(i32 place) const {
    const Kept value = in_row(memory.values[place], base);
    if constexpr (Op::indexed) {
      if (place == *memory.first_mark) return Op::template combine<Kept>(*memory.carried, value);
    }
    return value;
  }
  /// Where lanes do not hold all ends: those behind so many, once more. last: as of met_ends.
  template <bool inner>
  REDTUNE_DEVICE void find_again(i64 behind, i32 many, i32& last) {
    const i64 first = segment + behind + lane();
    const Offset* const again = of.ends + first;
    REDTUNE_UNROLL
    for (int i = 0; i < rows; ++i) {
      const bool is_there = i * wave_size < many - lane();
      const i32 place = is_there ? i32(Distance(again[i * wave_size]) - Distance(base)) : 0;
      const i32 before = i32(word_of_lane<wave_size>(u32(place), lane_before()));
      bool is_some = is_there && place != (lane() == 0 ? last : before);
      last = before;
      if constexpr (!inner) {
        if (is_apart && is_there) {
          const i64 one = first + i * wave_size;
          is_some = of.begin(one) < of.end(one) && place > skipped;
        }
      }
      at[i] = is_some ? memory_type::place_of_value(place - 1) : memory_type::place_of_nothing;
    }
  }
  /// Values of the ends that lanes hold, the first so many behind the next segment's.
  REDTUNE_DEVICE void take_held(i64 behind, i32 many) {
    const i64 first = segment + behind + lane();
    REDTUNE_UNROLL
    for (int i = 0; i < rows; ++i) {
      if (i * wave_size < many - lane()) {
        const i64 one = first + i * wave_size;
        const Kept value = value_at(at[i]);
        if (i == 0 && is_begun && lane() == 0) {
          part->begun = value;
        } else {
          write_segment<Op>(of, one, in_segment(value, of.begin(one)), out);
        }
      }
    }
    is_begun = false;
  }
  template <bool inner>
  REDTUNE_DEVICE void take_ended(i64 many) {
    if (many < ends_at_once) {
      take_held(0, i32(many));
      return;
    }
    i32 last = inner ? 0 : skipped;
    REDTUNE_ROLLED
    for (i64 done = 0; done < many; done += ends_at_once) {
      const i32 some = many - done < ends_at_once ? i32(many - done) : ends_at_once;
      find_again<inner>(done, some, last);
      take_held(done, some);
    }
  }

  /// Behind the wave's last tile, of which it has the places up to one.
  REDTUNE_DEVICE void keep_open(i32 to) const {
    const i64 step = steps_left + base + of.weight * segment;  // the first behind the share
    part->last = segment;
    part->is_open = segment < of.segments && first_step(of, segment) < step;
    part->open = Op::template identity<Kept>();
    if (part->is_open && to > skipped && of.begin(segment) < base + to) {
      part->open = value_at(memory_type::place_of_value(to - 1));
    }
  }

  /// Folds the tile, whose ends are marked. Whether the share goes on behind it.
  template <bool inner>
  REDTUNE_DEVICE bool fold_tile(const met_ends& met) {
    steps_left -= of.weight * met.many;
    bool is_last = false;
    i32 to = tile;
    if constexpr (!inner) {
      const i64 places = met.next < steps_left ? met.next : steps_left;
      if (places < tile) to = i32(places);
      is_last = places <= tile;
      if (lane() == 0 && has_elements()) {
        if (skipped > 0) mark(skipped - 1);
        if (is_last && to > 0) mark(to - 1);
      }
    }
    load_ends(met.many);
    if (met.many > ends_at_once) ask_for_ends(met.many);
    tiles.template arrive<inner>(base + tiles.begin);
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
    } else if (inner || has_elements()) {
      value = fold_all();
    }
    wave_barrier();  // before the stage is written again
    if (!is_last) tiles.template start<inner>(next_tile());
    if (who != 0) {
      join_lanes(value, marked, who);
    } else {
      const Kept all = in_row(value, base);
      const bool has_open = is_spread || lane() == 0;
      open = has_open ? Op::template combine<Kept>(open, all) : all;
      is_spread = true;
    }
    wave_barrier();
    if (met.many > 0) take_ended<inner>(met.many);
    segment += met.many;
    if (is_last) {
      if (lane() == 0) keep_open(to);
      return false;
    }
    skipped = 0;
    is_inner = !is_apart;
    base += tile;
    steps_left -= tile;
    return true;
  }

  /// Whether the share goes on behind the next tile.
  REDTUNE_DEVICE bool take_tile() {
    met_ends met{0, skipped, tile + 1};
    // Of an inner tile the next is whole as well.
    bool inner = is_inner && is_far_from_end(0) && next_tile() + tile <= tiles.end;
    bool has_more = true;
    if (inner) {
      REDTUNE_ROLLED
      while (true) {
        has_more = mark_ends<true>(met);
        if (!has_more) break;
        load_ends(met.many);
        inner = is_far_from_end(met.many);
        if (!inner) break;
      }
    }
    REDTUNE_ROLLED
    while (has_more) {
      has_more = mark_ends<false>(met);
      if (has_more) load_ends(met.many);
    }
    return inner ? fold_tile<true>(met) : fold_tile<false>(met);
  }

  REDTUNE_DEVICE void run(i64 from_step, i64 to_step) {
    i64 from = from_step - of.weight * segment;
    if (segment < of.segments && of.end(segment) < from) from = of.end(segment);
    const i32 off =
        i32(u32(reinterpret_cast<u64>(of.elements) / sizeof(In)) % u32(block::vector_width));
    i64 most = to_step - of.weight * segment;  // no element from there on is the wave's
    if (most > of.count) most = of.count;
    tiles.elements = of.elements - off;
    tiles.begin = off;
    tiles.end = from < most ? off + most : 0;
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
    memory.values[memory_type::place_of_nothing] = Op::template identity<Value>();
    if constexpr (Op::indexed) *memory.first_mark = -1;  // no value's place, until there is one
    tiles.template start<false>(first_tile);
    next_end = of.ends + segment + lane();
    load_ends(0);
    REDTUNE_UNROLL
    for (int i = 0; i < memory_type::words_of_marks; ++i) {
      memory.marks[lane() * memory_type::words_of_marks + i] = 0;
    }
    wave_barrier();
    bool goes_on = true;
    REDTUNE_ROLLED
    while (goes_on) goes_on = take_tile();
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
    segment_stream<Op, T, block, In, Offset, Out> stream{of,           memory, out,
                                                         parts + wave, found,  is_begun};
    stream.run(first, end);
  }
  block_barrier();
  REDTUNE_SHARED segment_share share;
  if (thread_index() == 0) share = join_waves<Op>(of, parts, waves, out, begun, open);
  block_barrier();
  return share;
}

}  // namespace redtune
