// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/type_table.cuh"

namespace redtune::compare {

const TypeRow* find_type(std::string_view name) {
  static const std::vector<TypeRow> rows{f32_row(), f64_row(), i32_row(), u32_row(), i64_row(),
                                         u64_row(), i8_row(),  u8_row(),  f16_row(), bf16_row()};
  for (const TypeRow& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const PeerRow* find_peers(const TypeRow& type, const Problem& problem) {
  for (const PeerRow& row : type.peers) {
    if (row.op == to_string(problem.op) && row.out == to_string(problem.out)) return &row;
  }
  return nullptr;
}

}  // namespace redtune::compare
