// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Sums with redtune's accumulator: integers in 64 bits, 16-bit floats in single precision.
#include "bench/compare_rocprim/peer_calls.cuh"

namespace redtune::compare {
namespace {

struct Zero {
  template <class Acc>
  static Acc get() {
    return Acc(0);
  }
};

template <class... In>
PeerRows rows() {
  return {peer_row<::rocprim::plus<Wide<In>>, Zero, In, Wide<In>>("sum")...};
}

}  // namespace

PeerRows sum_rows() {
  return rows<float, double, half_type, brain_type, std::int8_t, std::int16_t, std::int32_t,
              std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
}

}  // namespace redtune::compare
