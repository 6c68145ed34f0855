// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_rows.cuh"
#include "bench/compare_cub/peers_sum.cuh"

namespace redtune::compare {

PeerRows integer_sum_rows() {
  return {sum_row<std::int8_t>(),   sum_row<std::int16_t>(), sum_row<std::int32_t>(),
          sum_row<std::int64_t>(),  sum_row<std::uint8_t>(), sum_row<std::uint16_t>(),
          sum_row<std::uint32_t>(), sum_row<std::uint64_t>()};
}

}  // namespace redtune::compare
