// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How the elements of an input fall into tiles: an unaligned head, whole vectors dealt to the
// blocks tile by tile, and a rest shorter than a vector.
#pragma once

#include "types.hip.h"

namespace redtune {

template <int power_of_two>
struct log2_of {
  static constexpr int value = 1 + log2_of<power_of_two / 2>::value;
};
template <>
struct log2_of<1> {
  static constexpr int value = 0;
};

/// Bytes that memory is read in at least; vectors begin at multiples of it, so that the loads of a
/// wave do not touch one line more than they need.
constexpr int line_bytes = 128;

/// An input seen as head + vectors + rest. The head goes up to the first line.
template <class In, int vector_width>
struct split_input {
  typedef vec<In, vector_width> vector;
  static constexpr u32 line = line_bytes / sizeof(In);  ///< elements

  const In* elements;
  i64 count;
  i32 head_count;  ///< may be more than count
  const vector* vectors;
  i64 vector_count;  ///< none when not positive

  REDTUNE_DEVICE split_input(const In* in, i64 input_count) : elements(in), count(input_count) {
    head_count = i32((0u - u32(reinterpret_cast<u64>(in) / sizeof(In))) % line);
    vectors = reinterpret_cast<const vector*>(in + head_count);
    vector_count = (count - head_count) >> log2_of<vector_width>::value;
  }

  /// Whether there may be elements in head or rest.
  REDTUNE_DEVICE bool has_odd() const {
    return head_count != 0 || u32(count) % u32(vector_width) != 0;
  }
  /// Elements of head and rest.
  REDTUNE_DEVICE i32 odd_count() const { return i32(count - elements_in_vectors()); }
  /// Element i of head and rest taken together, and where it stands in the input.
  REDTUNE_DEVICE In odd_element(i32 i) const { return elements[odd_index(i)]; }
  REDTUNE_DEVICE i64 odd_index(i32 i) const {
    return i < head_count ? i64(i) : i + elements_in_vectors();
  }

 private:
  REDTUNE_DEVICE i64 elements_in_vectors() const {
    return vector_count > 0 ? vector_count * vector_width : 0;
  }
};

/// The tiles of one block, in vectors: from first, every step-th vector begins one, before end.
/// Backwards the step is negative, all tiles are whole, and the last one begins at 0 or above; the
/// shorter tile at the end of the input then belongs to the last block as well.
struct tile_range {
  i64 first;
  i64 end;
  i64 step;
  /// Whether head and rest of the input are this block's, too. The last block's, because a grid of
  /// one tile for each block leaves it the least.
  bool takes_odd;
  /// Whether no block has more than one tile; the same for all.
  bool one_each;

  /// run 0 deals tiles round-robin to the blocks, from the last one backwards if that is asked for;
  /// else each block takes run tiles in a row.
  REDTUNE_DEVICE tile_range(i64 vector_count, i32 tile, i64 run, bool backwards) {
    first = i64(block_index()) * tile;
    step = i64(grid_size()) * tile;
    end = vector_count;
    takes_odd = block_index() == grid_size() - 1;
    one_each = run <= 1 && vector_count <= step;
    if (run != 0) {
      first *= run;
      step = tile;
      end = first + run * tile < vector_count ? first + run * tile : vector_count;
    } else if (backwards) {
      first = end_of_whole(tile) - tile - first;
      step = -step;
    }
  }
  /// All tiles, for a grid of one block.
  REDTUNE_DEVICE tile_range(i64 vector_count, i32 tile)
      : first(0), end(vector_count), step(tile), takes_odd(true), one_each(vector_count <= tile) {}

  /// Where the shorter tile begins; end or more if it is not this block's. `at`: where the step
  /// from the block's last whole tile leads.
  REDTUNE_DEVICE i64 rest(i64 at, i32 tile) const {
    if (step > 0) return at;
    return takes_odd && end > 0 ? end_of_whole(tile) : end;
  }
  /// Where the only tile of the block begins; negative, or end or more, if it has none.
  REDTUNE_DEVICE i64 only(i32 tile) const {
    const i64 shorter = rest(first, tile);
    return shorter < end ? shorter : first;
  }

 private:
  /// A tile is a power of two.
  REDTUNE_DEVICE i64 end_of_whole(i32 tile) const { return end & -i64(tile); }
};

}  // namespace redtune
