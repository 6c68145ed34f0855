// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a thread makes of vectors of neighbouring columns, line by line: each lane has a column of
// its own, and lanes never meet here.
#pragma once

#include "fold_tile.hip.h"

namespace redtune {

/// The constants of a config that folding columns depends on.
template <int threads, int vectors_of_thread, int loads_of_tile, int width, class LoadHint>
struct column_shape {
  typedef LoadHint Hint;
  static constexpr int block_size = threads;
  static constexpr int vectors = vectors_of_thread;  ///< of a thread, in each line
  static constexpr int loads = loads_of_tile;        ///< lines that a thread has on their way
  static constexpr int vector_width = width;
  static constexpr int lanes = vectors * width;  ///< columns of a thread
};

/// What the lanes of a vector have come to so far.
template <class Op, class In, class T, int vector_width, bool indexed = Op::indexed,
          bool joint = Op::joint>
struct column_lanes {
  typedef typename tile_accumulator<Op, In, T>::type Narrow;
  static constexpr int width = vector_width;
  pack<T, width> all;

  REDTUNE_DEVICE void begin() {
    REDTUNE_UNROLL
    for (int lane = 0; lane < width; ++lane) all.v[lane] = Op::template identity<T>();
  }
  /// Adds a vector of each of some lines.
  template <int loads>
  REDTUNE_DEVICE void add_tile(const loaded_vector<In, width>* loaded, u32) {
    if constexpr (is_same<Narrow, T>::value) {
      all = combine_packs<Op>(all, fold_loads<Op, T, 0, loads>(loaded));
    } else {
      const auto narrow = fold_loads<Op, Narrow, 0, loads>(loaded);
      REDTUNE_UNROLL
      for (int lane = 0; lane < width; ++lane) {
        all.v[lane] = Op::template combine<T>(T(all.v[lane]), T(narrow.v[lane]));
      }
    }
  }
  /// Adds an element to a lane.
  template <int lane>
  REDTUNE_DEVICE void add(In x, u32) {
    all.v[lane] = Op::template combine<T>(T(all.v[lane]), Op::template enter<T>(value_of(x)));
  }
};

/// Likewise where an operator gives an index: that of the line, counted by the thread. Lines come
/// in their order, so the first of equals stays.
template <class Op, class In, class T, int vector_width>
struct column_lanes<Op, In, T, vector_width, true, false> {
  static constexpr int width = vector_width;
  static constexpr u32 none = ~u32(0);
  T best[width];
  u32 lines[width];

  REDTUNE_DEVICE void begin() {
    REDTUNE_UNROLL
    for (int lane = 0; lane < width; ++lane) {
      best[lane] = Op::value_op::template identity<T>();
      lines[lane] = none;
    }
  }
  template <int loads>
  REDTUNE_DEVICE void add_tile(const loaded_vector<In, width>* loaded, u32 line) {
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) add_lanes<0>(loaded[i], line + u32(i));
  }
  template <int lane>
  REDTUNE_DEVICE void add(In element, u32 line) {
    const T x = T(value_of(element));
    // What equals the identity counts as well.
    const bool is_better =
        Op::before(x, best[lane]) | ((lines[lane] == none) & Op::same(x, best[lane]));
    best[lane] = is_better ? x : best[lane];
    lines[lane] = is_better ? line : lines[lane];
  }

 private:
  template <int lane>
  REDTUNE_DEVICE void add_lanes(const loaded_vector<In, width>& loaded, u32 line) {
    add<lane>(element_of(loaded, lane), line);
    if constexpr (lane + 1 < width) add_lanes<lane + 1>(loaded, line);
  }
};

/// Likewise where an accumulator has several members.
template <class Op, class In, class T, int vector_width>
struct column_lanes<Op, In, T, vector_width, false, true> {
  typedef typename shaped<Op, T>::type Value;
  static constexpr int width = vector_width;
  struct {
    Value v[width];
  } all;

