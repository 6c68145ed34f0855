// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_rows.cuh"
#include "bench/compare_cub/peers_sum.cuh"

namespace redtune::compare {

PeerRows float_sum_rows() {
  return {sum_row<float>(), sum_row<double>(), sum_row<__half>(), sum_row<__nv_bfloat16>()};
}

}  // namespace redtune::compare
