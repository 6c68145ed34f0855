// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Smallest and largest elements, in the type of the input.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include "bench/compare_cub/peer_calls.cuh"

namespace redtune::compare {

struct MinOf {
  template <class In, class, class Out, class Count>
  static cudaError_t call(Temporary& temporary, const Reduction& of, Count count) {
    return ::cub::DeviceReduce::Min(temporary.data, temporary.bytes, input_of<In>(of),
                                    output_of<Out>(of), count, of.stream);
  }
  template <class In, class>
  static Fold<const In*, ::cuda::minimum<>, In> fold(const In* in) {
    return {in, {}, ::cuda::std::numeric_limits<In>::max()};
  }
};

struct MaxOf {
  template <class In, class, class Out, class Count>
  static cudaError_t call(Temporary& temporary, const Reduction& of, Count count) {
    return ::cub::DeviceReduce::Max(temporary.data, temporary.bytes, input_of<In>(of),
                                    output_of<Out>(of), count, of.stream);
  }
  template <class In, class>
  static Fold<const In*, ::cuda::maximum<>, In> fold(const In* in) {
    return {in, {}, ::cuda::std::numeric_limits<In>::lowest()};
  }
};

template <class In>
Bytes thrust_min(const Reduction& of) {
  const In* begin = input_of<In>(of);
  return bytes_of<In>(
      ::thrust::reduce(::thrust::cuda::par.on(of.stream), begin, begin + of.shape.count,
                       ::cuda::std::numeric_limits<In>::max(), ::cuda::minimum<>{}));
}

template <class In>
Bytes thrust_max(const Reduction& of) {
  const In* begin = input_of<In>(of);
  return bytes_of<In>(
      ::thrust::reduce(::thrust::cuda::par.on(of.stream), begin, begin + of.shape.count,
                       ::cuda::std::numeric_limits<In>::lowest(), ::cuda::maximum<>{}));
}

/// min and max of each type.
template <class... In>
PeerRows extreme_rows() {
  PeerRows rows{peer_row<MinOf, In, In>("min")..., peer_row<MaxOf, In, In>("max")...};
  const WaitingCall calls[] = {thrust_min<In>..., thrust_max<In>...};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].thrust = calls[i];
  return rows;
}

}  // namespace redtune::compare
