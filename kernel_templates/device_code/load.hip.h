// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How the elements of an input fall into tiles: an unaligned head, whole vectors dealt to the
// blocks tile by tile, and a rest shorter than a vector.
#pragma once

#include "types.hip.h"

namespace redtune {

/// An input seen as head + vectors + rest; head and rest together are shorter than two vectors.
template <class In, int vector_width>
struct split_input {
  typedef vec<In, vector_width> vector;

  const vector* vectors;
  i64 vector_count;
  i32 head_count;
  i32 odd_count;  ///< elements of head and rest

  REDTUNE_DEVICE split_input(const In* in, i64 count) : elements(in) {
    const i32 misaligned = i32(reinterpret_cast<u64>(in) % sizeof(vector));
    const i32 before = (misaligned == 0 ? 0 : i32(sizeof(vector)) - misaligned) / i32(sizeof(In));
    head_count = before < count ? before : i32(count);
    vectors = reinterpret_cast<const vector*>(in + head_count);
    vector_count = i64(u64(count - head_count) / u64(vector_width));
    odd_count = i32(count - vector_count * vector_width);
  }

  /// Element i of head and rest taken together.
  REDTUNE_DEVICE In odd_element(i32 i) const {
    return elements[i < head_count ? i64(i) : i + vector_count * vector_width];
  }

 private:
  const In* elements;
};

/// The tiles of one block, in vectors: from first, every step-th vector begins one, before end.
struct tile_range {
  i64 first;
  i64 end;
  i64 step;

  /// run 0 deals tiles round-robin to the blocks; else each block takes run tiles in a row.
  REDTUNE_DEVICE tile_range(i64 vector_count, i32 tile, i64 run) {
    first = i64(block_index()) * tile;
    step = i64(grid_size()) * tile;
    end = vector_count;
    if (run != 0) {
      first *= run;
      step = tile;
      end = first + run * tile < vector_count ? first + run * tile : vector_count;
    }
  }
};

}  // namespace redtune
