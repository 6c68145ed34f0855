// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "bench/compare_cub/peer_calls.cuh"

namespace redtune::compare {
namespace {

/// Sums are accumulated in f32, and returned as that or rounded to the type of the input.
template <class In>
TypeRow half_row(std::string_view name) {
  TypeRow row = type_row<In, float>(name, "f32");
  row.peers.push_back(peer_row<SumOf, In, float, In>("sum", "f32", name));
  return row;
}

}  // namespace

TypeRow f16_row() {
  return half_row<__half>("f16");
}

TypeRow bf16_row() {
  return half_row<__nv_bfloat16>("bf16");
}

}  // namespace redtune::compare
