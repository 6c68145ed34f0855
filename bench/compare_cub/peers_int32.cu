// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_calls.cuh"

namespace redtune::compare {

TypeRow i32_row() {
  return type_row<std::int32_t, std::int64_t>("i32", "i64");
}

TypeRow u32_row() {
  return type_row<std::uint32_t, std::uint64_t>("u32", "u64");
}

}  // namespace redtune::compare
