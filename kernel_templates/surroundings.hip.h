// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What stands around a reduction in somebody's program: a small kernel, a producer of its input, a
// consumer of its result; and what empties caches before. They start and end as ordinary kernels
// do.
#pragma once

#include "device_code/prelude.hip.h"

namespace redtune {

/// A small kernel with memory of its own, one word for each thread.
template <int block_size>
REDTUNE_KERNEL(block_size)
touch(u32* words) {
  words[i64(block_index()) * block_size + thread_index()] += 1u;
}

/// Writes the whole words of an input anew, as an elementwise kernel does. key is 0, which no
/// compiler knows: they stay as they are.
template <int block_size>
REDTUNE_KERNEL(block_size)
renew(u32* input, i64 count, u32 key) {
  const i64 step = i64(grid_size()) * block_size;
  REDTUNE_ROLLED
  for (i64 i = i64(block_index()) * block_size + thread_index(); i < count; i += step) {
    input[i] ^= key;
  }
}

/// Reads words, as many at once as the device can. key is a value that no compiler knows.
template <int block_size>
REDTUNE_KERNEL(block_size)
sweep(const u32* words, i64 count, u32 key, u32* to) {
  const i64 step = i64(grid_size()) * block_size;
  u32 seen = key;
  REDTUNE_ROLLED
  for (i64 i = i64(block_index()) * block_size + thread_index(); i < count; i += step) {
    seen ^= words[i];
  }
  if (seen == ~key) *to = seen;
}

/// Reads the first word of a result in each thread.
template <int block_size>
REDTUNE_KERNEL(block_size)
consume(u32* words, const u32* result) {
  words[i64(block_index()) * block_size + thread_index()] += *result;
}

}  // namespace redtune
