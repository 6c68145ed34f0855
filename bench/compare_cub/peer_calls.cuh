// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// CUB's and Thrust's calls as rows of the table of peers. An operator is a struct whose call() is
// CUB's, for an element In, an accumulator Acc and a result Out. Slow to compile, so the files that
// include it are split by operator and type.
#pragma once

#include <cstring>
#include <cub/device/device_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <limits>
#include <string_view>
#include <type_traits>

#include "bench/compare/element_types.cuh"

namespace redtune::compare {

/// Elements of a class need to be told what to become; arithmetic ones become what they are added
/// to.
template <class In, class Acc>
using Plus =
    std::conditional_t<std::is_arithmetic_v<In>, ::cuda::std::plus<>, ::cuda::std::plus<Acc>>;

/// Counts that fit are given as int, as an application would: CUB then indexes with 32 bits.
template <class Op, class In, class Acc, class Out>
cudaError_t call_cub(Temporary& temporary, const Reduction& of) {
  if (of.count <= std::numeric_limits<int>::max()) {
    return Op::template call<In, Acc, Out>(temporary, of, static_cast<int>(of.count));
  }
  return Op::template call<In, Acc, Out>(temporary, of, of.count);
}

template <class Op, class In, class Acc, class Out = Acc>
PeerRow peer_row(std::string_view op) {
  return {op, type_name<In>, type_name<Acc>, type_name<Out>, call_cub<Op, In, Acc, Out>};
}

/// The result of a call of Thrust as bytes.
template <class Out>
Bytes bytes_of(Out value) {
  Bytes bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace redtune::compare
