// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Cells of one run beside each other: types at equal bytes, and what an offset costs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/compare/findings.hpp"

namespace redtune::compare {

/// Bytes of a cell's input.
[[nodiscard]] std::int64_t bytes_of(const Cell& cell);

/// How fast the input of a cell is read, in 10^9 bytes per second; 0 without the contestant.
struct ByteRate {
  const Cell* cell = nullptr;
  double redtune = 0;
  double library = 0;
  double narrow = 0;
  std::optional<double> of_f32 = {};  ///< redtune's rate / that of f32 with the same operator,
                                      ///< bytes and offset
};

/// Every cell with times in the mode, by operator, bytes and offset; types in the cells' order.
[[nodiscard]] std::vector<ByteRate> byte_rates(std::span<const Cell> cells, Mode mode);

/// Median time with an offset / that without it: 1.02 is 2 % slower.
struct OffsetCost {
  const Cell* cell = nullptr;
  double redtune = 0;
  std::optional<double> library = {};
};

/// Of each cell with an offset that has its like without one.
[[nodiscard]] std::vector<OffsetCost> offset_costs(std::span<const Cell> cells, Mode mode);

}  // namespace redtune::compare
