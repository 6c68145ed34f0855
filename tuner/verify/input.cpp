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

/// Element i of numbers whose magnitudes add up to no more than `most` over the whole input.
template <class T>
T whole_number(std::size_t i, std::size_t count, std::uint64_t base, std::int64_t most) {
  constexpr std::int64_t largest = 8;
  if (static_cast<std::int64_t>(count) <= most / largest) {
    const auto number = static_cast<int>(hash(base + i) % (2 * largest + 1)) - int{largest};
    return static_cast<T>(number);
  }
  // One of every `run` neighbours, at a place of its own.
  const std::size_t run = (count - 1) / static_cast<std::size_t>(most) + 1;
  const std::uint64_t bits = hash(base + i / run);
  if (i % run != (bits >> 1) % run) return 0;
  return static_cast<T>((bits & 1) != 0 ? 1 : -1);
}

/// make(i) for each element, by all cores.
template <class T, class Make>
std::vector<std::byte> filled(std::size_t count, const Make& make) {
  std::vector<std::byte> bytes(count * sizeof(T));
  for_each_piece(count, [&](auto, std::size_t i, std::size_t end) {
    for (; i < end; ++i) {
      const T value = make(i);
      std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
    }
  });
  return bytes;
}

}  // namespace

std::vector<std::byte> make_whole_numbers(DType dtype, std::int64_t count, std::uint64_t seed) {
  const std::uint64_t base = hash(seed);
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) -> std::vector<std::byte> {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr std::int64_t most = std::int64_t{1} << std::numeric_limits<T>::digits;
      return filled<T>(static_cast<std::size_t>(count), [&](std::size_t i) {
        return whole_number<T>(i, static_cast<std::size_t>(count), base, most);
      });
    } else {
      return make_input(dtype, count, seed);
    }
  });
}

std::vector<std::byte> make_input(DType dtype, std::int64_t count, std::uint64_t seed) {
  const std::uint64_t base = hash(seed);
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
    return filled<T>(static_cast<std::size_t>(count),
                     [&](std::size_t i) { return element<T>(hash(base + i)); });
  });
}

}  // namespace redtune::tuner
