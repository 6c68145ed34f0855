// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_calls.cuh"

namespace redtune::compare {

TypeRow f32_row() {
  return type_row<float, float>("f32", "f32");
}

TypeRow f64_row() {
  return type_row<double, double>("f64", "f64");
}

}  // namespace redtune::compare
