// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_calls.cuh"
#include "bench/compare_cub/peer_rows.cuh"

namespace redtune::compare {
namespace {

template <class Acc>
struct Square {
  template <class In>
  __host__ __device__ Acc operator()(In element) const {
    const auto value = static_cast<Acc>(element);
    return value * value;
  }
};

struct SumOfSquaresOf {
  template <class In, class Acc, class Out, class Count>
  static cudaError_t call(Temporary& temporary, const Reduction& of, Count count) {
    return ::cub::DeviceReduce::TransformReduce(temporary.data, temporary.bytes, input_of<In>(of),
                                                output_of<Out>(of), count, ::cuda::std::plus<>{},
                                                Square<Acc>{}, Acc{}, of.stream);
  }
  template <class In, class Acc>
  static Fold<Changed<Square<Acc>, In>, ::cuda::std::plus<>, Acc> fold(const In* in) {
    return {{in, {}}, {}, Acc{}};
  }
};

template <class... In>
PeerRows rows() {
  return {peer_row<SumOfSquaresOf, In, Wide<In>>("sum_of_squares")...};
}

}  // namespace

PeerRows square_rows() {
  return rows<float, double, __half, __nv_bfloat16, std::int8_t, std::int16_t, std::int32_t,
              std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
}

}  // namespace redtune::compare
