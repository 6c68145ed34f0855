// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <concepts>

#include "bench/compare_cub/peer_calls.cuh"
#include "bench/compare_cub/peer_rows.cuh"

namespace redtune::compare {
namespace {

/// What holds the absolute value of every element.
template <class In, bool is_integer = std::is_integral_v<In>>
struct MagnitudeType {
  using type = In;
};
template <class In>
struct MagnitudeType<In, true> {
  using type = std::make_unsigned_t<In>;
};

struct Magnitude {
  __device__ float operator()(float x) const { return ::fabsf(x); }
  __device__ double operator()(double x) const { return ::fabs(x); }
  __device__ __half operator()(__half x) const { return ::__habs(x); }
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 x) const { return ::__habs(x); }
  template <std::integral In>
  __device__ std::make_unsigned_t<In> operator()(In x) const {
    using Unsigned = std::make_unsigned_t<In>;
    const auto bits = static_cast<Unsigned>(x);
    return static_cast<Unsigned>(x < 0 ? Unsigned{0} - bits : bits);
  }
};

struct AbsMaxOf {
  template <class In, class Acc, class Out, class Count>
  static cudaError_t call(Temporary& temporary, const Reduction& of, Count count) {
    if constexpr (std::is_unsigned_v<In>) {
      return ::cub::DeviceReduce::Max(temporary.data, temporary.bytes, input_of<In>(of),
                                      output_of<Out>(of), count, of.stream);
    } else {
      return ::cub::DeviceReduce::TransformReduce(temporary.data, temporary.bytes, input_of<In>(of),
                                                  output_of<Out>(of), count, ::cuda::maximum<>{},
                                                  Magnitude{}, Acc(0), of.stream);
    }
  }
  template <class In, class Acc>
  static auto fold(const In* in) {
    if constexpr (std::is_unsigned_v<In>) {
      return Fold<const In*, ::cuda::maximum<>, Acc>{in, {}, Acc(0)};
    } else {
      return Fold<Changed<Magnitude, In>, ::cuda::maximum<>, Acc>{{in, {}}, {}, Acc(0)};
    }
  }
};

template <class... In>
PeerRows rows() {
  return {peer_row<AbsMaxOf, In, typename MagnitudeType<In>::type>("abs_max")...};
}

}  // namespace

PeerRows magnitude_rows() {
  return rows<float, double, __half, __nv_bfloat16, std::int8_t, std::int16_t, std::int32_t,
              std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>();
}

}  // namespace redtune::compare
