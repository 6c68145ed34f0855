// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <type_traits>

#include "bench/compare/element_types.cuh"
#include "bench/compare/results.cuh"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

/// Results to be compared one by one, and where the least index of a wrong one is left.
struct Pairs {
  const void* found;
  const void* expected;
  std::int64_t count;
  unsigned long long* first;
};

template <class T>
__device__ double in_double(T value) {
  if constexpr (sizeof(T) == 2) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return static_cast<double>(value);
  }
}

/// As agree() of value.hpp says.
template <class T>
__device__ bool are_alike(T a, T b, Tolerance within) {
  if constexpr (std::is_integral_v<T>) {
    return a == b;
  } else {
    return are_within(within, in_double(a), in_double(b));
  }
}

template <class T>
__device__ bool are_alike(const IndexedValue<T>& a, const IndexedValue<T>& b, Tolerance within) {
  return a.index == b.index && are_alike(a.value, b.value, within);
}

template <class Result>
__global__ void find_first_wrong(Pairs of, Tolerance within) {
  const auto* const found = static_cast<const Result*>(of.found);
  const auto* const expected = static_cast<const Result*>(of.expected);
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (std::int64_t i = first; i < of.count; i += stride) {
    if (are_alike(found[i], expected[i], within)) continue;
    atomicMin(of.first, static_cast<unsigned long long>(i));
    return;
  }
}

template <class Result>
void compare(const Pairs& of, Tolerance within, gpuStream_t stream) {
  find_first_wrong<Result><<<1024, 256, 0, stream>>>(of, within);
}

struct Row {
  std::string_view type;
  void (*values)(const Pairs&, Tolerance, gpuStream_t);
  void (*indexed)(const Pairs&, Tolerance, gpuStream_t);
};

template <class T>
constexpr Row row() {
  return {type_name<T>, compare<T>, compare<IndexedValue<T>>};
}

constexpr std::array rows{
    row<float>(),        row<double>(),        row<half_type>(),     row<brain_type>(),
    row<std::int8_t>(),  row<std::int16_t>(),  row<std::int32_t>(),  row<std::int64_t>(),
    row<std::uint8_t>(), row<std::uint16_t>(), row<std::uint32_t>(), row<std::uint64_t>(),
};

const Row& row_of(const Problem& problem) {
  const auto row = std::ranges::find(rows, to_string(problem.out), &Row::type);
  if (row == rows.end()) throw UsageError("this program does not know the type of the results");
  return *row;
}

}  // namespace

/// Room for a result of any type, too: others read its first word.
std::size_t Results::bytes_for(const Problem& problem) {
  return 2 * std::max(output_bytes(problem), sizeof(Bytes));
}

Results::Results(const Problem& problem)
    : problem_(problem),
      bytes_(output_bytes(problem)),
      found_(allocate(bytes_for(problem) / 2)),
      expected_(allocate(bytes_for(problem) / 2)),
      first_(allocate(sizeof(unsigned long long))) {}

void Results::poison(gpuStream_t stream) const {
  check(gpuMemsetAsync(found_.get(), 0xff, bytes_, stream), "poison the results");
}

Bytes Results::read_from(const Memory& memory, gpuStream_t stream, std::int64_t index) const {
  const std::size_t each = result_bytes(problem_);
  Bytes value{};
  check(gpuMemcpyAsync(
            value.data(),
            static_cast<const std::byte*>(memory.get()) + static_cast<std::size_t>(index) * each,
            each, gpuMemcpyDefault, stream),
        "copy a result to the host");
  check(gpuStreamSynchronize(stream), "finish what was queued");
  return value;
}

Bytes Results::read(gpuStream_t stream, std::int64_t index) const {
  return read_from(found_, stream, index);
}

Bytes Results::expected(gpuStream_t stream, std::int64_t index) const {
  return read_from(expected_, stream, index);
}

void Results::expect(gpuStream_t stream) const {
  check(gpuMemcpyAsync(expected_.get(), found_.get(), bytes_, gpuMemcpyDefault, stream),
        "keep the results");
}

std::optional<std::int64_t> Results::first_wrong(gpuStream_t stream) const {
  constexpr auto none = std::numeric_limits<unsigned long long>::max();
  auto* const first = static_cast<unsigned long long*>(first_.get());
  check(gpuMemsetAsync(first, 0xff, sizeof *first, stream), "clear an index");
  const Row& row = row_of(problem_);
  const bool is_indexed = info(problem_.op).shape == ResultShape::indexed;
  (is_indexed ? row.indexed : row.values)(
      {found_.get(), expected_.get(), results_of(problem_), first}, tolerance_of(problem_), stream);
  check(gpuGetLastError(), "compare results");
  unsigned long long found = none;
  check(gpuMemcpyAsync(&found, first, sizeof found, gpuMemcpyDefault, stream),
        "copy an index to the host");
  check(gpuStreamSynchronize(stream), "finish what was queued");
  if (found == none) return std::nullopt;
  return static_cast<std::int64_t>(found);
}

}  // namespace redtune::compare
