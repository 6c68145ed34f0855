// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A product of magnitudes that neither overflows nor loses digits: 128 bits of significand, so that
// 2^40 factors are off by less than 2^-80, and an exponent of its own.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace redtune::tuner {

class ScaledProduct {
 public:
  /// Multiplies by a finite x > 0.
  void multiply(long double x) {
    int exponent = 0;
    const long double part = std::frexp(x, &exponent);  // [1/2, 1)
    const auto factor = static_cast<std::uint64_t>(std::ldexp(part, 64));
    // significand_ / 2^128 * factor / 2^64, of which the upper 128 bits of 192 are kept.
    const Wide low = (significand_ & low_bits) * factor;
    significand_ = (significand_ >> 64) * factor + (low >> 64);
    exponent_ += exponent;
    normalise();
  }

  void multiply(const ScaledProduct& other) {
    const Wide a = significand_ >> 64;
    const Wide b = other.significand_ >> 64;
    significand_ = a * b + ((a * (other.significand_ & low_bits)) >> 64) +
                   ((b * (significand_ & low_bits)) >> 64);
    exponent_ += other.exponent_;
    normalise();
  }

  /// Infinite or zero where a long double ends.
  [[nodiscard]] long double value() const {
    const std::int64_t bounded =
        exponent_ > 100000 ? 100000 : (exponent_ < -100000 ? -100000 : exponent_);
    const auto high = static_cast<std::uint64_t>(significand_ >> 64);
    const auto low = static_cast<std::uint64_t>(significand_ & low_bits);
    return std::ldexp(
        static_cast<long double>(high) + std::ldexp(static_cast<long double>(low), -64),
        static_cast<int>(bounded) - 64);
  }
  [[nodiscard]] long double log2() const {
    const auto high = static_cast<std::uint64_t>(significand_ >> 64);
    return std::log2(std::ldexp(static_cast<long double>(high), -64)) +
           static_cast<long double>(exponent_);
  }

 private:
  __extension__ typedef unsigned __int128 Wide;
  static constexpr Wide low_bits = ~std::uint64_t{0};

  /// Two factors of [1/2, 1) make one of [1/4, 1).
  void normalise() {
    if ((significand_ >> 127) != 0) return;
    significand_ <<= 1;
    --exponent_;
  }

  Wide significand_ = Wide{1} << 127;  // of 2^128: 1/2
  std::int64_t exponent_ = 1;
};

}  // namespace redtune::tuner
