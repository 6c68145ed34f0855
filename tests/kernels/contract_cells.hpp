// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The problems that the contract is tried on: every operator on every type that it takes, and some
// of what a caller may choose.
#pragma once

#include <fmt/format.h>
#include <ostream>
#include <string>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::checks {

struct Cell {
  std::size_t number = 0;
  Problem problem;

  /// "sum_f32", "sum_f16_acc_f64", "sum_f32_any_order".
  [[nodiscard]] std::string name() const {
    const Problem usual = make_problem(problem.op, problem.in, problem.count);
    std::string text = fmt::format("{}_{}", to_string(problem.op), to_string(problem.in));
    if (problem.acc != usual.acc) text += fmt::format("_acc_{}", to_string(problem.acc));
    if (problem.out != make_problem(problem.op, problem.in, 0, {.acc = problem.acc}).out) {
      text += fmt::format("_out_{}", to_string(problem.out));
    }
    return problem.order == Order::any ? text + "_any_order" : text;
  }
  friend void PrintTo(const Cell& cell, std::ostream* out) { *out << cell.name(); }
};

/// count: the elements that configs are chosen for.
[[nodiscard]] inline std::vector<Cell> contract_cells(std::int64_t count) {
  std::vector<Cell> cells;
  const auto add = [&](Op op, DType in, const ProblemChoices& choices) {
    if (!why_not_taken(op, in).empty()) return;
    cells.push_back({cells.size(), make_problem(op, in, count, choices)});
  };
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& in : all_dtypes()) add(op.op, in.dtype, {});
  }
  for (const DTypeInfo& in : all_dtypes()) {
    const bool is_float = in.kind == DTypeKind::floating;
    if (in.dtype != DType::f64) add(Op::sum, in.dtype, {.acc = DType::f64});
    add(Op::sum, in.dtype, {.out = is_float ? DType::f16 : DType::i8});
    if (is_float) add(Op::sum, in.dtype, {.order = Order::any});
  }
  add(Op::mean, DType::bf16, {.out = DType::bf16});
  add(Op::l2_norm, DType::f32, {.acc = DType::f64, .out = DType::f32});
  add(Op::any, DType::f32, {.out = DType::u32});
  add(Op::sum_of_squares, DType::f16, {.order = Order::any});
  return cells;
}

/// Likewise, chosen for many tiles; every second for an input so large that other kernels read it,
/// of each operator other types.
[[nodiscard]] inline std::vector<Cell> cells_of_many_tiles() {
  std::vector<Cell> cells = contract_cells(std::int64_t{1} << 22);
  for (Cell& cell : cells) {
    const std::size_t turn = cell.number + static_cast<std::size_t>(cell.problem.op);
    if (turn % 2 == 1) cell.problem.count = std::int64_t{1} << 26;
  }
  return cells;
}

}  // namespace redtune::checks
