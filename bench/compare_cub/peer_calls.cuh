// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// CUB's and Thrust's calls as rows of the table of peers. An operator is a struct whose call() is
// CUB's for whole arrays, for an element In, an accumulator Acc and a result Out, and whose fold()
// is what CUB does with segments. Slow to compile, so the files that include it are split by
// operator and type.
#pragma once

#include <cstring>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <limits>
#include <string_view>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
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
  if (of.shape.count <= std::numeric_limits<int>::max()) {
    return Op::template call<In, Acc, Out>(temporary, of, static_cast<int>(of.shape.count));
  }
  return Op::template call<In, Acc, Out>(temporary, of, of.shape.count);
}

/// What is combined in each row, by what, and what comes first.
template <class Elements, class Combine, class Acc>
struct Fold {
  Elements elements;
  Combine combine;
  Acc first;
};

/// Elements that become something else as they are read.
template <class Change, class In>
using Changed = ::thrust::transform_iterator<Change, const In*>;

struct Edge {
  int pitch;
  int shift;
  __host__ __device__ int operator()(int row) const { return row * pitch + shift; }
};

/// Where rows begin, or so many elements behind: offsets that are computed, and not read.
inline auto edges(const Shape& shape, std::int64_t shift) {
  return ::thrust::make_transform_iterator(
      ::thrust::make_counting_iterator(0),
      Edge{static_cast<int>(slice_of(shape)), static_cast<int>(shift)});
}

template <class Op, class In, class Acc, class Out>
cudaError_t call_rows(Temporary& temporary, const Reduction& of) {
  const auto fold = Op::template fold<In, Acc>(input_of<In>(of));
  return ::cub::DeviceSegmentedReduce::Reduce(
      temporary.data, temporary.bytes, fold.elements, output_of<Out>(of), of.shape.outer,
      edges(of.shape, 0), edges(of.shape, of.shape.count), fold.combine, fold.first, of.stream);
}

/// Calls with offsets as wide as those of the shape.
template <class Call>
cudaError_t with_offsets(const Reduction& of, Call call) {
  if (of.shape.offset_bits == 64) return call(static_cast<const std::int64_t*>(of.offsets));
  return call(static_cast<const std::int32_t*>(of.offsets));
}

template <class Op, class In, class Acc, class Out>
cudaError_t call_segments(Temporary& temporary, const Reduction& of) {
  const auto fold = Op::template fold<In, Acc>(input_of<In>(of));
  return with_offsets(of, [&](auto* begins) {
    return ::cub::DeviceSegmentedReduce::Reduce(temporary.data, temporary.bytes, fold.elements,
                                                output_of<Out>(of), of.shape.segment_count, begins,
                                                begins + 1, fold.combine, fold.first, of.stream);
  });
}

template <class Op, class In, class Acc, class Out>
cudaError_t call_by_key(Temporary& temporary, const Reduction& of) {
  const auto fold = Op::template fold<In, Acc>(input_of<In>(of));
  const auto* const keys = static_cast<const std::int32_t*>(of.offsets);
  const auto call = [&](auto count) {
    return ::cub::DeviceReduce::ReduceByKey(temporary.data, temporary.bytes, keys,
                                            of.keys_of_groups, fold.elements, output_of<Out>(of),
                                            of.groups, fold.combine, count, of.stream);
  };
  if (of.shape.count <= std::numeric_limits<int>::max()) {
    return call(static_cast<int>(of.shape.count));
  }
  return call(of.shape.count);
}

/// Whether this CUB has the call for segments of one size. Without the stream: with it, CUB's call
/// for offsets would take the same number of arguments.
template <class Elements, class Combine, class Acc, class Out>
concept HasFixedSize = requires(void* memory, std::size_t& bytes, Fold<Elements, Combine, Acc> fold,
                                Out* out, std::int64_t rows, int size) {
  ::cub::DeviceSegmentedReduce::Reduce(memory, bytes, fold.elements, out, rows, size, fold.combine,
                                       fold.first);
};

template <class Op, class In, class Acc, class Out, class Elements, class Combine>
LibraryCall fixed_call(Fold<Elements, Combine, Acc> (*)(const In*)) {
  if constexpr (HasFixedSize<Elements, Combine, Acc, Out>) {
    return [](Temporary& temporary, const Reduction& of) {
      const auto fold = Op::template fold<In, Acc>(input_of<In>(of));
      return ::cub::DeviceSegmentedReduce::Reduce(
          temporary.data, temporary.bytes, fold.elements, output_of<Out>(of), of.shape.outer,
          static_cast<int>(of.shape.count), fold.combine, fold.first, of.stream);
    };
  } else {
    return nullptr;
  }
}

template <class Op, class In, class Acc, class Out = Acc>
PeerRow peer_row(std::string_view op) {
  return {.op = op,
          .in = type_name<In>,
          .acc = type_name<Acc>,
          .out = type_name<Out>,
          .library = call_cub<Op, In, Acc, Out>,
          .rows = call_rows<Op, In, Acc, Out>,
          .segments = call_segments<Op, In, Acc, Out>,
          .fixed = fixed_call<Op, In, Acc, Out>(&Op::template fold<In, Acc>)};
}

/// The result of a call of Thrust as bytes.
template <class Out>
Bytes bytes_of(Out value) {
  Bytes bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace redtune::compare
