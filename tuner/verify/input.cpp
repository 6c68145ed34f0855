// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/input.hpp"

#include <cstring>
#include <type_traits>

#include "tuner/verify/parallel.hpp"

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
    constexpr double scales[] = {0x1p-8, 0x1p-7, 0x1p-6, 0x1p-5, 0x1p-4, 0x1p-3, 0x1p-2, 0x1p-1,
                                 0x1p0,  0x1p1,  0x1p2,  0x1p3,  0x1p4,  0x1p5,  0x1p6,  0x1p7};
    return static_cast<T>(unit * scales[bits % 16]);
  } else {
    return static_cast<T>(bits);
  }
}

}  // namespace

std::vector<std::byte> make_input(DType dtype, std::int64_t count, std::uint64_t seed) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * size_of(dtype));
  visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    const std::uint64_t base = hash(seed);
    for_each_piece(static_cast<std::size_t>(count), [&](auto, std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        const T value = element<T>(hash(base + i));
        std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
      }
    });
  });
  return bytes;
}

}  // namespace redtune::tuner
