// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every built-in operator with every type that it takes, for tests that walk them.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "redtune/dtype.hpp"
#include "redtune/op.hpp"
#include "redtune/problem.hpp"
#include "tests/support/samples.hpp"

namespace redtune::checks {

using OperatorCell = std::tuple<Op, DType>;

[[nodiscard]] inline std::vector<OperatorCell> operator_cells() {
  std::vector<OperatorCell> cells;
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& type : all_dtypes()) {
      if (why_not_taken(op.op, type.dtype).empty()) cells.emplace_back(op.op, type.dtype);
    }
  }
  return cells;
}

[[nodiscard]] inline Axes axes_of(const OperatorCell& cell) {
  return {std::string(to_string(std::get<0>(cell))), std::string(to_string(std::get<1>(cell)))};
}

/// In which every operator and every type occurs.
[[nodiscard]] inline std::vector<OperatorCell> some_operator_cells() {
  return every_value(operator_cells(), [](const OperatorCell& cell) { return axes_of(cell); });
}

/// All others, for full runs.
[[nodiscard]] inline std::vector<OperatorCell> other_operator_cells() {
  return all_but(some_operator_cells(), operator_cells(),
                 [](const OperatorCell& cell) { return axes_of(cell); });
}

/// "sum_f32"; for INSTANTIATE_TEST_SUITE_P.
struct OperatorCellName {
  template <class Info>
  std::string operator()(const Info& test) const {
    return std::string(to_string(std::get<0>(test.param))) + "_" +
           std::string(to_string(std::get<1>(test.param)));
  }
};

}  // namespace redtune::checks
