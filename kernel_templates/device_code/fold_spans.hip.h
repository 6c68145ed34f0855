// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a group of threads makes of spans, each thread of its share. Loads of all spans are on their
// way before the first is folded.
#pragma once

#include "find_in_loads.hip.h"
#include "vector_span.hip.h"

namespace redtune {

/// Elements of a row that are folded at a time: their places fit into 32 bits.
constexpr i64 most_in_span = i64(1) << 30;

/// The constants of a config that folding spans depends on.
template <int threads, int many, int loads_of_tile, int width, class LoadHint>
struct span_shape {
  typedef LoadHint Hint;
  static constexpr int lanes = threads;        ///< threads of a group
  static constexpr int spans = many;           ///< that a group folds at a time
  static constexpr int loads = loads_of_tile;  ///< of a thread, span and tile
  static constexpr int vector_width = width;
  static constexpr i32 tile = lanes * loads;  ///< vectors of a group, span and tile
  /// Cut vectors of a span that are one thread's: head and tail are two threads', where there are.
  static constexpr int cuts = lanes == 1 ? 2 : 1;
};

/// Which tiles of a span a group folds, where several share it: every parts-th from one on. The
/// first group has the ends that are no whole vectors.
struct span_part {
  i32 index;
  i32 parts;
};

/// How elements of a span are accumulated: where an operator gives an index, with their place.
template <class Op, class T, bool indexed = Op::indexed>
struct span_fold {
  typedef typename shaped<Op, T>::type value;
  template <class In>
  static REDTUNE_DEVICE value enter(In x, i32) {
    return Op::template enter<value>(value_of(x));
  }
};
template <class Op, class T>
struct span_fold<Op, T, true> {
  typedef placed_value<T> value;
  template <class In>
  static REDTUNE_DEVICE value enter(In x, i32 place) {
    return {T(value_of(x)), u32(place)};
  }
};

/// Adds the elements of a load whose bit is set in `there`; place: that of the load's first.
template <class Op, class T, int lane, class In, int width, class Value>
REDTUNE_DEVICE void add_marked_lanes(const loaded_vector<In, width>& loaded, u32 there, i32 place,
                                     Value& value) {
  const Value entered = span_fold<Op, T>::enter(element_of(loaded, lane), place + lane);
  const Value both = Op::template combine<Value>(value, entered);
  if ((there & (1u << lane)) != 0) value = both;
  if constexpr (lane + 1 < width) add_marked_lanes<Op, T, lane + 1>(loaded, there, place, value);
}

/// What one thread makes of its share of a span.
template <class Op, class T, class Shape, class In>
struct span_folder {
  static constexpr int width = Shape::vector_width;
  typedef typename Shape::Hint Hint;
  typedef typename span_fold<Op, T>::value Value;
  typedef tile_fold<Op, In, typename either<Op::indexed, T, Value>::type, width> how;
  static constexpr int lanes = Op::indexed ? 1 : how::lanes;
  typedef loaded_vector<In, width> Loaded;
  /// Whether cut vectors are folded as whole ones, what is not theirs replaced: small integers, of
  /// which a tile is folded by a few instructions.
  static constexpr bool pads_cuts() {
    if constexpr (Op::indexed) {
      return false;
    } else {
      return Op::padded && is_integer<In>::value && lanes == 1 && width > 1 &&
             sizeof(vec<In, width>) % sizeof(u32) == 0;
    }
  }

  vector_span<In, width> span;
  span_part part;
  i32 lane;  ///< of the thread in its group
  i32 at;    ///< the vector that it loads next
  typename either<Op::indexed, pack<T, 1>, typename how::Folded>::type acc;
  Value found;

  REDTUNE_DEVICE void begin(const vector_span<In, width>& what, i32 thread, span_part of_it) {
    span = what;
    part = of_it;
    lane = thread;
    at = span.whole_first() + lane + part.index * Shape::tile;
    found = Op::template identity<Value>();
    if constexpr (!Op::indexed) {
      REDTUNE_UNROLL
      for (int i = 0; i < lanes; ++i) acc.v[i] = Op::template identity<Value>();
    }
  }

  /// Whole vectors from the next on.
  [[nodiscard]] REDTUNE_DEVICE i32 left() const { return span.whole_end() - at; }
  [[nodiscard]] REDTUNE_DEVICE bool has_whole_tile() const {
    return left() > (Shape::loads - 1) * Shape::lanes;
  }

  REDTUNE_DEVICE void load_whole_tile(Loaded* loaded) const {
    const vec<In, width>* from = span.vectors + at;
    REDTUNE_UNROLL
    for (int i = 0; i < Shape::loads; ++i) loaded[i] = load_vector<Hint>(from + i * Shape::lanes);
  }
  /// Of a tile, what there is.
  REDTUNE_DEVICE void load_tile(Loaded* loaded) const {
    const vec<In, width>* from = span.vectors + at;
    if constexpr (Op::indexed) {
      load_padded<typename Op::value_op, Hint, Shape::loads, Shape::lanes>(from, left(), loaded);
    } else if constexpr (Op::padded) {
      load_padded<Op, Hint, Shape::loads, Shape::lanes>(from, left(), loaded);
    } else {
      REDTUNE_UNROLL
      for (int i = 0; i < Shape::loads; ++i) {
        loaded[i] = load_vector_or<Hint>(i * Shape::lanes < left(), from + i * Shape::lanes, In());
      }
    }
  }

