// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Sums with redtune's accumulator: integers in 64 bits, 16-bit floats in single precision.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include "bench/compare_cub/peer_calls.cuh"

namespace redtune::compare {

struct SumOf {
  template <class In, class Acc, class Out, class Count>
  static cudaError_t call(Temporary& temporary, const Reduction& of, Count count) {
    if constexpr (std::is_arithmetic_v<In>) {  // accumulates in the type of the output
      return ::cub::DeviceReduce::Sum(temporary.data, temporary.bytes, input_of<In>(of),
                                      output_of<Out>(of), count, of.stream);
    } else {
      return ::cub::DeviceReduce::Reduce(temporary.data, temporary.bytes, input_of<In>(of),
                                         output_of<Out>(of), count, Plus<In, Acc>{}, Acc{},
                                         of.stream);
    }
  }
  template <class In, class Acc>
  static Fold<const In*, Plus<In, Acc>, Acc> fold(const In* in) {
    return {in, {}, Acc{}};
  }
};

/// What is typed first: the element's type in and out.
struct NarrowSumOf {
  template <class In, class, class, class Count>
  static cudaError_t call(Temporary& temporary, const Reduction& of, Count count) {
    return ::cub::DeviceReduce::Sum(temporary.data, temporary.bytes, input_of<In>(of),
                                    output_of<In>(of), count, of.stream);
  }
};

/// Thrust gets the functors that CUB takes by itself: its kernels are CUB's then, and are compiled
/// once.
template <class In, class Acc>
Bytes thrust_sum(const Reduction& of) {
  const In* begin = input_of<In>(of);
  return bytes_of<Acc>(::thrust::reduce(::thrust::cuda::par.on(of.stream), begin,
                                        begin + of.shape.count, Acc{}, Plus<In, Acc>{}));
}

template <class In>
PeerRow sum_row() {
  PeerRow row = peer_row<SumOf, In, Wide<In>>("sum");
  row.thrust = thrust_sum<In, Wide<In>>;
  row.by_key = call_by_key<SumOf, In, Wide<In>, Wide<In>>;
  if constexpr (!std::is_arithmetic_v<In>) row.narrow = call_cub<NarrowSumOf, In, In, In>;
  return row;
}

}  // namespace redtune::compare
