// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every problem that there is: operators, types, and accumulators and outputs of choice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "redtune/error.hpp"
#include "redtune/problem.hpp"
#include "tests/kernels/operator_cells.hpp"

namespace redtune::tuner {

/// Every operator with every type it takes, with the accumulator and output that follow from them.
[[nodiscard]] inline std::vector<Problem> all_pairs(std::int64_t count) {
  std::vector<Problem> problems;
  for (const auto& [op, in] : checks::operator_cells()) {
    problems.push_back(make_problem(op, in, count));
  }
  return problems;
}

/// The same with every accumulator and output that may be chosen.
[[nodiscard]] inline std::vector<Problem> all_problems(std::int64_t count) {
  std::vector<Problem> problems;
  for (const Problem& pair : all_pairs(count)) {
    for (const DTypeInfo& acc : all_dtypes()) {
      for (const DTypeInfo& out : all_dtypes()) {
        try {
          problems.push_back(make_problem(pair.op, pair.in, count,
                                          ProblemChoices{.acc = acc.dtype, .out = out.dtype}));
        } catch (const UsageError&) {
          continue;  // tests/vocabulary knows what may be chosen
        }
      }
    }
  }
  return problems;
}

}  // namespace redtune::tuner
