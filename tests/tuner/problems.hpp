// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every problem that there is: operators, types, and accumulators and outputs of choice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "redtune/error.hpp"
#include "redtune/problem.hpp"

namespace redtune::tuner {

/// Every operator with every type it takes, with the accumulator and output that follow from them.
[[nodiscard]] inline std::vector<Problem> all_pairs(std::int64_t count) {
  std::vector<Problem> problems;
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& in : all_dtypes()) {
      if (why_not_taken(op.op, in.dtype).empty()) {
        problems.push_back(make_problem(op.op, in.dtype, count));
      }
    }
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
