// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a group of threads makes of a row that a block has brought to shared memory.
#pragma once

#include "fold_spans.hip.h"
#include "stage.hip.h"

namespace redtune {

/// What a thread makes of every lanes-th element of a row that is staged, or of a part of it that
/// begins with its element `first`. Fewer than 2^16 elements; are_few: fewer than eight, for which
/// an unrolled loop only costs.
template <class Op, class T, int lanes, bool are_few = false, class In>
REDTUNE_DEVICE auto fold_staged(const In* elements, i32 count, i32 lane, i64 first = 0) {
  if constexpr (Op::indexed) {
    typedef typename span_fold<Op, T>::value Value;
    Value found = Op::template identity<Value>();
    REDTUNE_ROLLED
    for (i32 i = lane; i < count; i += lanes) {
      found = Op::template combine<Value>(found, span_fold<Op, T>::enter(elements[i], i));
    }
    return in_row(found, first);
  } else if constexpr (Op::joint) {
    typedef typename span_fold<Op, T>::value Value;
    return Op::template fold_elements<Value>(elements_in_steps<lanes, In>{elements, lane, count});
  } else {
    typedef typename tile_accumulator<Op, In, T>::type Narrow;
    Narrow value = Op::template identity<Narrow>();
    const auto take = [&](i32 i) {
      value =
          Op::template combine<Narrow>(value, Op::template enter<Narrow>(value_of(elements[i])));
    };
    if constexpr (are_few) {
      REDTUNE_ROLLED
      for (i32 i = lane; i < count; i += lanes) take(i);
    } else {
      for (i32 i = lane; i < count; i += lanes) take(i);
    }
    return T(value);
  }
}

/// Whether vectors at the ends of a staged row are folded as whole ones, what is not the row's
/// replaced: of whole words, and where some element changes nothing.
template <class Op, class In, int width>
struct staged_ends {
  static REDTUNE_DEVICE constexpr bool are_padded() {
    if constexpr (Op::indexed || Op::joint) {
      return false;
    } else {
      return Op::padded && sizeof(vec<In, width>) % sizeof(u32) == 0;
    }
  }
};

/// The vector of its row with which a group of one thread begins, where rows are `pitch` vectors
/// apart. Eight threads read at a time, and eight vectors fill all banks: where the pitch is a
/// multiple of 2, 4 or 8, so many of the eight would read the same banks, so they take turns.
REDTUNE_DEVICE constexpr u32 first_vector(u32 group, u32 pitch) {
  const u32 alike = (pitch | 8u) & (0u - (pitch | 8u));
  return group * alike / 8 % alike;
}

REDTUNE_DEVICE constexpr bool eights_read_all_banks() {
  for (u32 pitch = 1; pitch <= 16; ++pitch) {
    for (u32 first = 0; first < 64; first += 8) {
      u32 read = 0;
      for (u32 group = first; group < first + 8; ++group) {
        read |= 1u << (group * pitch + first_vector(group, pitch)) % 8;
      }
      if (read != 0xff) return false;
    }
  }
  return true;
}
static_assert(eights_read_all_banks(), "");

/// The vectors of a row, of 16 bytes, where all rows are whole vectors long and apart: they begin
/// at the same place in one, and end there. So the lanes of its last vector that are the row's are
/// those of the first that are not, and both together are one vector of the row.
template <class In, int width>
struct rows_alike {
  struct words {
    u32 of[4];
  };
  i32 vectors;     ///< as many as a row has elements for
  i32 first;       ///< with which a thread begins
  bool are_whole;  ///< else the first has the end of the row before, and one more the row's
  words before;    ///< bits of the first that are not the row's; of the one behind they are

  REDTUNE_DEVICE rows_alike(i32 begin, i32 count, i32 pitch, i32 group)
      : vectors(i32(u32(count) / u32(width))), are_whole(begin == 0) {
    REDTUNE_UNROLL
    for (int k = 0; k < 4; ++k) before.of[k] = low_bits(begin * i32(8 * sizeof(In)) - 32 * k);
    first = i32(first_vector(u32(group), u32(pitch) / u32(width)));
    if (first >= vectors) first = 0;
  }

