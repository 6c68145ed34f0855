// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce_segments' where the number of segments lies in the device's memory: what the
// host does not know is read, and the grid is for as many as it expects.
#pragma once

#include "reduce_segments.hip.h"

namespace redtune {

/// Blocks take tiles of neighbouring segments.
template <class Op, class In, class Acc, class Out, class Offset, class Staging, int block_size,
          int lanes, int segments, int loads, int vector_width, class Hint, int wave_size>
REDTUNE_TILE_KERNEL(block_size, true)
reduce_counted_segments(const In* REDTUNE_RESTRICT in, i64 count,
                        const Offset* REDTUNE_RESTRICT begins, const Offset* REDTUNE_RESTRICT ends,
                        const i64* segment_count, typename shaped<Op, Out>::result* out) {
  typedef segment_block<Staging, block_size, lanes, segments, loads, vector_width, Hint, wave_size>
      block;
  constexpr int tile = block::tile;
  wait_for_previous();
  const segment_array<In, Offset> of{in, count, begins, ends, *segment_count};
  const whole_segments<Op, typename shaped<Op, Out>::result> part{out};
  reduce_tiles<Op, Acc, block>(of, part, i64(block_index()) * tile, of.segments,
                               i64(grid_size()) * tile);
}

/// Of a thread, for what other kernels are told: the number of segments, and how long a share is.
constexpr int registers_of_count = 8;

/// Blocks take equal shares: as long as all blocks have one, but no shorter than one load of each
/// thread.
template <class Op, class In, class Acc, class Out, class Offset, class Cuts, class Staging,
          int block_size, int lanes, int segments, int loads, int vector_width, class Hint,
          int wave_size>
REDTUNE_KERNEL_OF_BLOCKS(block_size,
                         (blocks_of_share<Op, Acc, In, Offset,
                                          segment_block<Staging, block_size, lanes, segments, loads,
                                                        vector_width, Hint, wave_size>,
                                          registers_of_count>()))
reduce_counted_shares(const In* REDTUNE_RESTRICT in, i64 count,
                      const Offset* REDTUNE_RESTRICT begins, const Offset* REDTUNE_RESTRICT ends,
                      const i64* segment_count, typename shaped<Op, Out>::result* out,
                      typename shaped<Op, Acc>::type* partials, u64* words, u32* counter) {
  typedef segment_block<Staging, block_size, lanes, segments, loads, vector_width, Hint, wave_size>
      block;
  constexpr i64 least = i64(block_size) * vector_width;
  wait_for_previous();
  const segment_array<In, Offset> of{in, count, begins, ends, *segment_count, block::weight};
  const i64 equal = (count + of.weight * of.segments + grid_size() - 1) / grid_size();
  const i64 share_length = equal < least ? least : equal;
  reduce_own_share<Op, Acc, Cuts, block>(of, out, {partials, words, counter, share_length});
}

}  // namespace redtune
