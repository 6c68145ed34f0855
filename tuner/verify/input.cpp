// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/input.hpp"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace redtune::tuner {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): every index has its own value, in any order.
std::uint64_t hash(std::uint64_t index) {
  std::uint64_t z = index * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

template <class T>
T element(std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<T>) {
    const double unit = static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;  // [-1, 1)
    return static_cast<T>(std::ldexp(unit, static_cast<int>(bits % 16) - 8));
  } else {
    return static_cast<T>(bits);
  }
}

}  // namespace

std::vector<std::byte> make_input(DType dtype, std::int64_t count, std::uint64_t seed) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * size_of(dtype));
  visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    const std::uint64_t base = hash(seed);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const T value = element<T>(hash(base + i));
      std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
    }
  });
  return bytes;
}

}  // namespace redtune::tuner
