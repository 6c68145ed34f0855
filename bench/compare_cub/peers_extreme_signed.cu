// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_rows.cuh"
#include "bench/compare_cub/peers_extreme.cuh"

namespace redtune::compare {

PeerRows signed_extreme_rows() {
  return extreme_rows<std::int8_t, std::int16_t, std::int32_t, std::int64_t>();
}

}  // namespace redtune::compare
