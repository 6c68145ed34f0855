// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a floating type can hold, and rounding to it, for all types alike: numbers are long doubles.
#pragma once

#include "redtune/dtype.hpp"

namespace redtune::tuner {

struct FloatFormat {
  int digits = 0;        ///< of the significand, in bits, the leading one included
  int max_exponent = 0;  ///< of the largest number, which is almost 2^(max_exponent + 1)
  int min_exponent = 0;  ///< of the smallest normal number

  bool operator==(const FloatFormat&) const = default;

  /// Half the distance from 1 to the next number: u.
  [[nodiscard]] long double unit_roundoff() const;
  /// The smallest number above zero.
  [[nodiscard]] long double least() const;
  [[nodiscard]] long double least_normal() const;
  /// What is this large or larger rounds to infinity.
  [[nodiscard]] long double overflow() const;
  /// The distance between the numbers of the type around x, which is finite.
  [[nodiscard]] long double spacing(long double x) const;
  /// x rounded to nearest; infinite where the type ends, NaN for NaN.
  [[nodiscard]] long double rounded(long double x) const;
};

/// The format of f16, bf16, f32 or f64.
[[nodiscard]] FloatFormat format_of(DType dtype);

/// The largest |P - 1| of a product P of so many factors (1 + d) or 1 / (1 + d) with |d| <= u:
/// (1 - u)^-roundings - 1, which is at most gamma = roundings * u / (1 - roundings * u) and, other
/// than gamma, finite for any number of roundings (Higham 2002, lemma 3.1).
[[nodiscard]] long double relative_error(std::int64_t roundings, const FloatFormat& format);

}  // namespace redtune::tuner
