// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_calls.cuh"

namespace redtune::compare {

TypeRow i8_row() {
  return type_row<std::int8_t, std::int64_t>("i8", "i64");
}

TypeRow u8_row() {
  return type_row<std::uint8_t, std::uint64_t>("u8", "u64");
}

}  // namespace redtune::compare
