// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/input.hpp"

#include <bit>
#include <cstring>
#include <limits>
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

/// A bell over three quarters of the range. Among many elements all values of a small type are
/// common; here the ends are rare, so that a minimum which misses elements is wrong.
template <class T>
T small_integer(std::uint64_t bits) {
  constexpr int step = 3 << (8 * (sizeof(T) - 1));  // of 64 that make three quarters
  constexpr int middle = std::is_signed_v<T> ? 0 : std::numeric_limits<T>::max() / 2 + 1;
  return static_cast<T>(middle + (std::popcount(bits) - 32) * step + static_cast<int>(bits % step));
}

template <class T>
T element(std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<T>) {
    const double unit = static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;  // [-1, 1)
    constexpr double scales[] = {0x1p-8, 0x1p-7, 0x1p-6, 0x1p-5, 0x1p-4, 0x1p-3, 0x1p-2, 0x1p-1,
                                 0x1p0,  0x1p1,  0x1p2,  0x1p3,  0x1p4,  0x1p5,  0x1p6,  0x1p7};
    return static_cast<T>(unit * scales[bits % 16]);
  } else if constexpr (sizeof(T) < 4) {
    return small_integer<T>(bits);
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
