// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a comparison comes to in a few numbers. Ratios are the library's time / redtune's: above 1
// redtune is faster.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bench/compare/findings.hpp"

namespace redtune::compare {

/// redtune's time is longer than the library's by more than this share.
inline constexpr double clearly_slower = 0.02;

/// Elements in all at which a launch costs more than the reduction: the streams' own summary.
inline constexpr std::int64_t middle_from = 1 << 13;
inline constexpr std::int64_t middle_to = 1 << 19;

/// Lengths at which offsets are hardly any of the traffic, so that segments of one length should be
/// as fast as rows; and how far behind is too far.
inline constexpr std::int64_t rows_from = 64;
inline constexpr double behind_rows_by = 0.05;

/// And at which nothing but memory matters.
inline constexpr std::int64_t bandwidth_from = std::int64_t{1} << 30;

/// Null where there are none, or a result is wrong.
[[nodiscard]] const ModeTimes* times_of(const Cell& cell, Mode mode);

/// The peer's time / redtune's; nothing where one of them is missing or a result is wrong.
[[nodiscard]] std::optional<Interval> ratio_of(const Cell& cell, Mode mode, Peer peer);
/// Likewise of redtune with rows of the same elements.
[[nodiscard]] std::optional<Interval> ratio_to_rows(const Cell& cell, Mode mode);
/// Likewise of the library's faster call, where there are two.
[[nodiscard]] std::optional<Interval> ratio_of(const Cell& cell, Mode mode);

/// Bytes of all elements, offsets and results.
[[nodiscard]] double moved_bytes(const Problem& problem);
/// Of a cell, where there may be keys instead of offsets, and keys of groups beside results.
[[nodiscard]] double moved_bytes(const Cell& cell);
/// They in 10^9 per second at this time.
[[nodiscard]] double gigabytes_per_second(const Cell& cell, double us);

struct Bandwidth {
  const Cell* cell = nullptr;
  double redtune = 0;  ///< 10^12 bytes per second
  double library = 0;  ///< 0 without it
};

struct Summary {
  Mode mode = Mode::between;
  std::vector<double> ratios;         ///< of every cell that has one
  std::vector<double> fixed_ratios;   ///< likewise, of its call for segments of one size
  std::vector<double> narrow_ratios;  ///< and of the library with a narrow accumulator
  std::vector<double> rows_ratios;    ///< of rows of as many elements, from rows_from on
  std::size_t behind_rows = 0;        ///< of these more than behind_rows_by slower
  std::vector<double> middle_ratios;  ///< from 2^13 to 2^19 elements
  const Cell* worst = nullptr;        ///< where the ratio is smallest
  double smallest = 0;
  std::size_t slower = 0;             ///< cells in which redtune is clearly slower
  std::vector<Bandwidth> bandwidths;  ///< of f32, from 2^30
};

[[nodiscard]] Summary summarize(std::span<const Cell> cells, Mode mode);

}  // namespace redtune::compare
