// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is to be tuned in one run: problems, each with a budget, and the lists and ranges in which
// people write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::tuner {

struct WorkloadItem {
  Problem problem;
  std::string budget = {};  ///< empty: the run's

  bool operator==(const WorkloadItem&) const = default;
};

struct Workload {
  std::string name;                 ///< for people
  std::vector<WorkloadItem> items;  ///< no problem twice
  /// Operators and types that do not go together: part of a line; empty: none.
  std::string left_out = {};
};

// Lists with commas, what stands in them twice once. They throw UsageError for an empty entry, and
// as parse_op(), parse_dtype() and parse_count() do.
[[nodiscard]] std::vector<Op> parse_ops(std::string_view text);
[[nodiscard]] std::vector<DType> parse_dtypes(std::string_view text);
/// An entry may be a range, too: "2^8..2^30" are counts of which each is twice the one before,
/// "2^8..2^30:4" four times. A range begins at 1 or more and ends at its last count or before it.
[[nodiscard]] std::vector<std::int64_t> parse_counts(std::string_view text);

/// Of a workload. More are a slip of the pen: they would take days.
inline constexpr std::size_t most_problems = 10'000;

/// Throws UsageError for more than that.
void require_few_problems(std::size_t count);

using Operator = std::variant<Op, CustomOp>;

/// Every operator with elements of every type, of every count and shape, as chosen.
struct ProblemLists {
  std::vector<Operator> ops;
  std::vector<DType> types;
  std::vector<std::int64_t> counts;
  ProblemChoices choices = {};
  std::vector<Shape> shapes = {};  ///< beside those of the counts
};

/// What lists come to.
struct ListedProblems {
  std::vector<Problem> problems;
  std::string left_out;  ///< as of a Workload
};

/// Operators and types that do not go together are left out; where nothing else is named, they are
/// an error. Throws UsageError for that, for counts of more bytes than an index reaches and for
/// more than most_problems.
[[nodiscard]] ListedProblems problems_of(const ProblemLists& lists);

}  // namespace redtune::tuner
