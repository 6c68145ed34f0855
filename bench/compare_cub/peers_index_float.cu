// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_rows.cuh"
#include "bench/compare_cub/peers_index.cuh"

namespace redtune::compare {

PeerRows float_index_rows() {
  return index_rows<float, double, __half, __nv_bfloat16>();
}

}  // namespace redtune::compare
