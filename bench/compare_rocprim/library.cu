// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the library has: its version, and a call for each problem.
#include <rocprim/rocprim_version.hpp>

#include "bench/compare/contest.hpp"
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

// HIP_VERSION of hip_version.h: major * 10^7 + minor * 10^5 + patch.
std::string version_text(int number) {
  return std::to_string(number / 10'000'000) + "." + std::to_string(number / 100'000 % 100) + "." +
         std::to_string(number % 100'000);
}

std::string library_version() {
  return std::to_string(ROCPRIM_VERSION_MAJOR) + "." + std::to_string(ROCPRIM_VERSION_MINOR) + "." +
         std::to_string(ROCPRIM_VERSION_PATCH);
}

std::string compiler_version() {
  return "clang " __clang_version__;
}

}  // namespace redtune::compare
