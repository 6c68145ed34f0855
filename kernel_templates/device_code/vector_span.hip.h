// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Elements one behind the other, of any length and from any address on, as the aligned vectors that
// they lie in. The first and the last of these may hold others as well: what is loaded is whole,
// what is folded is cut.
#pragma once

#include "load.hip.h"

namespace redtune {

/// Elements that lie in a vector: those from `from` up to `to`; none where that is not more.
struct vector_cut {
  i32 at;  ///< which vector of the span
  i32 from;
  i32 to;
};

/// At most 2^30 elements.
template <class In, int width>
struct vector_span {
  const vec<In, width>* vectors;  ///< the first that holds an element
  i32 begin;                      ///< of the elements, counted from the first vector on
  i32 end;

  REDTUNE_DEVICE vector_span() {}
  REDTUNE_DEVICE vector_span(const In* from, i32 count) {
    begin = i32(u32(reinterpret_cast<u64>(from) / sizeof(In)) % u32(width));
    end = begin + count;
    vectors = reinterpret_cast<const vec<In, width>*>(from - begin);
  }

  /// The vectors that hold nothing else: from the first up to the end.
  REDTUNE_DEVICE i32 whole_first() const { return begin != 0 ? 1 : 0; }
  REDTUNE_DEVICE i32 whole_end() const { return end >> log2_of<width>::value; }

  /// The vectors that hold others as well: that of the head, and that of the tail where it is
  /// another.
  REDTUNE_DEVICE vector_cut head() const {
    return {0, begin, begin == 0 ? 0 : end < width ? end : width};
  }
  REDTUNE_DEVICE vector_cut tail() const {
    const bool is_in_head = begin != 0 && end <= width;
    return {whole_end(), 0, is_in_head ? 0 : i32(u32(end) % u32(width))};
  }
};

/// All of an array, so that no vector is loaded which reaches beyond it.
template <class In>
struct array_bounds {
  const In* first;
  const In* end;

  template <int width>
  REDTUNE_DEVICE bool hold(const vec<In, width>* vector) const {
    const In* from = reinterpret_cast<const In*>(vector);
    return from >= first && from + width <= end;
  }
};

}  // namespace redtune
