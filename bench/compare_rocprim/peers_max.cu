// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <limits>

#include "bench/compare_rocprim/peer_calls.cuh"

namespace redtune::compare {
namespace {

/// 16-bit floats have no limits here; -60000 is smaller than all that the inputs hold.
struct Smallest {
  template <class T>
  static T get() {
    if constexpr (std::is_arithmetic_v<T>) {
      return std::numeric_limits<T>::lowest();
    } else {
      return T(-60000.0F);
    }
  }
};

template <class... In>
PeerRows rows() {
  return {peer_row<::rocprim::maximum<In>, Smallest, In, In>("max")...};
}

}  // namespace

PeerRows max_rows() {
  return rows<float, double, half_type, brain_type, std::int8_t, std::int16_t, std::int32_t,
              std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
}

}  // namespace redtune::compare
