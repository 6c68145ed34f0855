// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// CUB's and Thrust's calls for one element type, as rows of the type table. Slow to compile, so
// included by one file for every two types.
#pragma once

#include <cstring>
#include <cub/device/device_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <limits>
#include <string_view>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <type_traits>

#include "bench/compare_cub/fill.cuh"
#include "bench/compare_cub/type_table.cuh"

namespace redtune::compare {

// Each operator offers both calls; In is the element, Acc the accumulator, Out the result. Thrust
// gets the functors that CUB takes by itself: its kernels are CUB's then, and are compiled once.

/// Elements of a class need to be told what to become; the sum of others is what they are added to.
template <class In, class Acc>
using Plus =
    std::conditional_t<std::is_arithmetic_v<In>, ::cuda::std::plus<>, ::cuda::std::plus<Acc>>;

struct SumOf {
  template <class In, class Acc, class Out, class Count>
  static cudaError_t cub(Temporary& temporary, const Reduction& of, Count count) {
    const auto* in = static_cast<const In*>(of.in);
    auto* out = static_cast<Out*>(of.out);
    if constexpr (std::is_arithmetic_v<In>) {  // accumulates in the type of the output
      return ::cub::DeviceReduce::Sum(temporary.data, temporary.bytes, in, out, count, of.stream);
    } else {
      return ::cub::DeviceReduce::Reduce(temporary.data, temporary.bytes, in, out, count,
                                         Plus<In, Acc>{}, Acc{}, of.stream);
    }
  }
  template <class In, class Acc>
  static Acc thrust(const In* begin, const In* end, cudaStream_t stream) {
    return ::thrust::reduce(::thrust::cuda::par.on(stream), begin, end, Acc{}, Plus<In, Acc>{});
  }
};

struct MinOf {
  template <class In, class, class Out, class Count>
  static cudaError_t cub(Temporary& temporary, const Reduction& of, Count count) {
    return ::cub::DeviceReduce::Min(temporary.data, temporary.bytes, static_cast<const In*>(of.in),
                                    static_cast<Out*>(of.out), count, of.stream);
  }
  template <class In, class>
  static In thrust(const In* begin, const In* end, cudaStream_t stream) {
    return ::thrust::reduce(::thrust::cuda::par.on(stream), begin, end,
                            ::cuda::std::numeric_limits<In>::max(), ::cuda::minimum<>{});
  }
};

struct MaxOf {
  template <class In, class, class Out, class Count>
  static cudaError_t cub(Temporary& temporary, const Reduction& of, Count count) {
    return ::cub::DeviceReduce::Max(temporary.data, temporary.bytes, static_cast<const In*>(of.in),
                                    static_cast<Out*>(of.out), count, of.stream);
  }
  template <class In, class>
  static In thrust(const In* begin, const In* end, cudaStream_t stream) {
    return ::thrust::reduce(::thrust::cuda::par.on(stream), begin, end,
                            ::cuda::std::numeric_limits<In>::lowest(), ::cuda::maximum<>{});
  }
};

/// Counts that fit are given as int, as an application would: CUB then indexes with 32 bits.
template <class Op, class In, class Acc, class Out>
cudaError_t call_cub(Temporary& temporary, const Reduction& of) {
  if (of.count <= std::numeric_limits<int>::max()) {
    return Op::template cub<In, Acc, Out>(temporary, of, static_cast<int>(of.count));
  }
  return Op::template cub<In, Acc, Out>(temporary, of, of.count);
}

template <class Op, class In, class Acc, class Out>
Bytes call_thrust(const Reduction& of) {
  const auto* begin = static_cast<const In*>(of.in);
  const auto value =
      static_cast<Out>(Op::template thrust<In, Acc>(begin, begin + of.count, of.stream));
  Bytes bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class Op, class In, class Acc, class Out>
PeerRow peer_row(std::string_view op, std::string_view acc, std::string_view out) {
  return {op, acc, out, call_cub<Op, In, Acc, Out>, call_thrust<Op, In, Acc, Out>};
}

/// sum into Acc, min and max.
template <class In, class Acc>
TypeRow type_row(std::string_view name, std::string_view acc) {
  return {name,
          fill<In>,
          {peer_row<SumOf, In, Acc, Acc>("sum", acc, acc),
           peer_row<MinOf, In, In, In>("min", name, name),
           peer_row<MaxOf, In, In, In>("max", name, name)}};
}

}  // namespace redtune::compare
