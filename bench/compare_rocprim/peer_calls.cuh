// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// rocPRIM's device-wide reduction as rows of the table of peers. Slow to compile, so the files that
// include it are split by operator.
#pragma once

// What rocPRIM's own headers use and do not include.
#include <chrono>
#include <iostream>
#include <rocprim/device/device_reduce.hpp>
#include <rocprim/device/device_segmented_reduce.hpp>
#include <rocprim/functional.hpp>
#include <rocprim/iterator/counting_iterator.hpp>
#include <rocprim/iterator/transform_iterator.hpp>

#include "bench/compare/element_types.cuh"
#include "bench/compare_rocprim/peer_rows.cuh"

namespace redtune::compare {

/// Identity::get<Acc>() is where the reduction starts.
template <class Operator, class Identity, class In, class Acc>
gpuError_t call_rocprim(Temporary& temporary, const Reduction& of) {
  return ::rocprim::reduce(temporary.data, temporary.bytes, input_of<In>(of), output_of<Acc>(of),
                           Identity::template get<Acc>(), static_cast<std::size_t>(of.shape.count),
                           Operator{}, of.stream);
}

struct Edge {
  int pitch;
  int shift;
  __host__ __device__ int operator()(int row) const { return row * pitch + shift; }
};

/// Where rows begin, or so many elements behind: offsets that are computed, and not read.
inline auto edges(const Shape& shape, std::int64_t shift) {
  return ::rocprim::make_transform_iterator(
      ::rocprim::counting_iterator<int>(0),
      Edge{static_cast<int>(slice_of(shape)), static_cast<int>(shift)});
}

template <class Operator, class Identity, class In, class Acc>
gpuError_t call_rows(Temporary& temporary, const Reduction& of) {
  return ::rocprim::segmented_reduce(temporary.data, temporary.bytes, input_of<In>(of),
                                     output_of<Acc>(of), static_cast<unsigned>(of.shape.outer),
                                     edges(of.shape, 0), edges(of.shape, of.shape.count),
                                     Operator{}, Identity::template get<Acc>(), of.stream);
}

template <class Operator, class Identity, class In, class Acc>
PeerRow peer_row(std::string_view op) {
  return {.op = op,
          .in = type_name<In>,
          .acc = type_name<Acc>,
          .out = type_name<Acc>,
          .library = call_rocprim<Operator, Identity, In, Acc>,
          .rows = call_rows<Operator, Identity, In, Acc>};
}

}  // namespace redtune::compare
