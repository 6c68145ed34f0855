// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How the columns of a shape are dealt to blocks and threads: what the kernels of 'reduce_columns'
// are told at each launch.
#pragma once

#include <cstdint>

#include "kernel_templates/columns/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Values that blocks hand over in a launch, in all, and how many blocks do: what the workspace has
/// room for.
inline constexpr std::int64_t most_column_values = std::int64_t{1} << 18;
inline constexpr std::int64_t most_column_parts = std::int64_t{1} << 13;

[[nodiscard]] constexpr bool is_parted(ColumnWay way) {
  return way != ColumnWay::tiles;
}

/// See column_tiling in reduce_columns.hip.h.
struct ColumnTiling {
  std::int64_t tiles = 0;   ///< of a slice
  std::int64_t across = 1;  ///< threads beside each other
  std::int64_t merged = 0;  ///< lines that are read as one; 0: none are
  std::int64_t down = 1;    ///< threads below each other

  std::int64_t slices = 1;   ///< that a block folds at a time
  std::int64_t period = 1;   ///< lines after which vectors are aligned alike
  std::int64_t lines = 0;    ///< of a slice, or merged ones; at most
  std::int64_t values = 1;   ///< of a block, when its threads have met
  bool keeps_parts = false;  ///< columns have as many parts whatever their number
};

/// Of Order::rows threads stand alike for every number of columns.
[[nodiscard]] ColumnTiling tiling_of(const ColumnsConfig& config, const Shape& shape, Order order);

/// Parts of a column of this shape, which are blocks' of their own or, of Order::rows, may be
/// one's.
[[nodiscard]] std::int64_t parts_of_column(const ColumnsConfig& config, const Shape& shape,
                                           const ColumnTiling& tiling);
/// Blocks that share a column.
[[nodiscard]] std::int64_t blocks_of_column(const ColumnsConfig& config, const Shape& shape,
                                            const ColumnTiling& tiling);
/// Values of columns that a block has, of which it has all parts alone.
[[nodiscard]] std::int64_t sums_of_block(const ColumnsConfig& config, const ColumnTiling& tiling);
/// Blocks of the launch.
[[nodiscard]] std::int64_t column_blocks(const ColumnsConfig& config, const Shape& shape,
                                         const ColumnTiling& tiling, const Limits& limits);
/// Tiles of all slices, each of which a block has at a time, or several share.
[[nodiscard]] std::int64_t column_groups(const Shape& shape, const ColumnTiling& tiling);

}  // namespace redtune::kernels
