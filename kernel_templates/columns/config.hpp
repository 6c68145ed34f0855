// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One choice of every tunable of the family 'reduce_columns'.
#pragma once

#include <compare>
#include <string_view>
#include <tuple>

#include "kernel_templates/family/field.hpp"
#include "kernel_templates/reduce/config.hpp"

namespace redtune::kernels {

/// The way from columns to their results: a block folds a tile of columns alone; several blocks
/// share a tile, each with a part of its lines, and end by tickets or by slots.
enum class ColumnWay { tiles, tickets, slots };

[[nodiscard]] std::string_view to_string(ColumnWay way);

struct ColumnsConfig {
  ColumnWay way = ColumnWay::tiles;
  int block_size = 256;        ///< threads per block
  int threads_across = 32;     ///< that stand beside each other at most; the others below
  int vectors_per_thread = 1;  ///< of columns, in each line
  int loads_per_thread = 4;    ///< loads on their way down each vector of columns
  int vector_width = 4;        ///< elements per load instruction
  int blocks_per_column = 1;   ///< that share a column, where columns are few
  int blocks_per_unit = 0;     ///< blocks launched per compute unit; 0: one for each tile
  Load load = Load::cached;
  Early early_start = Early::off;

  auto operator<=>(const ColumnsConfig&) const = default;

  static constexpr auto fields() {
    return std::tuple{
        field("way", &ColumnsConfig::way, ColumnWay::tiles, ColumnWay::tickets, ColumnWay::slots),
        field("block_size", &ColumnsConfig::block_size, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512,
              1024),
        field("threads_across", &ColumnsConfig::threads_across, 1, 2, 4, 8, 16, 32, 64, 128, 256,
              512, 1024),
        field("vectors_per_thread", &ColumnsConfig::vectors_per_thread, 1, 2, 4, 8),
        field("loads_per_thread", &ColumnsConfig::loads_per_thread, 1, 2, 4, 8, 16),
        field("vector_width", &ColumnsConfig::vector_width, 1, 2, 4, 8, 16),
        field("blocks_per_column", &ColumnsConfig::blocks_per_column, 1, 2, 4, 8, 16, 32, 64, 128,
              256),
        field("blocks_per_unit", &ColumnsConfig::blocks_per_unit, 0, 1, 2, 4, 8, 16),
        field("load", &ColumnsConfig::load, Load::cached, Load::streaming),
        field("early_start", &ColumnsConfig::early_start, Early::off, Early::on),
    };
  }
};

}  // namespace redtune::kernels
