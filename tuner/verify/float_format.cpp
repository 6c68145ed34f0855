// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/float_format.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace redtune::tuner {

long double FloatFormat::unit_roundoff() const {
  return std::ldexp(1.0L, -digits);
}

long double FloatFormat::least() const {
  return std::ldexp(1.0L, min_exponent - digits + 1);
}

long double FloatFormat::least_normal() const {
  return std::ldexp(1.0L, min_exponent);
}

long double FloatFormat::overflow() const {
  return std::ldexp(2.0L - std::ldexp(1.0L, -digits), max_exponent);
}

long double FloatFormat::spacing(long double x) const {
  const int exponent = x == 0 ? min_exponent : std::max(std::ilogb(x), min_exponent);
  return std::ldexp(1.0L, std::min(exponent, max_exponent) - digits + 1);
}

long double FloatFormat::rounded(long double x) const {
  if (std::isnan(x)) return x;
  // What the processor has an instruction for is asked of millions of results.
  const long double size = std::fabs(x);
  const bool fits_f32 = size <= std::numeric_limits<float>::max();
  const bool fits_f64 = size <= std::numeric_limits<double>::max();
  if (fits_f32 && *this == format_of(DType::f32)) return static_cast<float>(x);
  if (fits_f64 && *this == format_of(DType::f64)) return static_cast<double>(x);
  if (size >= overflow()) {
    return std::copysign(std::numeric_limits<long double>::infinity(), x);
  }
  const long double unit = spacing(x);
  return std::copysign(std::nearbyint(x / unit) * unit, x);  // both operations are exact
}

FloatFormat format_of(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return {.digits = 11, .max_exponent = 15, .min_exponent = -14};
    case DType::bf16:
      return {.digits = 8, .max_exponent = 127, .min_exponent = -126};
    case DType::f32:
      return {.digits = 24, .max_exponent = 127, .min_exponent = -126};
    default:
      return {.digits = 53, .max_exponent = 1023, .min_exponent = -1022};
  }
}

long double relative_error(std::int64_t roundings, const FloatFormat& format) {
  return std::expm1(-static_cast<long double>(roundings) * std::log1p(-format.unit_roundoff()));
}

}  // namespace redtune::tuner
