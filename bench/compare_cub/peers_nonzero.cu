// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_calls.cuh"
#include "bench/compare_cub/peer_rows.cuh"

namespace redtune::compare {
namespace {

/// 1 for what is not zero.
struct IsNonzero {
  template <class In>
  __device__ std::int64_t operator()(In element) const {
    return element != In(0) ? 1 : 0;
  }
};

struct NonzeroOf {
  template <class In, class Acc, class Out, class Count>
  static cudaError_t call(Temporary& temporary, const Reduction& of, Count count) {
    return ::cub::DeviceReduce::TransformReduce(temporary.data, temporary.bytes, input_of<In>(of),
                                                output_of<Out>(of), count, ::cuda::std::plus<>{},
                                                IsNonzero{}, Acc{}, of.stream);
  }
  template <class In, class Acc>
  static Fold<Changed<IsNonzero, In>, ::cuda::std::plus<>, Acc> fold(const In* in) {
    return {{in, {}}, {}, Acc{}};
  }
};

template <class... In>
PeerRows rows() {
  return {peer_row<NonzeroOf, In, std::int64_t>("count_nonzero")...};
}

}  // namespace

PeerRows nonzero_rows() {
  return rows<float, double, __half, __nv_bfloat16, std::int8_t, std::int16_t, std::int32_t,
              std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
}

}  // namespace redtune::compare