  REDTUNE_DEVICE void add_whole_tile(const Loaded* loaded) {
    if constexpr (Op::indexed) {
      add_extreme(loaded, Shape::tile);
    } else {
      acc = combine_packs<Op>(acc, fold_tile<Op, Value, Shape::loads>(loaded));
    }
  }
  REDTUNE_DEVICE void add_tile(const Loaded* loaded) {
    if (left() <= 0) return;
    if constexpr (Op::indexed) {
      add_extreme(loaded, left());
    } else if constexpr (Op::padded) {
      add_whole_tile(loaded);
    } else {
      REDTUNE_UNROLL
      for (int i = 0; i < Shape::loads; ++i) {
        if (i * Shape::lanes < left()) {
          acc = combine_packs<Op>(acc, fold_tile<Op, Value, 1>(loaded + i));
        }
      }
    }
  }
  REDTUNE_DEVICE void go_on() { at += part.parts * Shape::tile; }

  /// A cut vector of this thread's; without elements where it has none.
  [[nodiscard]] REDTUNE_DEVICE vector_cut cut(int number) const {
    const i32 which = Shape::cuts == 1 ? lane : number;
    if (part.index != 0) return {0, 0, 0};
    if (which == 0) return span.head();
    if (which == 1) return span.tail();
    return {0, 0, 0};
  }
  /// Whether a cut has elements, and its vector may be loaded.
  template <class Bounds>
  [[nodiscard]] REDTUNE_DEVICE bool is_loaded(const vector_cut& cut, const Bounds& bounds) const {
    return cut.from < cut.to && bounds.hold(span.vectors + cut.at);
  }
  template <class Bounds>
  REDTUNE_DEVICE void add_cut(const vector_cut& cut, const Loaded& loaded, const Bounds& bounds) {
    if (cut.from >= cut.to) return;
    const i32 place = cut.at * width - span.begin;
    if (is_loaded(cut, bounds)) {
      if constexpr (Op::joint) {
        const elements_between<In, width> between{loaded, cut.from, cut.to};
        found = Op::template combine<Value>(found, Op::template fold_elements<Value>(between));
      } else if constexpr (pads_cuts()) {
        const Loaded kept =
            keep_lanes(loaded, kept_lanes<In, width>(cut.from, cut.to), missing_element<Op, In>());
        acc = combine_packs<Op>(acc, fold_tile<Op, T, 1>(&kept));
      } else {
        const u32 there = low_bits(cut.to) & ~low_bits(cut.from);
        add_marked_lanes<Op, T, 0>(loaded, there, place, found);
      }
      return;
    }
    const In* elements = reinterpret_cast<const In*>(span.vectors + cut.at);
    REDTUNE_ROLLED
    for (i32 i = cut.from; i < cut.to; ++i) {
      const Value entered = span_fold<Op, T>::enter(elements[i], place + i);
      found = Op::template combine<Value>(found, entered);
    }
  }

  [[nodiscard]] REDTUNE_DEVICE Value value() const {
    if constexpr (Op::indexed) {
      return found;
    } else {
      return Op::template combine<Value>(fold_lanes<Op, Value, 0, lanes>(acc), found);
    }
  }

 private:
  REDTUNE_DEVICE void add_extreme(const Loaded* loaded, i32 there) {
    const u32 first = u32(at * width - span.begin);
    const Value best = find_in_loads<Op, T, Shape::loads, Shape::lanes>(loaded, there, first);
    found = Op::template combine<Value>(found, best);
  }
};

/// A value of a span as one of a row, of whose elements the span's first is the one at `first`.
template <class T>
REDTUNE_DEVICE T in_row(T value, i64) {
  return value;
}
template <class T>
REDTUNE_DEVICE indexed_value<T> in_row(const placed_value<T>& found, i64 first) {
  return {found.value, found.index == ~u32(0) ? i64(-1) : first + i64(found.index)};
}

/// The values of a thread's shares of Shape::spans spans. bounds: which vectors may be loaded.
template <class Op, class T, class Shape, class In, class Bounds, class Value>
REDTUNE_DEVICE void fold_spans(const vector_span<In, Shape::vector_width>* spans, i32 lane,
                               const Bounds& bounds, Value* values, span_part part = {0, 1}) {
  typedef span_folder<Op, T, Shape, In> Folder;
  typedef typename Folder::Loaded Loaded;
  constexpr int many = Shape::spans;
  constexpr int cuts = Shape::cuts;
  Folder folders[many];
  Loaded loaded[many * Shape::loads];
  Loaded loaded_cuts[many * cuts];
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) {
    folders[i].begin(spans[i], lane, part);
    folders[i].load_tile(loaded + i * Shape::loads);
    REDTUNE_UNROLL
    for (int k = 0; k < cuts; ++k) {
      const vector_cut cut = folders[i].cut(k);
      loaded_cuts[i * cuts + k] = load_vector_or<typename Shape::Hint>(
          folders[i].is_loaded(cut, bounds), spans[i].vectors + cut.at, In());
    }
  }
  REDTUNE_UNROLL
  for (int i = 0; i < many; ++i) {
    Folder& folder = folders[i];
    Loaded* const tile = loaded + i * Shape::loads;
    folder.add_tile(tile);
    folder.go_on();
    if constexpr (many == 1) {  // of several spans each is likely to fit into a tile
      REDTUNE_ROLLED
      for (; folder.has_whole_tile(); folder.go_on()) {
        folder.load_whole_tile(tile);
        folder.add_whole_tile(tile);
      }
    }
    REDTUNE_ROLLED
    for (; folder.left() > 0; folder.go_on()) {
      folder.load_tile(tile);
      folder.add_tile(tile);
    }
    REDTUNE_UNROLL
    for (int k = 0; k < cuts; ++k) {
      folder.add_cut(folder.cut(k), loaded_cuts[i * cuts + k], bounds);
    }
    values[i] = folder.value();
  }
}

}  // namespace redtune
