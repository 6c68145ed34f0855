// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Inputs whose reductions tell when an element is missing or counted twice, one kind for each need
// of the operators. All are hashed.
#include <algorithm>
#include <array>
#include <type_traits>

#include "bench/compare/gpu.cuh"
#include "bench/compare/type_table.cuh"

namespace redtune::compare {
namespace {

/// The finalizer of splitmix64.
__host__ __device__ std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

struct Place {
  std::int64_t index;
  std::int64_t count;
  std::uint64_t hash;
};

template <class T>
__device__ T small(int number) {
  if constexpr (!std::is_integral_v<T>) {
    return static_cast<T>(static_cast<float>(number) * 0.125F);
  } else {
    return static_cast<T>(number + (std::is_unsigned_v<T> ? 64 : 0));
  }
}

/// Numbers from -31 to 31, 64 more for unsigned types, and an eighth of them for floating ones:
/// their sums are exact in single precision, in any order.
struct SmallNumbers {
  static constexpr bool has_extremes = true;  ///< -63 and 63, one each, at hashed places
  template <class T>
  static __device__ T element(const Place& place) {
    return small<T>(static_cast<int>((place.hash >> 32) % 63) - 31);
  }
};

/// Odd integers: no product modulo 2^64 is zero, and each but 1 changes it. Floating: 1 and -1, and
/// 2 or 1/2 at 64 places at most, so that every product is exact.
struct Factors {
  static constexpr bool has_extremes = false;
  template <class T>
  static __device__ T element(const Place& place) {
    const auto number = static_cast<int>((place.hash >> 32) % 32);
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(2 * number + 1);
    } else {
      const float sign = number % 2 == 0 ? 1.0F : -1.0F;
      const bool is_power = place.index % (place.count / 64 + 1) == 0;
      return static_cast<T>(sign * (!is_power ? 1.0F : number < 16 ? 2.0F : 0.5F));
    }
  }
};

/// As many zeros as others.
struct Zeros {
  static constexpr bool has_extremes = false;
  template <class T>
  static __device__ T element(const Place& place) {
    const auto number = static_cast<int>((place.hash >> 32) % 64);
    return static_cast<T>(static_cast<float>(number < 32 ? 0 : number));
  }
};

template <class Numbers, class T>
__global__ void fill_hashed(T* data, std::int64_t count, std::uint64_t seed) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (std::int64_t i = first; i < count; i += stride) {
    data[i] = Numbers::template element<T>({i, count, mixed(seed + static_cast<std::uint64_t>(i))});
  }
}

template <class T>
__global__ void plant_extremes(T* data, std::int64_t low_at, std::int64_t high_at) {
  data[high_at] = small<T>(63);
  data[low_at] = small<T>(-63);
}

template <class Numbers, class T>
void fill(void* data, std::int64_t count, std::uint64_t seed, gpuStream_t stream) {
  auto* const elements = static_cast<T*>(data);
  fill_hashed<Numbers><<<1024, 256, 0, stream>>>(elements, count, seed);
  check(gpuGetLastError(), "fill the input");
  if constexpr (!Numbers::has_extremes) return;
  const auto whole = static_cast<std::uint64_t>(count);
  const std::uint64_t low_at = mixed(~seed) % whole;
  const std::uint64_t distance = whole > 1 ? 1 + mixed(seed) % (whole - 1) : 0;
  plant_extremes<<<1, 1, 0, stream>>>(elements, static_cast<std::int64_t>(low_at),
                                      static_cast<std::int64_t>((low_at + distance) % whole));
  check(gpuGetLastError(), "fill the input");
}

struct FillRow {
  std::string_view type;
  Fill small;
  Fill factors;
  Fill zeros;
};

template <class T>
constexpr FillRow fill_row(std::string_view type) {
  return {type, fill<SmallNumbers, T>, fill<Factors, T>, fill<Zeros, T>};
}

constexpr std::array rows{
    fill_row<float>("f32"),         fill_row<double>("f64"),        fill_row<half_type>("f16"),
    fill_row<brain_type>("bf16"),   fill_row<std::int8_t>("i8"),    fill_row<std::int16_t>("i16"),
    fill_row<std::int32_t>("i32"),  fill_row<std::int64_t>("i64"),  fill_row<std::uint8_t>("u8"),
    fill_row<std::uint16_t>("u16"), fill_row<std::uint32_t>("u32"), fill_row<std::uint64_t>("u64"),
};

}  // namespace

Fill find_fill(const Problem& problem) {
  const auto row = std::ranges::find(rows, to_string(problem.in), &FillRow::type);
  if (row == rows.end()) return nullptr;
  if (problem.op == Op::product) return row->factors;
  return problem.op == Op::count_nonzero ? row->zeros : row->small;
}

}  // namespace redtune::compare
