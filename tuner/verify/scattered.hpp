// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Numbers that look like chance and are a function of their index: the same on every machine.
#pragma once

#include <cstdint>

namespace redtune::tuner {

/// Without order: the finalizer of SplitMix64.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// [0, 1)
[[nodiscard]] constexpr double random_part(std::uint64_t i) {
  return static_cast<double>(mixed(i) >> 11) / static_cast<double>(std::uint64_t{1} << 53);
}

/// Each of 0 .. n - 1 once, in an order that looks like none: a bijection of the next power of two,
/// as often as it leads beyond n.
[[nodiscard]] constexpr std::uint64_t shuffled(std::uint64_t i, std::uint64_t n) {
  std::uint64_t all = 1;
  while (all < n) all *= 2;
  do {
    i = (i * 0x9e3779b97f4a7c15ULL + 0x7f4a7c15ULL) & (all - 1);
    i ^= i >> 3;
    i = (i * 0xbf58476d1ce4e5b9ULL) & (all - 1);
  } while (i >= n);
  return i;
}

}  // namespace redtune::tuner
