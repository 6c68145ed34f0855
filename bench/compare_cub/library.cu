// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the library has: its version, and a call for each problem.
#include <cub/version.cuh>

#include "bench/compare/contest.hpp"
#include "bench/compare_cub/peer_rows.cuh"

namespace redtune::compare {
namespace {

PeerRows all_rows() {
  PeerRows all;
  for (const auto rows : {float_sum_rows, integer_sum_rows, float_extreme_rows, signed_extreme_rows,
                          unsigned_extreme_rows, float_index_rows, integer_index_rows, product_rows,
                          square_rows, nonzero_rows, magnitude_rows}) {
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

std::string version_text(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string library_version() {
  return std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
         std::to_string(CUB_SUBMINOR_VERSION);
}

std::string compiler_version() {
  return "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." +
         std::to_string(__CUDACC_VER_MINOR__) + "." + std::to_string(__CUDACC_VER_BUILD__);
}

}  // namespace redtune::compare
