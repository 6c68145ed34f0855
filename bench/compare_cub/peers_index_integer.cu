// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_rows.cuh"
#include "bench/compare_cub/peers_index.cuh"

namespace redtune::compare {

PeerRows integer_index_rows() {
  return index_rows<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                    std::uint16_t, std::uint32_t, std::uint64_t>();
}

}  // namespace redtune::compare
