// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device can do at best: a pure read, a pure copy, and a launch of nothing. Buffers are
// aligned to their vectors.
#pragma once

#include "device_code/ops.hip.h"

namespace redtune {

/// The whole tiles of one block in one pass over the input. From pass to pass the blocks change
/// places, so that no block finds in the caches nearest to it what it read itself.
struct probe_range {
  i64 first;
  i64 end;
  i64 step;

  REDTUNE_DEVICE probe_range(i64 tiles, i32 pass, bool chunked) {
    const u32 blocks = u32(grid_size());
    // Half the grid and one more: it returns to no neighbour, which may share a compute unit.
    const u32 shift = blocks < 4 ? 1 : blocks / 2 + 1;
    const i64 place = i64((u64(block_index()) + u64(pass) * shift) % blocks);
    const i64 run = (tiles + blocks - 1) / blocks;
    first = chunked ? place * run : place;
    end = chunked && first + run < tiles ? first + run : tiles;
    step = chunked ? 1 : i64(blocks);
  }
};

/// Reads count words so many times and leaves one sum for each thread: all together, modulo 2^32,
/// are passes times the sum of the words. Sums because GPUs add three words by one instruction.
template <int block_size, int loads, int vector_width, class Hint>
REDTUNE_KERNEL(block_size)
probe_read(const u32* REDTUNE_RESTRICT in, i64 count, u32* out, i32 passes, i32 chunked) {
  typedef vec<u32, vector_width> vector;
  constexpr i64 tile = i64(block_size) * loads;  // vectors of a tile
  const vector* const vectors = reinterpret_cast<const vector*>(in);
  const i64 vector_count = i64(u64(count) / u64(vector_width));
  const i64 tiles = i64(u64(vector_count) / u64(tile));
  const i32 thread = thread_index();

  pack<u32, vector_width> acc;
  REDTUNE_UNROLL
  for (int lane = 0; lane < vector_width; ++lane) acc.v[lane] = 0;
  u32 rest = 0;
  for (i32 pass = 0; pass < passes; ++pass) {
    const probe_range mine(tiles, pass, chunked != 0);
    REDTUNE_ROLLED
    for (i64 t = mine.first; t < mine.end; t += mine.step) {
      const vector* from = vectors + t * tile + thread;
      loaded_vector<u32, vector_width> loaded[loads];
      REDTUNE_UNROLL
      for (int i = 0; i < loads; ++i) loaded[i] = load_vector<Hint>(from + i * block_size);
      REDTUNE_UNROLL
      for (int i = 0; i < loads; ++i)
        acc = combine_packs<sum>(acc, enter_pack<sum, u32>(loaded[i]));
    }
    if (block_index() != 0) continue;
    REDTUNE_ROLLED
    for (i64 i = tiles * tile + thread; i < vector_count; i += block_size) {
      acc = combine_packs<sum>(acc, enter_pack<sum, u32>(load_vector<Hint>(vectors + i)));
    }
    for (i64 i = vector_count * vector_width + thread; i < count; i += block_size) rest += in[i];
  }
  REDTUNE_UNROLL
  for (int lane = 0; lane < vector_width; ++lane) rest += acc.v[lane];
  out[i64(block_index()) * block_size + thread] = rest;
}

template <int block_size, int loads, int vector_width, class Hint>
REDTUNE_KERNEL(block_size)
probe_copy(const u32* REDTUNE_RESTRICT in, i64 count, u32* REDTUNE_RESTRICT out, i32 chunked) {
  typedef vec<u32, vector_width> vector;
  constexpr i64 tile = i64(block_size) * loads;  // vectors of a tile
  const vector* const from = reinterpret_cast<const vector*>(in);
  vector* const to = reinterpret_cast<vector*>(out);
  const i64 vector_count = i64(u64(count) / u64(vector_width));
  const i64 tiles = i64(u64(vector_count) / u64(tile));
  const i32 thread = thread_index();

  const probe_range mine(tiles, 0, chunked != 0);
  REDTUNE_ROLLED
  for (i64 t = mine.first; t < mine.end; t += mine.step) {
    const i64 at = t * tile + thread;
    loaded_vector<u32, vector_width> loaded[loads];
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) loaded[i] = load_vector<Hint>(from + at + i * block_size);
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) store_vector<Hint>(to + at + i * block_size, loaded[i]);
  }
  if (block_index() != 0) return;
  REDTUNE_ROLLED
  for (i64 i = tiles * tile + thread; i < vector_count; i += block_size) {
    store_vector<Hint>(to + i, load_vector<Hint>(from + i));
  }
  for (i64 i = vector_count * vector_width + thread; i < count; i += block_size) out[i] = in[i];
}

/// Nothing: what is left is the launch.
template <int block_size>
REDTUNE_KERNEL(block_size)
probe_empty() {}

}  // namespace redtune
