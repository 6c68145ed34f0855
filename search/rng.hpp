// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Random numbers that are the same with every compiler and library: xoshiro256**, seeded by
// splitmix64 (Blackman and Vigna, prng.di.unimi.it); std distributions differ between libraries.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace redtune::search {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = splitmix(seed);
  }

  /// 64 random bits.
  [[nodiscard]] std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Each of 0 … bound - 1 equally likely; bound > 0.
  [[nodiscard]] std::size_t below(std::size_t bound) {
    const std::uint64_t largest = bound - 1;
    if (largest == 0) return 0;
    // Throwing away draws beyond the bound is what keeps all values equally likely; on average
    // fewer than two draws are needed.
    const int unwanted_bits = std::countl_zero(largest);
    for (;;) {
      const std::uint64_t draw = next() >> unwanted_bits;
      if (draw <= largest) return static_cast<std::size_t>(draw);
    }
  }

  /// In [0, 1), a multiple of 2^-53.
  [[nodiscard]] double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// Every order equally likely (Fisher–Yates).
  template <typename T>
  void shuffle(std::span<T> items) {
    for (std::size_t left = items.size(); left > 1; --left) {
      std::swap(items[left - 1], items[below(left)]);
    }
  }

 private:
  static std::uint64_t splitmix(std::uint64_t& seed) {
    seed += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = seed;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace redtune::search
