// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Elements of an array in the shared memory of a block, as they stand: read as one stream of
// aligned vectors, whatever is made of them then.
#pragma once

#include "vector_span.hip.h"

namespace redtune {

/// A stage has room for whole vectors, whatever of them was brought.
struct stage_bounds {
  template <class Vector>
  REDTUNE_DEVICE bool hold(const Vector*) const {
    return true;
  }
};

/// Copies elements of an array to `stage`, which has room for one vector more than
/// block_size * loads; all threads call it. Where the first element then is: behind as many others
/// as before it in its vector. Nobody may read before a barrier.
template <int block_size, int loads, class Hint, class In, int width>
REDTUNE_DEVICE i32 stage_elements(const vector_span<In, width>& span,
                                  const array_bounds<In>& bounds, vec<In, width>* stage) {
  // Vectors that reach beyond the array are those at its two ends: their elements come one by one.
  const i32 vectors = i32(u32(span.end + width - 1) / u32(width));
  const bool cuts_first = vectors > 0 && !bounds.hold(span.vectors);
  const bool cuts_last = vectors > 0 && !bounds.hold(span.vectors + (vectors - 1));
  const i32 first = cuts_first ? 1 : 0;
  const i32 last = cuts_last ? vectors - 1 : vectors;
  loaded_vector<In, width> loaded[loads + 1];
  REDTUNE_UNROLL
  for (int i = 0; i <= loads; ++i) {
    const i32 at = thread_index() + i * block_size;
    loaded[i] = load_vector_or<Hint>(first <= at && at < last, span.vectors + at, In());
  }
  REDTUNE_UNROLL
  for (int i = 0; i <= loads; ++i) {
    const i32 at = thread_index() + i * block_size;
    if (first <= at && at < last) store_vector<cached>(stage + at, loaded[i]);
  }
  if (cuts_first || cuts_last) {
    const In* from = reinterpret_cast<const In*>(span.vectors);
    In* to = reinterpret_cast<In*>(stage);
    const i32 head_end = cuts_first ? (span.end < width ? span.end : width) : span.begin;
    const i32 tail = cuts_last && last > 0 ? last * width : span.end;
    REDTUNE_ROLLED
    for (i32 i = span.begin + thread_index(); i < head_end; i += block_size) to[i] = from[i];
    REDTUNE_ROLLED
    for (i32 i = tail + thread_index(); i < span.end; i += block_size) to[i] = from[i];
  }
  return span.begin;
}

}  // namespace redtune
