// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_rows.cuh"
#include "bench/compare_cub/peers_extreme.cuh"

namespace redtune::compare {

PeerRows float_extreme_rows() {
  return extreme_rows<float, double, __half, __nv_bfloat16>();
}

}  // namespace redtune::compare
