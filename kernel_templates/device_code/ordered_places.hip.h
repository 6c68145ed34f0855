// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Places in an order that no timing decides, for what threads and blocks find some of: each counts
// its own, sums of the counts before are where it begins. Blocks do so in two launches: the block
// that comes last in the first one makes sums of all counts, and nobody waits for anybody.
#pragma once

#include "prelude.hip.h"

namespace redtune {

/// What the threads before one have together, and all threads of the block.
struct scanned {
  u64 before;
  u64 all;
};

/// All threads of a block call it. Each adds what is before it in its row of threads, and then the
/// rows before its own: two waits, and not one for each doubling.
template <int block_size>
REDTUNE_DEVICE scanned scan_block(u64 mine) {
  if constexpr (block_size == 1) {
    return {0, mine};
  } else {
    constexpr int row = block_size < 16 ? block_size : 16;
    constexpr int rows = block_size / row;
    REDTUNE_SHARED u64 of_threads[block_size];
    REDTUNE_SHARED u64 of_rows[rows];
    const i32 thread = thread_index();
    const i32 my_row = thread / row;
    of_threads[thread] = mine;
    block_barrier();
    scanned found{0, 0};
    REDTUNE_UNROLL
    for (int i = 0; i < row; ++i) {
      const i32 other = my_row * row + i;
      if (other < thread) found.before += of_threads[other];
    }
    if (thread % row == row - 1) of_rows[my_row] = found.before + mine;
    block_barrier();
    REDTUNE_UNROLL
    for (int i = 0; i < rows; ++i) {
      const u64 sum = of_rows[i];
      if (i < my_row) found.before += sum;
      found.all += sum;
    }
    block_barrier();  // before they are written again
    return found;
  }
}

/// The greatest number of a block; all of its threads call it, and all have the answer.
template <int block_size>
REDTUNE_DEVICE u64 greatest_of_block(u64 mine) {
  if constexpr (block_size == 1) {
    return mine;
  } else {
    REDTUNE_SHARED u64 greatest[block_size];
    const i32 thread = thread_index();
    greatest[thread] = mine;
    block_barrier();
    REDTUNE_ROLLED
    for (i32 half = block_size / 2; half > 0; half /= 2) {
      if (thread < half && greatest[thread] < greatest[thread + half]) {
        greatest[thread] = greatest[thread + half];
      }
      block_barrier();
    }
    const u64 found = greatest[0];
    block_barrier();
    return found;
  }
}

/// Puts in the place of each count the sum of those before, and tells that of all. One block.
template <int block_size>
REDTUNE_DEVICE u64 scan_counts(u64* counts, i32 many) {
  u64 before = 0;
  REDTUNE_ROLLED
  for (i32 first = 0; first < many; first += block_size) {
    const i32 at = first + thread_index();
    const scanned here = scan_block<block_size>(at < many ? counts[at] : u64(0));
    if (at < many) counts[at] = before + here.before;
    before += here.all;
  }
  return before;
}

/// Whether all other blocks have come here before: what they wrote is there to be read. All threads
/// have the same answer.
REDTUNE_DEVICE bool is_last_block(u32* counter) {
  REDTUNE_SHARED bool is_last;
  block_barrier();  // all that this block wrote is written
  if (thread_index() == 0) {
    const u32 blocks = u32(grid_size());
    is_last = take_ticket<full_fence>(counter, blocks) == blocks - 1;
  }
  block_barrier();
  return is_last;
}

/// Neighbours that a block has of so many things: as many as any other, but for the last blocks.
struct block_run {
  i64 first;
  i64 end;
};
REDTUNE_DEVICE block_run run_of_block(i64 many) {
  const i64 length = (many + grid_size() - 1) / grid_size();
  const i64 first = block_index() * length;
  return {first < many ? first : many, first + length < many ? first + length : many};
}

}  // namespace redtune