  REDTUNE_DEVICE void begin() {
    REDTUNE_UNROLL
    for (int lane = 0; lane < width; ++lane) all.v[lane] = Op::template identity<Value>();
  }
  template <int loads>
  REDTUNE_DEVICE void add_tile(const loaded_vector<In, width>* loaded, u32) {
    add_lanes<loads, 0>(loaded);
  }
  template <int lane>
  REDTUNE_DEVICE void add(In x, u32) {
    all.v[lane] = Op::template combine<Value>(all.v[lane], Op::template enter<Value>(value_of(x)));
  }

 private:
  template <int loads, int lane>
  REDTUNE_DEVICE void add_lanes(const loaded_vector<In, width>* loaded) {
    const elements_of_lane<lane, loads, In, width> elements{loaded};
    all.v[lane] =
        Op::template combine<Value>(all.v[lane], Op::template fold_elements<Value>(elements));
    if constexpr (lane + 1 < width) add_lanes<loads, lane + 1>(loaded);
  }
};

/// The lines of a thread: of each, `vectors` vectors that stand `apart` from each other. Places of
/// vectors count from that in which the slice begins; elements as well.
template <class In, int width>
struct column_lines {
  const vec<In, width>* slice;
  i32 begin;   ///< of the slice's elements
  i64 end;     ///< and their end
  i64 at;      ///< the first vector of the first line
  i64 stop;    ///< lines whose first vector is before it are the thread's
  i64 stride;  ///< from line to line
  i32 apart;
  i32 vectors;  ///< fewer than a thread may have, where columns end

  /// The lines of which no vector holds elements of others: those whose first vector is not before
  /// the one, and before the other.
  REDTUNE_DEVICE i64 whole_first() const { return begin != 0 ? 1 : 0; }
  REDTUNE_DEVICE i64 whole_stop() const {
    const i64 whole = (end >> log2_of<width>::value) - i64(vectors - 1) * apart;
    return whole < stop ? whole : stop;
  }
};

/// Adds the elements [from, to) of a vector, one by one: those of lane `lane` and behind.
template <int lane, class Lanes, class In>
REDTUNE_DEVICE void add_elements(const In* elements, i32 from, i32 to, u32 line, Lanes& lanes) {
  if (from <= lane && lane < to) lanes.template add<lane>(elements[lane], line);
  if constexpr (lane + 1 < Lanes::width) {
    add_elements<lane + 1>(elements, from, to, line, lanes);
  }
}

/// Adds what the vectors of a line hold of the slice.
template <class Shape, class Lanes, class In>
REDTUNE_DEVICE void add_cut_line(const column_lines<In, Shape::vector_width>& mine, u32 line,
                                 Lanes* lanes) {
  constexpr int width = Shape::vector_width;
  REDTUNE_UNROLL
  for (int n = 0; n < Shape::vectors; ++n) {
    const i64 vector = mine.at + i64(n) * mine.apart;
    const i64 before = mine.begin - vector * width;
    const i64 there = n < mine.vectors ? mine.end - vector * width : 0;
    const i32 from = before > 0 ? i32(before) : 0;
    const i32 to = there >= width ? width : there > 0 ? i32(there) : 0;
    add_elements<0>(reinterpret_cast<const In*>(mine.slice + vector), from, to, line, lanes[n]);
  }
}

