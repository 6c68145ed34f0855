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

/// Which vectors of a span come to a stage as wholes: those that reach beyond the array are at its
/// two ends, and their elements come one by one.
template <class In, int width>
struct staged_span {
  vector_span<In, width> span;
  bool cuts_first;
  bool cuts_last;
  i32 first;  ///< whole vector, and the end of them: told once, not for each
  i32 last;

  REDTUNE_DEVICE staged_span(const vector_span<In, width>& all, const array_bounds<In>& bounds)
      : span(all) {
    const i32 vectors = i32(u32(all.end + width - 1) / u32(width));
    cuts_first = vectors > 0 && !bounds.hold(span.vectors);
    cuts_last = vectors > 0 && !bounds.hold(span.vectors + (vectors - 1));
    first = cuts_first ? 1 : 0;
    last = cuts_last ? vectors - 1 : vectors;
  }
  REDTUNE_DEVICE bool is_whole(i32 at) const { return first <= at && at < last; }
  template <int block_size>
  REDTUNE_DEVICE void stage_ends(vec<In, width>* stage) const {
    if (!cuts_first && !cuts_last) return;
    const In* from = reinterpret_cast<const In*>(span.vectors);
    In* to = reinterpret_cast<In*>(stage);
    const i32 head_end = cuts_first ? (span.end < width ? span.end : width) : span.begin;
    const i32 tail = cuts_last && last > 0 ? last * width : span.end;
    REDTUNE_ROLLED
    for (i32 i = span.begin + thread_index(); i < head_end; i += block_size) to[i] = from[i];
    REDTUNE_ROLLED
    for (i32 i = tail + thread_index(); i < span.end; i += block_size) to[i] = from[i];
  }
};

/// Copies elements of an array to `stage`, which has room for one vector more than
/// block_size * loads; all threads call it. Where the first element then is: behind as many others
/// as before it in its vector. Nobody may read before a barrier.
template <int block_size, int loads, class Hint, class In, int width>
REDTUNE_DEVICE i32 stage_elements(const vector_span<In, width>& span,
                                  const array_bounds<In>& bounds, vec<In, width>* stage) {
  const staged_span<In, width> all(span, bounds);
  loaded_vector<In, width> loaded[loads + 1];
  REDTUNE_UNROLL
  for (int i = 0; i <= loads; ++i) {
    const i32 at = thread_index() + i * block_size;
    loaded[i] = load_vector_or<Hint>(all.is_whole(at), span.vectors + at, In());
  }
  REDTUNE_UNROLL
  for (int i = 0; i <= loads; ++i) {
    const i32 at = thread_index() + i * block_size;
    if (all.is_whole(at)) store_vector<cached>(stage + at, loaded[i]);
  }
  all.template stage_ends<block_size>(stage);
  return span.begin;
}

/// Likewise, and past the registers where the GPU can: for kernels that need them for more.
template <int block_size, int loads, class Hint, class In, int width>
REDTUNE_DEVICE i32 stage_past_registers(const vector_span<In, width>& span,
                                        const array_bounds<In>& bounds, vec<In, width>* stage) {
  constexpr int bytes = sizeof(vec<In, width>);
  if constexpr (copies_past_registers<bytes>) {
    const staged_span<In, width> all(span, bounds);
    REDTUNE_UNROLL
    for (int i = 0; i <= loads; ++i) {
      const i32 at = thread_index() + i * block_size;
      if (all.is_whole(at)) copy_past_registers<bytes>(stage + at, span.vectors + at);
    }
    all.template stage_ends<block_size>(stage);
    wait_for_copies();
    return span.begin;
  } else {
    return stage_elements<block_size, loads, Hint>(span, bounds, stage);
  }
}

}  // namespace redtune
