// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The 16-bit floats of GPUs as host types: storage, and conversions that round once, to nearest
// even. For values, not for arithmetic: convert, compute, convert back.
#pragma once

#include <bit>
#include <cstdint>

namespace redtune {
namespace detail {

/// The float next to x towards zero, or x itself where it is exact, with the last bit set where it
/// is not: rounding that again to fewer bits is as good as rounding x (round to odd).
[[nodiscard]] constexpr float to_odd(double x) {
  const auto near = static_cast<float>(x);
  if (static_cast<double>(near) == x || x != x) return near;
  const auto bits = std::bit_cast<std::uint32_t>(near);
  if ((bits & 1) != 0) return near;
  const double size = x < 0 ? -x : x;
  const double near_size = near < 0 ? -static_cast<double>(near) : static_cast<double>(near);
  return std::bit_cast<float>(near_size < size ? bits + 1 : bits - 1);
}

}  // namespace detail

/// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits; up to 65504.
struct half {
  std::uint16_t bits;

  constexpr half() = default;
  constexpr explicit half(float x) {
    const auto word = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = (word >> 16) & 0x8000U;
    std::uint32_t size = word & 0x7fffffffU;
    if (size > 0x7f800000U) {
      size = 0x7e00U;  // NaN
    } else if (size >= 0x477ff000U) {
      size = 0x7c00U;  // 65520 and more: infinity
    } else if (size < 0x38800000U) {
      // Below 2^-14: one unit of 0.5f is the smallest half, so the addition rounds.
      size = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) - 0x3f000000U;
    } else {
      size = (size - 0x38000000U + 0xfffU + ((size >> 13) & 1U)) >> 13;
    }
    bits = static_cast<std::uint16_t>(sign | size);
  }
  constexpr explicit half(double x) : half(detail::to_odd(x)) {}

  [[nodiscard]] static constexpr half from_bits(std::uint16_t bits) {
    half x{};
    x.bits = bits;
    return x;
  }
  constexpr operator float() const {
    const std::uint32_t size = (bits & 0x7fffU) << 13;
    std::uint32_t word = 0;
    if (size >= 0x0f800000U) {
      word = size | 0x7f800000U;  // infinity and NaN
    } else {
      word = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) * 0x1p112F);
    }
    return std::bit_cast<float>(word | (bits & 0x8000U) << 16);
  }
};

/// The upper half of a float: 8 exponent and 7 fraction bits.
struct bfloat16 {
  std::uint16_t bits;

  constexpr bfloat16() = default;
  constexpr explicit bfloat16(float x) {
    const auto word = std::bit_cast<std::uint32_t>(x);
    const bool is_nan = (word & 0x7fffffffU) > 0x7f800000U;
    const std::uint32_t rounded = word + 0x7fffU + ((word >> 16) & 1U);
    bits = static_cast<std::uint16_t>((is_nan ? word | 0x400000U : rounded) >> 16);
  }
  constexpr explicit bfloat16(double x) : bfloat16(detail::to_odd(x)) {}

  [[nodiscard]] static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 x{};
    x.bits = bits;
    return x;
  }
  constexpr operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
};

static_assert(sizeof(half) == 2 && sizeof(bfloat16) == 2);

}  // namespace redtune