/// Loads a vector of each line of a tile, `loads` lines of them each; what there is up to `whole`.
template <class Shape, class In>
REDTUNE_DEVICE void load_lines(const column_lines<In, Shape::vector_width>& mine, i64 whole,
                               In missing, loaded_vector<In, Shape::vector_width>* loaded) {
  const vec<In, Shape::vector_width>* from = mine.slice + mine.at;
  REDTUNE_UNROLL
  for (int i = 0; i < Shape::loads; ++i) {
    REDTUNE_UNROLL
    for (int n = 0; n < Shape::vectors; ++n) {
      const bool is_there = mine.at + i * mine.stride < whole && (n == 0 || n < mine.vectors);
      loaded[n * Shape::loads + i] = load_vector_or<typename Shape::Hint>(
          is_there, from + (i * mine.stride + i64(n) * mine.apart), missing);
    }
  }
}
template <class Shape, class In>
REDTUNE_DEVICE void load_whole_lines(const column_lines<In, Shape::vector_width>& mine,
                                     loaded_vector<In, Shape::vector_width>* loaded) {
  const vec<In, Shape::vector_width>* from = mine.slice + mine.at;
  REDTUNE_UNROLL
  for (int n = 0; n < Shape::vectors; ++n) {
    // Beyond the columns the first vector is loaded once more: it has no result there.
    const i64 apart = n == 0 || n < mine.vectors ? i64(n) * mine.apart : 0;
    REDTUNE_UNROLL
    for (int i = 0; i < Shape::loads; ++i) {
      loaded[n * Shape::loads + i] =
          load_vector<typename Shape::Hint>(from + (i * mine.stride + apart));
    }
  }
}

/// Adds a tile of which the last lines may be missing.
template <class Op, class Shape, class Lanes, class In>
REDTUNE_DEVICE void add_rest(const column_lines<In, Shape::vector_width>& mine, i64 whole, u32 line,
                             Lanes* lanes) {
  constexpr int loads = Shape::loads;
  loaded_vector<In, Shape::vector_width> loaded[Shape::vectors * loads];
  if constexpr (!Op::indexed) {
    if constexpr (Op::padded) {
      const In missing = convert<In>(padding<Op, decltype(value_of(In()))>());
      load_lines<Shape>(mine, whole, missing, loaded);
      REDTUNE_UNROLL
      for (int n = 0; n < Shape::vectors; ++n) {
        lanes[n].template add_tile<loads>(loaded + n * loads, line);
      }
      return;
    }
  }
  load_lines<Shape>(mine, whole, In(), loaded);
  REDTUNE_UNROLL
  for (int i = 0; i < loads; ++i) {
    if (mine.at + i * mine.stride >= whole) continue;
    REDTUNE_UNROLL
    for (int n = 0; n < Shape::vectors; ++n) {
      lanes[n].template add_tile<1>(loaded + n * loads + i, line + u32(i));
    }
  }
}

/// Folds the lines of a thread, fewer than 2^32, into its lanes.
template <class Op, class Shape, class Lanes, class In>
REDTUNE_DEVICE void fold_lines(column_lines<In, Shape::vector_width> mine, Lanes* lanes) {
  constexpr int loads = Shape::loads;
  const i64 whole = mine.whole_stop();
  i64 cut_stop = mine.whole_first() < mine.stop ? mine.whole_first() : mine.stop;
  u32 line = 0;
  while (true) {  // lines that are cut, whole ones, and lines that are cut
    REDTUNE_ROLLED
    for (; mine.at < cut_stop; mine.at += mine.stride) add_cut_line<Shape>(mine, line++, lanes);
    if (cut_stop == mine.stop) break;
    cut_stop = mine.stop;
    REDTUNE_ROLLED
    for (; mine.at + (loads - 1) * mine.stride < whole; mine.at += loads * mine.stride) {
      loaded_vector<In, Shape::vector_width> loaded[Shape::vectors * loads];
      load_whole_lines<Shape>(mine, loaded);
      REDTUNE_UNROLL
      for (int n = 0; n < Shape::vectors; ++n) {
        lanes[n].template add_tile<loads>(loaded + n * loads, line);
      }
      line += loads;
    }
    if (mine.at < whole) add_rest<Op, Shape>(mine, whole, line, lanes);
    REDTUNE_ROLLED
    for (; mine.at < whole; mine.at += mine.stride) ++line;
  }
}

}  // namespace redtune
