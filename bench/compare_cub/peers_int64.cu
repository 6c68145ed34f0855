// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_calls.cuh"

namespace redtune::compare {

TypeRow i64_row() {
  return type_row<std::int64_t, std::int64_t>("i64", "i64");
}

TypeRow u64_row() {
  return type_row<std::uint64_t, std::uint64_t>("u64", "u64");
}

}  // namespace redtune::compare
