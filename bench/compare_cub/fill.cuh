// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Inputs whose reductions tell when an element is missing or counted twice: hashed numbers from
// -31 to 31, and one -63 and one 63 at hashed places (64 more each for unsigned types). Floating
// types get an eighth of them: their sums are exact in single precision, in any order.
#pragma once

#include <cstdint>
#include <type_traits>

#include "bench/compare_cub/cuda.cuh"

namespace redtune::compare {

/// The finalizer of splitmix64.
__host__ __device__ inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

template <class T>
__device__ T element(int number) {
  if constexpr (!std::is_integral_v<T>) {
    return static_cast<T>(static_cast<float>(number) * 0.125F);
  } else {
    return static_cast<T>(number + (std::is_unsigned_v<T> ? 64 : 0));
  }
}

template <class T>
__global__ void fill_hashed(T* data, std::int64_t count, std::uint64_t seed) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (std::int64_t i = first; i < count; i += stride) {
    const std::uint64_t hash = mixed(seed + static_cast<std::uint64_t>(i));
    data[i] = element<T>(static_cast<int>((hash >> 32) % 63) - 31);
  }
}

template <class T>
__global__ void plant_extremes(T* data, std::int64_t low_at, std::int64_t high_at) {
  data[high_at] = element<T>(63);
  data[low_at] = element<T>(-63);
}

template <class T>
void fill(void* data, std::int64_t count, std::uint64_t seed, cudaStream_t stream) {
  auto* const elements = static_cast<T*>(data);
  const auto whole = static_cast<std::uint64_t>(count);
  const std::uint64_t low_at = mixed(~seed) % whole;
  const std::uint64_t distance = whole > 1 ? 1 + mixed(seed) % (whole - 1) : 0;
  fill_hashed<T><<<1024, 256, 0, stream>>>(elements, count, seed);
  check(cudaGetLastError(), "fill the input");
  plant_extremes<T><<<1, 1, 0, stream>>>(elements, static_cast<std::int64_t>(low_at),
                                         static_cast<std::int64_t>((low_at + distance) % whole));
  check(cudaGetLastError(), "fill the input");
}

}  // namespace redtune::compare
