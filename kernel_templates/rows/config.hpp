// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One choice of every tunable of the family 'reduce_rows'.
#pragma once

#include <compare>
#include <string_view>
#include <tuple>

#include "kernel_templates/family/field.hpp"
#include "kernel_templates/reduce/config.hpp"

namespace redtune::kernels {

/// The way from a row to its result: a group of threads folds it straight from memory; a block
/// stages rows in shared memory and folds them there; several blocks share a row, and end by
/// tickets or by slots.
enum class RowWay { groups, staged, tickets, slots };

[[nodiscard]] std::string_view to_string(RowWay way);

struct RowsConfig {
  RowWay way = RowWay::groups;
  int block_size = 256;      ///< threads per block
  int threads_per_row = 32;  ///< that fold a row, or a block's part of it
  int rows_per_thread = 1;   ///< rows that a group of threads has on their way at a time
  int loads_per_thread = 4;  ///< loads on their way for each row; of a stage, for each thread
  int vector_width = 4;      ///< elements per load instruction
  int blocks_per_row = 1;    ///< that share a row, where rows are few
  int blocks_per_unit = 0;   ///< blocks launched per compute unit; 0: one for each tile of rows
  Load load = Load::cached;
  Early early_start = Early::off;

  auto operator<=>(const RowsConfig&) const = default;

  static constexpr auto fields() {
    return std::tuple{
        field("way", &RowsConfig::way, RowWay::groups, RowWay::staged, RowWay::tickets,
              RowWay::slots),
        field("block_size", &RowsConfig::block_size, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024),
        field("threads_per_row", &RowsConfig::threads_per_row, 1, 2, 4, 8, 16, 32, 64, 128, 256,
              512, 1024),
        field("rows_per_thread", &RowsConfig::rows_per_thread, 1, 2, 4, 8),
        field("loads_per_thread", &RowsConfig::loads_per_thread, 1, 2, 4, 8),
        field("vector_width", &RowsConfig::vector_width, 1, 2, 4, 8, 16),
        field("blocks_per_row", &RowsConfig::blocks_per_row, 1, 2, 4, 8, 16, 32, 64, 128, 256),
        field("blocks_per_unit", &RowsConfig::blocks_per_unit, 0, 1, 2, 4, 8, 16, 32),
        field("load", &RowsConfig::load, Load::cached, Load::streaming),
        field("early_start", &RowsConfig::early_start, Early::off, Early::on),
    };
  }
};

}  // namespace redtune::kernels
