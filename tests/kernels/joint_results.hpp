// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What operators that find several values must give, worked out in two plain passes of long double,
// and how far they may be off. Shares nothing with the answers that tuning verifies candidates by.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "redtune/problem.hpp"
#include "tests/kernels/exact_results.hpp"

namespace redtune::checks {

/// A value, and what its errors scale with: relatively; cubed, of the unit roundoff, for means that
/// are kept as two floats; in steps of the least normal number.
struct JointValue {
  long double value = 0;
  long double scale = 0;
  long double scale_of_cube = 0;
  long double steps = 0;
  long double reached = 0;      ///< beyond the largest number it may overflow on its way
  int digits = 0;               ///< of integers: those that the accumulator has not are rounded
  long double by_rounding = 0;  ///< of elements, in unit roundoffs
  long double by_rounding_of_squares = 0;  ///< in their squares
};

/// Of an accumulator: combinations on the way to a result, unit roundoff, least normal number.
struct JointPrecision {
  std::int64_t chain;
  long double unit_roundoff;
  long double least_normal;
};

/// slack: of the output's type, whose largest number, or the accumulator's, is most.
[[nodiscard]] inline bool is_within(const JointValue& exact, long double got,
                                    const JointPrecision& precision, long double slack,
                                    long double most) {
  if (std::isnan(exact.value)) return std::isnan(got);
  if (std::isinf(exact.value)) return got == exact.value;
  if (exact.reached > most && !std::isfinite(got)) return true;
  const long double u = precision.unit_roundoff;
  const auto k = static_cast<long double>(precision.chain + 4);
  long double bound = 8 * k * u * exact.scale + 256 * k * u * u * u * exact.scale_of_cube +
                      exact.steps * precision.least_normal + slack;
  if (std::ldexp(u, exact.digits) > 1) {
    bound += u * exact.by_rounding + u * u * exact.by_rounding_of_squares;
  }
  return std::fabs(got - exact.value) <= bound;
}

template <class T>
[[nodiscard]] std::array<JointValue, 2> exact_extremes(std::span<const T> values) {
  const T least = extreme(Op::min, values).value;
  const T greatest = extreme(Op::max, values).value;
  return {JointValue{.value = number(least)}, JointValue{.value = number(greatest)}};
}

/// The largest, and the sum of exponentials, or its logarithm. A distance is at most as much in
/// error as it is long: of all together the logarithm of their number.
template <class T>
[[nodiscard]] std::array<JointValue, 2> exact_exponentials(Op op, std::span<const T> values) {
  const long double largest = number(extreme(Op::max, values).value);
  long double sum = 0;
  for (const T value : values) {
    if (std::isfinite(largest)) sum += std::exp(number(value) - largest);
  }
  const long double of_distances = 1 + std::log1p(static_cast<long double>(values.size())) / 8;
  if (op == Op::logsumexp) {
    const long double value = std::isfinite(largest) ? largest + std::log(sum) : largest;
    return {JointValue{.value = value, .scale = of_distances + std::fabs(value) / 64}};
  }
  if (!std::isfinite(largest)) sum = largest < 0 ? 0 : largest;
  return {JointValue{.value = largest}, JointValue{.value = sum, .scale = of_distances * sum}};
}

template <class T>
[[nodiscard]] std::array<JointValue, 2> exact_moments(Op op, std::span<const T> values) {
  constexpr long double none = std::numeric_limits<long double>::quiet_NaN();
  const auto count = static_cast<long double>(values.size());
  const Rounded sum = sum_of(values, [](long double x) { return x; });
  const long double mean = std::isfinite(sum.scale) ? sum.value / count : none;
  // Of a type of 64 bits the mean is not exact, though all elements be the same: distances are from
  // one of them, and from the mean of such distances.
  const long double origin = values.empty() || std::isnan(mean) ? mean : number(values.front());
  const long double off =
      sum_of(values, [&](long double x) { return x - origin; }).value / std::max(count, 1.0L);
  const long double squares = sum_of(values, [&](long double x) {
                                const long double distance = (x - origin) - off;
                                return distance * distance;
                              }).value;
  long double largest = 0;
  for (const T value : values) largest = std::max(largest, std::fabs(number(value)));
  const long double divisor = op == Op::mean_sample_variance ? count - 1 : count;
  const long double variance = divisor > 0 ? squares / divisor : none;
  return {JointValue{.value = mean, .scale = sum.scale / count, .steps = 1, .reached = 4 * largest},
          JointValue{.value = variance,
                     .scale = variance,
                     .scale_of_cube = (squares + count * mean * mean) / divisor,
                     .steps = 4 * count / std::max(divisor, 1.0L),
                     .reached = 8 * squares + largest * largest * 0x1p-30L + 4 * largest,
                     .digits = std::is_integral_v<T> ? std::numeric_limits<T>::digits : 0,
                     .by_rounding = 2 * largest * std::sqrt(count * squares) / divisor,
                     .by_rounding_of_squares = count * largest * largest / divisor}};
}

template <class T>
[[nodiscard]] std::array<JointValue, 2> joint_results(Op op, std::span<const T> values) {
  if (op == Op::min_max) return exact_extremes(values);
  if constexpr (is_floating_v<T>) {
    if (op == Op::logsumexp || op == Op::softmax_stats) return exact_exponentials(op, values);
  }
  return exact_moments(op, values);
}

}  // namespace redtune::checks
