// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From a count to the grid of the launch that reads the input: the rule as data, and the arithmetic
// that is part of every launch.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>

namespace redtune::kernels {

/// Whether blocks take runs of tiles.
enum class Runs { none, of_tiles };

/// How Planner::plan() finds the grid of the launch that reads the input, as data: for whoever
/// launches the kernels without this library. With whole divisions,
///   tiles   = ceil(count / tile)
///   largest = blocks_per_unit == 0 ? most_blocks
///                                  : clamp(blocks_per_unit * compute units, 1, most_blocks)
///   grid    = tiles <= largest ? max(1, tiles) : ceil(tiles / ceil(tiles / largest)),
///             rounded up to a multiple of multiple_of
///   run     = runs == of_tiles ? ceil(tiles / grid) : 0
struct GridRule {
  std::int64_t tile = 1;         ///< elements; a power of two
  int blocks_per_unit = 0;       ///< 0: a block for each tile
  std::int64_t most_blocks = 1;  ///< of any grid
  int multiple_of = 1;           ///< blocks of a cluster; a power of two
  Runs runs = Runs::none;
};

struct Grid {
  std::int64_t blocks = 1;
  std::int64_t run = 0;  ///< tiles each block takes in a row; 0: dealt round-robin
};

/// A rule on a device: gives the grid of any count, in a few nanoseconds.
class Grids {
 public:
  Grids(const GridRule& rule, int compute_units)
      : tile_log2_(std::countr_zero(static_cast<std::uint64_t>(rule.tile))),
        multiple_of_(rule.multiple_of),
        runs_(rule.runs),
        largest_(rule.blocks_per_unit == 0
                     ? rule.most_blocks
                     : std::clamp(std::int64_t{rule.blocks_per_unit} * compute_units,
                                  std::int64_t{1}, rule.most_blocks)) {
    assert(std::has_single_bit(static_cast<std::uint64_t>(rule.tile)));
    assert(std::has_single_bit(static_cast<unsigned>(rule.multiple_of)));
  }

  /// count >= 0.
  [[nodiscard]] Grid of(std::int64_t count) const noexcept {
    const std::int64_t tiles = ((count - 1) >> tile_log2_) + 1;  // 0 for 0 elements
    if (tiles <= largest_) return {in_clusters(std::max<std::int64_t>(1, tiles)), few(tiles)};
    // As few blocks as have no more tiles each than the largest grid's: the last block to end has
    // the same to do, and there are fewer partials.
    const std::int64_t blocks = in_clusters(divided_up(tiles, divided_up(tiles, largest_)));
    return {blocks, runs_ == Runs::of_tiles ? divided_up(tiles, blocks) : 0};
  }

 private:
  /// The run where every tile has a block of its own.
  [[nodiscard]] std::int64_t few(std::int64_t tiles) const noexcept {
    return runs_ == Runs::of_tiles && tiles > 0 ? 1 : 0;
  }
  /// So many blocks and the few more that make whole clusters.
  [[nodiscard]] std::int64_t in_clusters(std::int64_t blocks) const noexcept {
    return (blocks + multiple_of_ - 1) & -std::int64_t{multiple_of_};
  }
  /// a > 0, b > 0.
  [[nodiscard]] static std::int64_t divided_up(std::int64_t a, std::int64_t b) noexcept {
    return (a - 1) / b + 1;
  }

  int tile_log2_;
  int multiple_of_;
  Runs runs_;
  std::int64_t largest_;  // blocks, however many tiles there are
};

}  // namespace redtune::kernels
