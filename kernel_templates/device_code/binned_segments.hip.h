// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Segments in bins, by who folds them: a thread, part of a wave, a wave, a block, or several blocks
// in pieces. How a plan in memory tells of them.
#pragma once

#include "segment_array.hip.h"

namespace redtune {

constexpr int segment_bins = 5;

/// What a plan begins with. Behind it, table_bytes from its beginning, is the list of segments, bin
/// by bin, each in order; behind that, for each segment of several blocks, the number of its first
/// piece among all pieces.
struct bin_table {
  i64 begins[segment_bins + 1];  ///< the first place of each bin in the list, and the end
  i64 pieces;                    ///< of all segments of several blocks
  i64 piece;                     ///< elements of one, but for the last of a segment
};
constexpr i64 table_bytes = 256;
static_assert(sizeof(bin_table) <= table_bytes, "the list lies behind it");

/// Numbers of segments have 32 bits: there are fewer.
REDTUNE_DEVICE const u32* list_of(const bin_table* table) {
  return reinterpret_cast<const u32*>(reinterpret_cast<u64>(table) + table_bytes);
}
REDTUNE_DEVICE const i64* first_pieces_of(const bin_table* table, i64 segments) {
  return reinterpret_cast<const i64*>(reinterpret_cast<u64>(table) + table_bytes +
                                      u64(segments + 1) / 2 * 8);
}

/// Elements of a segment up to which it is one of each bin, but for the last.
struct bin_limits {
  i64 most[segment_bins - 1];

  REDTUNE_DEVICE int bin_of(i64 length) const {
    int bin = 0;
    REDTUNE_UNROLL
    for (int i = 0; i < segment_bins - 1; ++i) bin += length > most[i] ? 1 : 0;
    return bin;
  }
  /// A piece is what a block folds alone at most.
  REDTUNE_DEVICE i64 piece() const { return most[segment_bins - 2]; }
  REDTUNE_DEVICE i64 pieces_of(i64 length) const { return (length - 1) / piece() + 1; }
};

}  // namespace redtune
