// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Smallest and largest elements with their indices, in the form that takes counts beyond 2^31 and
// writes a 64-bit index.
#pragma once

#include "bench/compare_cub/peer_calls.cuh"

namespace redtune::compare {

/// Where CUB is to write the index of an IndexedValue.
template <class In>
std::int64_t* index_of(const Reduction& of) {
  return static_cast<std::int64_t*>(of.out) + 1;
}
static_assert(offsetof(IndexedValue<std::int8_t>, index) == sizeof(std::int64_t));

template <class In>
cudaError_t call_argmin(Temporary& temporary, const Reduction& of) {
  return ::cub::DeviceReduce::ArgMin(temporary.data, temporary.bytes, input_of<In>(of),
                                     output_of<In>(of), index_of<In>(of), of.count, of.stream);
}

template <class In>
cudaError_t call_argmax(Temporary& temporary, const Reduction& of) {
  return ::cub::DeviceReduce::ArgMax(temporary.data, temporary.bytes, input_of<In>(of),
                                     output_of<In>(of), index_of<In>(of), of.count, of.stream);
}

/// argmin and argmax of each type.
template <class... In>
PeerRows index_rows() {
  return {PeerRow{"argmin", type_name<In>, type_name<In>, type_name<In>, call_argmin<In>}...,
          PeerRow{"argmax", type_name<In>, type_name<In>, type_name<In>, call_argmax<In>}...};
}

}  // namespace redtune::compare
