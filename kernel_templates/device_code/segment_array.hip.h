// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Segments of an array, told by offsets: where each begins and ends, and where equal shares of all
// of them begin.
#pragma once

#include "ops.hip.h"
#include "vector_span.hip.h"

namespace redtune {

/// Segments in memory, in order; none begins before the one ahead has ended.
template <class In, class Offset>
struct segment_array {
  const In* elements;
  i64 count;  ///< elements of the array
  const Offset* begins;
  const Offset* ends;
  i64 segments;
  i64 weight = 1;  ///< steps of the walk that the end of a segment is

  REDTUNE_DEVICE i64 begin(i64 segment) const { return i64(begins[segment]); }
  REDTUNE_DEVICE i64 end(i64 segment) const { return i64(ends[segment]); }
  REDTUNE_DEVICE array_bounds<In> bounds() const { return {elements, elements + count}; }
};

/// Elements of a segment that lie one behind the other.
struct segment_piece {
  i64 begin;
  i64 length;
  i64 skipped;  ///< elements of the segment that lie before
};

/// Writes the result of a segment.
template <class Op, class In, class Offset, class Acc, class Out>
REDTUNE_DEVICE void write_segment(const segment_array<In, Offset>& of, i64 segment, Acc value,
                                  Out* out) {
  if constexpr (Op::indexed) {
    typedef typename Acc::value_type T;
    // Folding values does not tell -0.0 from 0.0: the element does.
    if (Op::same(value.value, T(0)) && value.index >= 0) {
      value.value = T(value_of(of.elements[of.begin(segment) + value.index]));
    }
  }
  out[segment] = Op::template leave<Out>(value, of.end(segment) - of.begin(segment));
}

// All elements and all ends of segments are steps of one walk: the elements in order, and the end
// of a segment when all elements before it have been passed. Shares of it are equal work.

/// The last step of the end of a segment.
template <class In, class Offset>
REDTUNE_DEVICE i64 step_of_end(const segment_array<In, Offset>& of, i64 segment) {
  return of.end(segment) + of.weight * (segment + 1) - 1;
}
/// The first step of a segment.
template <class In, class Offset>
REDTUNE_DEVICE i64 first_step(const segment_array<In, Offset>& of, i64 segment) {
  return segment == 0 ? 0 : step_of_end(of, segment - 1) + 1;
}

/// The segments that steps belong to; `segments` for those behind the last end. All threads of a
/// block call it, for two steps at once: every thread looks whether a step is in its part of what
/// is left, so that a search among 2^20 segments takes a few loads one after the other.
template <int block_size, class In, class Offset>
REDTUNE_DEVICE void find_segments(const segment_array<In, Offset>& of, const i64* steps,
                                  i64* found) {
  constexpr int log2_block = log2_of<block_size>::value;
  i64 low[2] = {0, 0};
  i64 high[2] = {of.segments, of.segments};
  if constexpr (block_size < 16) {
    REDTUNE_UNROLL
    for (int k = 0; k < 2; ++k) {
      while (low[k] < high[k]) {
        const i64 middle = low[k] + (high[k] - low[k]) / 2;
        if (step_of_end(of, middle) >= steps[k]) {
          high[k] = middle;
        } else {
          low[k] = middle + 1;
        }
      }
      found[k] = low[k];
    }
  } else {
    REDTUNE_SHARED i64 parts[2][2][2];  // of turns, steps, and both ends
    int turn = 0;
    while (low[0] < high[0] || low[1] < high[1]) {
      REDTUNE_UNROLL
      for (int k = 0; k < 2; ++k) {
        const i64 many = high[k] - low[k] + 1;
        const i64 from = low[k] + ((many * thread_index()) >> log2_block);
        const i64 next = low[k] + ((many * (thread_index() + 1)) >> log2_block);
        if (from == next) continue;
        const bool is_behind = from == low[k] || step_of_end(of, from - 1) < steps[k];
        const bool is_before = next > high[k] || step_of_end(of, next - 1) >= steps[k];
        if (is_behind && is_before) {
          parts[turn][k][0] = from;
          parts[turn][k][1] = next - 1;
        }
      }
      block_barrier();
      REDTUNE_UNROLL
      for (int k = 0; k < 2; ++k) {
        low[k] = parts[turn][k][0];
        high[k] = parts[turn][k][1];
      }
      turn = 1 - turn;  // nobody writes there before all have read
    }
    found[0] = low[0];
    found[1] = low[1];
  }
}

}  // namespace redtune