  /// The row's vector that lies in two.
  REDTUNE_DEVICE loaded_vector<In, width> joined(const loaded_vector<In, width>& head,
                                                 const loaded_vector<In, width>& tail) const {
    const words from_head = __builtin_bit_cast(words, head);
    const words from_tail = __builtin_bit_cast(words, tail);
    words both;
    REDTUNE_UNROLL
    for (int k = 0; k < 4; ++k) {
      both.of[k] = (from_head.of[k] & ~before.of[k]) | (from_tail.of[k] & before.of[k]);
    }
    return __builtin_bit_cast(loaded_vector<In, width>, both);
  }
};

/// What a thread makes of a whole staged row, by vectors, where rows are alike: which lanes are
/// whose is told once for all rows of a stage. Whole rows have a loop that asks for no seam: what
/// bounds short rows is instructions.
template <class Op, class T, class In, int width>
REDTUNE_DEVICE auto fold_staged_alike(const vec<In, width>* vectors,
                                      const rows_alike<In, width>& rows) {
  typedef typename span_fold<Op, T>::value Value;
  typedef tile_fold<Op, In, Value, width> how;
  typename how::Folded all;
  REDTUNE_UNROLL
  for (int i = 0; i < how::lanes; ++i) all.v[i] = Op::template identity<Value>();
  i32 at = rows.first;
  if (rows.are_whole) {
    REDTUNE_ROLLED
    do {
      const loaded_vector<In, width> loaded = load_vector<cached>(vectors + at);
      all = combine_packs<Op>(all, fold_tile<Op, Value, 1>(&loaded));
      if (++at == rows.vectors) at = 0;
    } while (at != rows.first);
  } else {
    REDTUNE_ROLLED
    do {
      loaded_vector<In, width> loaded = load_vector<cached>(vectors + at);
      if (at == 0) loaded = rows.joined(loaded, load_vector<cached>(vectors + rows.vectors));
      all = combine_packs<Op>(all, fold_tile<Op, Value, 1>(&loaded));
      if (++at == rows.vectors) at = 0;
    } while (at != rows.first);
  }
  return in_row(fold_lanes<Op, Value, 0, how::lanes>(all), 0);
}

/// What a thread makes of a whole staged row by its words, where their ends are padded. Usually the
/// first and the last word are partial: both are masked without a question. A row has two words at
/// least.
template <class Op, class T, class In, int width>
REDTUNE_DEVICE auto fold_staged_words(const vec<In, width>* stage, i32 begin, i32 count) {
  typedef typename span_fold<Op, T>::value Value;
  typedef tile_fold<Op, In, Value, width> how;
  typename how::Folded all;
  REDTUNE_UNROLL
  for (int i = 0; i < how::lanes; ++i) all.v[i] = Op::template identity<Value>();
  const In missing = missing_element<Op, In>();
  u32 at = u32(begin) / u32(width);
  const u32 last = u32(begin + count - 1) / u32(width);
  loaded_vector<In, width> loaded =
      keep_lanes(load_vector<cached>(stage + at), kept_from<In, width>(begin), missing);
  all = combine_packs<Op>(all, fold_tile<Op, Value, 1>(&loaded));
  REDTUNE_ROLLED
  for (++at; at < last; ++at) {
    loaded = load_vector<cached>(stage + at);
    all = combine_packs<Op>(all, fold_tile<Op, Value, 1>(&loaded));
  }
  loaded =
      keep_lanes(load_vector<cached>(stage + last), kept_until<In, width>(begin + count), missing);
  all = combine_packs<Op>(all, fold_tile<Op, Value, 1>(&loaded));
  return in_row(fold_lanes<Op, Value, 0, how::lanes>(all), 0);
}

/// As fold_staged(), but of every lanes-th vector: fewer instructions, and elements of several rows
/// may lie in the same banks and wait for each other.
template <class Op, class T, int lanes, class In, int width>
REDTUNE_DEVICE auto fold_staged_vectors(const vec<In, width>* stage, i32 begin, i32 count,
                                        i32 lane) {
  typedef typename span_fold<Op, T>::value Value;
  const vec<In, width>* const vectors = stage + u32(begin) / u32(width);
  const i32 first = i32(u32(begin) % u32(width));
  const i32 end = first + count;
  if constexpr (staged_ends<Op, In, width>::are_padded()) {
    typedef tile_fold<Op, In, Value, width> how;
    typename how::Folded all;
    REDTUNE_UNROLL
    for (int i = 0; i < how::lanes; ++i) all.v[i] = Op::template identity<Value>();
    const In missing = missing_element<Op, In>();
    REDTUNE_ROLLED
    for (i32 at = lane; at * width < end; at += lanes) {
      loaded_vector<In, width> loaded = load_vector<cached>(vectors + at);
      const i32 from = first - at * width;
      const i32 to = end - at * width;
      if (from > 0 || to < width) {
        loaded = keep_lanes(loaded, kept_lanes<In, width>(from, to < width ? to : width), missing);
      }
      all = combine_packs<Op>(all, fold_tile<Op, Value, 1>(&loaded));
    }
    return in_row(fold_lanes<Op, Value, 0, how::lanes>(all), 0);
  } else {
    vector_span<In, width> span;
    span.vectors = vectors;
    span.begin = first;
    span.end = end;
    Value value;
    fold_spans<Op, T, span_shape<lanes, 1, 1, width, cached>>(&span, lane, stage_bounds{}, &value);
    return in_row(value, 0);
  }
}

}  // namespace redtune
