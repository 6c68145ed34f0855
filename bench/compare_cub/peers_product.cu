// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/peer_calls.cuh"
#include "bench/compare_cub/peer_rows.cuh"

namespace redtune::compare {
namespace {

struct ProductOf {
  template <class In, class Acc, class Out, class Count>
  static cudaError_t call(Temporary& temporary, const Reduction& of, Count count) {
    return ::cub::DeviceReduce::Reduce(temporary.data, temporary.bytes, input_of<In>(of),
                                       output_of<Out>(of), count, ::cuda::std::multiplies<Acc>{},
                                       Acc{1}, of.stream);
  }
  template <class In, class Acc>
  static Fold<const In*, ::cuda::std::multiplies<Acc>, Acc> fold(const In* in) {
    return {in, {}, Acc{1}};
  }
};

template <class... In>
PeerRows rows() {
  return {peer_row<ProductOf, In, Wide<In>>("product")...};
}

}  // namespace

PeerRows product_rows() {
  return rows<float, double, __half, __nv_bfloat16, std::int8_t, std::int16_t, std::int32_t,
              std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
}

}  // namespace redtune::compare
