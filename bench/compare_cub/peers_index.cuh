// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Smallest and largest elements with their indices, in the form that takes counts beyond 2^31 and
// writes a 64-bit index.
#pragma once

#include <cuda/std/utility>
#include <iterator>

#include "bench/compare_cub/peer_calls.cuh"

namespace redtune::compare {

/// Where CUB is to write the index of an IndexedValue.
template <class In>
std::int64_t* index_of(const Reduction& of) {
  return static_cast<std::int64_t*>(of.out) + 1;
}
static_assert(offsetof(IndexedValue<std::int8_t>, index) == sizeof(std::int64_t));

template <class In>
cudaError_t call_argmin(Temporary& temporary, const Reduction& of) {
  return ::cub::DeviceReduce::ArgMin(temporary.data, temporary.bytes, input_of<In>(of),
                                     output_of<In>(of), index_of<In>(of), of.shape.count,
                                     of.stream);
}

template <class In>
cudaError_t call_argmax(Temporary& temporary, const Reduction& of) {
  return ::cub::DeviceReduce::ArgMax(temporary.data, temporary.bytes, input_of<In>(of),
                                     output_of<In>(of), index_of<In>(of), of.shape.count,
                                     of.stream);
}

/// An IndexedValue from what CUB finds in a segment: its own pair, or that of the standard library
/// in newer ones.
template <class In>
struct IndexedSlot {
  IndexedValue<In>* slot;
  __device__ void operator=(const ::cub::KeyValuePair<int, In>& found) const {
    *slot = {found.value, found.key};
  }
  __device__ void operator=(const ::cuda::std::pair<int, In>& found) const {
    *slot = {found.second, found.first};
  }
};

template <class In>
struct IndexedOut {
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = void;  // CUB chooses its pair then
  using pointer = void;
  using reference = IndexedSlot<In>;

  IndexedValue<In>* slots;

  __host__ __device__ reference operator*() const { return {slots}; }
  __host__ __device__ reference operator[](difference_type i) const { return {slots + i}; }
  __host__ __device__ IndexedOut operator+(difference_type i) const { return {slots + i}; }
  __host__ __device__ IndexedOut& operator+=(difference_type i) {
    slots += i;
    return *this;
  }
};

template <class In>
IndexedOut<In> indexed_output_of(const Reduction& of) {
  return {output_of<IndexedValue<In>>(of)};
}

struct ArgMinOfSegments {
  template <class... Arguments>
  static auto call(Arguments&&... arguments)
      -> decltype(::cub::DeviceSegmentedReduce::ArgMin(arguments...)) {
    return ::cub::DeviceSegmentedReduce::ArgMin(arguments...);
  }
};

struct ArgMaxOfSegments {
  template <class... Arguments>
  static auto call(Arguments&&... arguments)
      -> decltype(::cub::DeviceSegmentedReduce::ArgMax(arguments...)) {
    return ::cub::DeviceSegmentedReduce::ArgMax(arguments...);
  }
};

template <class Op, class In>
cudaError_t call_indexed_rows(Temporary& temporary, const Reduction& of) {
  return Op::call(temporary.data, temporary.bytes, input_of<In>(of), indexed_output_of<In>(of),
                  of.shape.outer, edges(of.shape, 0), edges(of.shape, of.shape.count), of.stream);
}

template <class Op, class In>
cudaError_t call_indexed_segments(Temporary& temporary, const Reduction& of) {
  return with_offsets(of, [&](auto* begins) {
    return Op::call(temporary.data, temporary.bytes, input_of<In>(of), indexed_output_of<In>(of),
                    of.shape.segment_count, begins, begins + 1, of.stream);
  });
}

template <class Op, class In>
LibraryCall fixed_indexed_call() {
  constexpr bool has_fixed_size = requires(void* memory, std::size_t& bytes, const In* in,
                                           IndexedOut<In> out, std::int64_t rows, int size) {
    Op::call(memory, bytes, in, out, rows, size);
  };
  if constexpr (has_fixed_size) {
    return [](Temporary& temporary, const Reduction& of) {
      return Op::call(temporary.data, temporary.bytes, input_of<In>(of), indexed_output_of<In>(of),
                      of.shape.outer, static_cast<int>(of.shape.count), of.stream);
    };
  } else {
    return nullptr;
  }
}

template <class Op, class In>
PeerRow index_row(std::string_view op, LibraryCall library) {
  return {.op = op,
          .in = type_name<In>,
          .acc = type_name<In>,
          .out = type_name<In>,
          .library = library,
          .rows = call_indexed_rows<Op, In>,
          .segments = call_indexed_segments<Op, In>,
          .fixed = fixed_indexed_call<Op, In>()};
}

/// argmin and argmax of each type.
template <class... In>
PeerRows index_rows() {
  return {index_row<ArgMinOfSegments, In>("argmin", call_argmin<In>)...,
          index_row<ArgMaxOfSegments, In>("argmax", call_argmax<In>)...};
}

}  // namespace redtune::compare
