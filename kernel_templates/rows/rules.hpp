// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which configs of 'reduce_rows' can run on a device, which are worth trying for a problem, and
// what follows from a config alone.
#pragma once

#include <cstdint>
#include <string>

#include "kernel_templates/rows/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Bytes of shared memory that every device gives to a block without being asked for more.
inline constexpr std::int64_t most_stage_bytes = 48 * 1024;
/// Parts of rows of a launch, in all: what the workspace has room for.
inline constexpr std::int64_t most_row_parts = 4096;
/// Likewise where rows have as many parts whatever their number (Order::rows): of all that blocks
/// share, and of those that blocks at work at a time have alone.
inline constexpr std::int64_t most_kept_parts = std::int64_t{1} << 17;

[[nodiscard]] constexpr bool is_parted(RowWay way) {
  return way == RowWay::tickets || way == RowWay::slots;
}

/// 32-bit registers of a thread, roughly: what is loaded, what is folded, and where it stands.
[[nodiscard]] std::int64_t row_registers(const RowsConfig& config, const Problem& problem,
                                         const Limits& limits);

/// What reads a row with one load of each thread; fewer rows than compute units, and how many where
/// they are far fewer; all of it read by one load of each thread that fits on the device; rows that
/// begin, and end, within vectors.
[[nodiscard]] std::uint32_t row_regime(const Shape& shape, std::size_t element_bytes,
                                       const Limits& limits);

/// Bytes of the widest load of every GPU.
inline constexpr int widest_load = 16;
/// Whether rows begin, and end, within vectors of so many.
[[nodiscard]] bool are_cut_rows(const Shape& shape, std::size_t element_bytes);
/// Vectors that a row lies in, wherever it begins.
[[nodiscard]] std::int64_t row_vectors(const RowsConfig& config, const Shape& shape);
/// Whether rows have so many bytes that the last blocks to end do not matter. Of 1 GiB on an H200
/// they did not, of 256 MiB they did; where between was not looked for.
[[nodiscard]] bool are_many_rows(const Shape& shape, std::size_t element_bytes);
/// Rows that a block folds at a time, where it does not stage them.
[[nodiscard]] std::int64_t group_rows(const RowsConfig& config);
/// Elements in whose multiples stages begin where that costs little.
[[nodiscard]] std::int64_t row_line(std::size_t element_bytes);
/// Rows of this shape that a block stages at a time; 0: not one.
[[nodiscard]] std::int64_t staged_rows(const RowsConfig& config, const Shape& shape,
                                       std::size_t element_bytes);
/// Parts of a row of this shape, which are blocks' of their own or, of Order::rows, may be one's.
[[nodiscard]] std::int64_t parts_of_row(const RowsConfig& config, const Shape& shape, Order order);
/// Blocks that share a row.
[[nodiscard]] std::int64_t blocks_of_row(const RowsConfig& config, const Shape& shape, Order order);
/// Blocks of the launch.
[[nodiscard]] std::int64_t row_blocks(const RowsConfig& config, const Shape& shape,
                                      const Operation& operation, const Limits& limits);

/// Empty when a config can run on a device, whatever the shape; else why it cannot.
[[nodiscard]] std::string why_unbuildable(const RowsConfig& config, const Problem& problem,
                                          const Limits& limits);
/// Empty when it is worth trying, too, for the problem's shape. Of the first axes alone, and of
/// all.
[[nodiscard]] std::string why_group_outside_space(const RowsConfig& config, const Problem& problem,
                                                  const Limits& limits);
[[nodiscard]] std::string why_loads_outside_space(const RowsConfig& config, const Problem& problem,
                                                  const Limits& limits);
[[nodiscard]] std::string why_outside_space(const RowsConfig& config, const Problem& problem,
                                            const Limits& limits);
inline constexpr std::size_t group_axes = 3;  ///< up to threads_per_row
inline constexpr std::size_t load_axes = 6;   ///< up to vector_width

/// Upper bound on the additions that an element's value passes through.
[[nodiscard]] std::int64_t longest_chain(const RowsConfig& config, const Problem& problem,
                                         const Limits& limits);

}  // namespace redtune::kernels
