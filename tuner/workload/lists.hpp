// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The lists and ranges in which people write problems: operators, types, counts, arrays and rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "redtune/dtype.hpp"
#include "redtune/op.hpp"
#include "redtune/problem.hpp"

namespace redtune::tuner {

/// Of a workload. More are a slip of the pen: they would take days.
inline constexpr std::size_t most_problems = 10'000;

/// Throws UsageError for more than that.
void require_few_problems(std::size_t count);

/// Behind the others, if it is not among them. Throws UsageError for more than most_problems.
template <class Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::ranges::find(values, value) != values.end()) return;
  values.push_back(value);
  require_few_problems(values.size());
}

// Lists with commas, what stands in them twice once. They throw UsageError for an empty entry, and
// as parse_op(), parse_dtype() and parse_count() do.
[[nodiscard]] std::vector<Op> parse_ops(std::string_view text);
[[nodiscard]] std::vector<DType> parse_dtypes(std::string_view text);
/// An entry may be a range, too: "2^8..2^30" are counts of which each is twice the one before,
/// "2^8..2^30:4" four times. A range begins at 1 or more and ends at its last count or before it.
[[nodiscard]] std::vector<std::int64_t> parse_counts(std::string_view text);

/// Counts as they stand there: no range, and what is there twice twice.
[[nodiscard]] std::vector<std::int64_t> parse_numbers(std::string_view text);

using Extents = std::vector<std::int64_t>;

/// Arrays: "4096x1024,2^10..2^20:4x64". An extent may be a range, as of counts; of several in one
/// array each is taken with each.
[[nodiscard]] std::vector<Extents> parse_arrays(std::string_view text);

/// How arrays are reduced: what reduce_axes() takes beside extents.
struct ArrayAxes {
  std::vector<std::int64_t> strides = {};
  std::vector<std::int64_t> axes = {};
};

/// What reduce_axes() makes of each array, each shape once. Throws UsageError.
[[nodiscard]] std::vector<Shape> shapes_of_arrays(std::span<const Extents> arrays,
                                                  const ArrayAxes& how);

/// Elements of all rows of a length, where nobody says how many.
inline constexpr std::int64_t usual_total = std::int64_t{1} << 28;

/// Rows of each length, as many as a total of elements has room for. Throws UsageError for rows of
/// nothing, and for a row of more than the total.
[[nodiscard]] std::vector<Shape> rows_of_total(std::span<const std::int64_t> lengths,
                                               std::int64_t total);

/// What is said of segments beside how many there are.
struct SegmentKind {
  std::int64_t offset_bits = 32;
  Skew skew = Skew::uniform;
};

/// So many segments of each count of elements, each with each.
[[nodiscard]] std::vector<Shape> segments_of_counts(std::span<const std::int64_t> counts,
                                                    std::span<const std::int64_t> segments,
                                                    const SegmentKind& kind);

}  // namespace redtune::tuner
