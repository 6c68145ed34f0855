// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_rows.cuh"
#include "bench/compare_cub/peers_extreme.cuh"

namespace redtune::compare {

PeerRows unsigned_extreme_rows() {
  return extreme_rows<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
}

}  // namespace redtune::compare
