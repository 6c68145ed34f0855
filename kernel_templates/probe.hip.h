// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device can do at best: a pure read, a pure copy, and a launch of nothing.
#pragma once

#include "device_code/load.hip.h"
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
  const split_input<u32, vector_width> input(in, count);
  const i64 tiles = input.vector_count > 0 ? i64(u64(input.vector_count) / u64(tile)) : 0;
  const i32 thread = thread_index();

  pack<u32, vector_width> acc;
  REDTUNE_UNROLL
  for (int lane = 0; lane < vector_width; ++lane) acc.v[lane] = 0;
  u32 odd = 0;
  for (i32 pass = 0; pass < passes; ++pass) {
    const probe_range mine(tiles, pass, chunked != 0);
    for (i64 t = mine.first; t < mine.end; t += mine.step) {
      const vector* from = input.vectors + t * tile + thread;
      pack<u32, vector_width> loaded[loads];
      REDTUNE_UNROLL
      for (int i = 0; i < loads; ++i) loaded[i] = load_vector<Hint>(from + i * block_size);
      REDTUNE_UNROLL
      for (int i = 0; i < loads; ++i) acc = combine_packs<sum>(acc, loaded[i]);
    }
    if (block_index() != 0) continue;
    for (i64 i = tiles * tile + thread; i < input.vector_count; i += block_size) {
      acc = combine_packs<sum>(acc, load_vector<Hint>(input.vectors + i));
    }
    for (i32 i = thread; i < input.odd_count(); i += block_size) {
      odd += input.odd_element(i);
    }
  }
  REDTUNE_UNROLL
  for (int lane = 0; lane < vector_width; ++lane) odd += acc.v[lane];
  out[i64(block_index()) * block_size + thread] = odd;
}

/// Copies count words; in and out are the same number of bytes away from a vector's alignment.
template <int block_size, int loads, int vector_width, class Hint>
REDTUNE_KERNEL(block_size)
probe_copy(const u32* REDTUNE_RESTRICT in, i64 count, u32* REDTUNE_RESTRICT out, i32 chunked) {
  typedef vec<u32, vector_width> vector;
  constexpr i64 tile = i64(block_size) * loads;  // vectors of a tile
  const split_input<u32, vector_width> input(in, count);
  const i64 tiles = input.vector_count > 0 ? i64(u64(input.vector_count) / u64(tile)) : 0;
  const i32 thread = thread_index();
  vector* const vectors = reinterpret_cast<vector*>(out + input.head_count);

  const probe_range mine(tiles, 0, chunked != 0);
  for (i64 t = mine.first; t < mine.end; t += mine.step) {
    const i64 at = t * tile + thread;
    pack<u32, vector_width> loaded[loads];
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) {
      loaded[i] = load_vector<Hint>(input.vectors + at + i * block_size);
    }
    REDTUNE_UNROLL
    for (int i = 0; i < loads; ++i) store_vector<Hint>(vectors + at + i * block_size, loaded[i]);
  }
  if (block_index() != 0) return;
  for (i64 i = tiles * tile + thread; i < input.vector_count; i += block_size) {
    store_vector<Hint>(vectors + i, load_vector<Hint>(input.vectors + i));
  }
  for (i32 i = thread; i < input.odd_count(); i += block_size) {
    out[input.odd_index(i)] = input.odd_element(i);
  }
}

/// Nothing: what is left is the launch.
template <int block_size>
REDTUNE_KERNEL(block_size)
probe_empty() {}

}  // namespace redtune
