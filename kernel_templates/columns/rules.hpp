// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which configs of 'reduce_columns' can run on a device, which are worth trying for a problem, and
// what follows from a config alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel_templates/columns/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Bytes of shared memory that every device gives to a block without being asked for more: of the
/// values by which its threads meet.
inline constexpr std::int64_t most_column_bytes = 48 * 1024;
/// What a config takes of it.
[[nodiscard]] std::int64_t shared_bytes_of_columns(const ColumnsConfig& config,
                                                   const Problem& problem);

/// Empty when a config can run on a device, whatever the shape; else why it cannot.
[[nodiscard]] std::string why_unbuildable(const ColumnsConfig& config, const Problem& problem,
                                          const Limits& limits);
/// Empty when it is worth trying, too, for the problem's shape. Of the first axes alone, and of
/// all.
[[nodiscard]] std::string why_block_outside_space(const ColumnsConfig& config,
                                                  const Problem& problem, const Limits& limits);
[[nodiscard]] std::string why_tile_outside_space(const ColumnsConfig& config,
                                                 const Problem& problem, const Limits& limits);
[[nodiscard]] std::string why_outside_space(const ColumnsConfig& config, const Problem& problem,
                                            const Limits& limits);
inline constexpr std::size_t column_block_axes = 3;  ///< up to threads_across
inline constexpr std::size_t column_tile_axes = 6;   ///< up to vector_width

/// Slots hold what a result has come to, but not for every type.
[[nodiscard]] bool can_use_slots(const Problem& problem);
inline constexpr int most_blocks_per_column = 256;

/// Upper bound on the additions that an element's value passes through.
[[nodiscard]] std::int64_t longest_chain(const ColumnsConfig& config, const Shape& shape,
                                         Order order);

}  // namespace redtune::kernels
