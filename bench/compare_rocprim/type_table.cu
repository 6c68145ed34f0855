// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/type_table.cuh"
#include "bench/compare_rocprim/peer_rows.cuh"

namespace redtune::compare {
namespace {

PeerRows all_rows() {
  PeerRows all;
  for (const auto rows : {sum_rows, min_rows, max_rows}) {
    for (const PeerRow& row : rows()) all.push_back(row);
  }
  return all;
}

}  // namespace

const PeerRow* find_peers(const Problem& problem) {
  static const PeerRows rows = all_rows();
  for (const PeerRow& row : rows) {
    if (row.op == to_string(problem.op) && row.in == to_string(problem.in) &&
        row.out == to_string(problem.out)) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace redtune::compare
