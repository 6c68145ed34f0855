// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is to be tuned in one run: problems, each with a budget.
#pragma once

#include <cstdint>
#include <string>
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
/// an error. Throws UsageError for that, for inputs of more bytes than an index reaches and for
/// more than most_problems.
[[nodiscard]] ListedProblems problems_of(const ProblemLists& lists);

}  // namespace redtune::tuner
