// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Cells of one run beside each other: types at equal bytes, and what an offset costs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/compare/findings.hpp"
#include "bench/compare/report.hpp"

namespace redtune::compare {

/// Bytes of a cell's input.
[[nodiscard]] std::int64_t bytes_of(const Cell& cell);

/// How fast the elements and results of a cell move, in 10^9 bytes per second; 0 without the
/// contestant.
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

/// "sum  f32  2^20 +1": operator, type, shape and, where there is one, the offset.
[[nodiscard]] std::string name_of(const Cell& cell, const Findings& findings);
/// The heading above such names.
[[nodiscard]] std::string name_heading(const Findings& findings);

/// Both as tables for people; nothing where there is nothing. For runs with --bytes:
[[nodiscard]] std::string equal_bytes_of(const Findings& findings, Mode mode);

[[nodiscard]] std::string offset_costs_of(const Findings& findings, Mode mode);

}  // namespace redtune::compare
