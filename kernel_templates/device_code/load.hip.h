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

  const In* head;
  i64 head_count;
  const vector* vectors;
  i64 vector_count;
  const In* rest;
  i64 rest_count;

  REDTUNE_DEVICE split_input(const In* in, i64 count) {
    const u64 misaligned = reinterpret_cast<u64>(in) % sizeof(vector);
    const i64 before = misaligned == 0 ? 0 : i64((sizeof(vector) - misaligned) / sizeof(In));
    head = in;
    head_count = before < count ? before : count;
    vectors = reinterpret_cast<const vector*>(in + head_count);
    vector_count = i64(u64(count - head_count) / u64(vector_width));
    rest = in + head_count + vector_count * vector_width;
    rest_count = count - head_count - vector_count * vector_width;
  }

  /// Element i of head and rest taken together.
  REDTUNE_DEVICE In odd_element(i64 i) const {
    return i < head_count ? head[i] : rest[i - head_count];
  }
};

/// The tiles of one block: from first, every step-th, before end.
struct tile_range {
  i64 first;
  i64 end;
  i64 step;

  /// Strided deals tiles round-robin to the blocks; chunked gives each block one contiguous run.
  REDTUNE_DEVICE tile_range(i64 tiles, bool chunked) {
    const i64 block = block_index();
    const i64 blocks = grid_size();
    const i64 run = (tiles + blocks - 1) / blocks;
    first = chunked ? block * run : block;
    end = chunked && first + run < tiles ? first + run : tiles;
    step = chunked ? 1 : blocks;
  }
};

}  // namespace redtune
