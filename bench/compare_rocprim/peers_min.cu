// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <limits>

#include "bench/compare_rocprim/peer_calls.cuh"

namespace redtune::compare {
namespace {

/// 16-bit floats have no limits here; 60000 is larger than all that the inputs hold.
struct Largest {
  template <class T>
  static T get() {
    if constexpr (std::is_arithmetic_v<T>) {
      return std::numeric_limits<T>::max();
    } else {
      return T(60000.0F);
    }
  }
};

template <class... In>
PeerRows rows() {
  return {peer_row<::rocprim::minimum<In>, Largest, In, In>("min")...};
}

}  // namespace

PeerRows min_rows() {
  return rows<float, double, half_type, brain_type, std::int8_t, std::int16_t, std::int32_t,
              std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
}

}  // namespace redtune::compare
