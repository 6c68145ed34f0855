// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a reduction must give, worked out plainly: one element after the other, in long double or
// wrapping 64 bits. Shares nothing with the answers that tuning verifies candidates by.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "redtune/error.hpp"
#include "redtune/problem.hpp"
#include "tests/kernels/reduction_inputs.hpp"

namespace redtune::checks {

/// What is known of a floating result: its value, and the sum of the magnitudes that rounding
/// errors scale with.
struct Rounded {
  long double value = 0;
  long double scale = 0;
  long double most = 0;     ///< of products: of any factors, the largest magnitude
  long double least = 1;    ///< and the smallest
  long double squares = 0;  ///< of norms: what the root is taken of
  long double flushed = 0;  ///< what numbers too small for the accumulator may come to
};

/// Neumaier's compensated sum in long double, far beyond the precision of any accumulator.
template <class T, class Term>
[[nodiscard]] Rounded sum_of(std::span<const T> values, Term&& term) {
  Rounded sum;
  long double lost = 0;
  for (const T value : values) {
    const long double x = term(number(value));
    const long double next = sum.value + x;
    lost += std::fabs(sum.value) >= std::fabs(x) ? (sum.value - next) + x : (x - next) + sum.value;
    sum.value = next;
    sum.scale += std::fabs(x);
  }
  if (std::isfinite(sum.value)) sum.value += lost;
  return sum;
}

template <class T>
[[nodiscard]] Rounded product_of(std::span<const T> values) {
  Rounded product{.value = 1, .most = 1};
  for (const T value : values) {
    const long double size = std::fabs(number(value));
    product.value *= number(value);
    product.most *= std::max(size, 1.0L);
    product.least *= std::min(size, 1.0L);
  }
  product.scale = std::fabs(product.value);
  return product;
}

/// The exact result of an operator that rounds in Acc.
template <class Acc, class T>
[[nodiscard]] Rounded rounded_result(Op op, std::span<const T> values) {
  const auto itself = [](long double x) { return x; };
  const auto square = [](long double x) { return x * x; };
  const auto count = static_cast<long double>(values.size());
  switch (op) {
    case Op::sum:
      return sum_of(values, itself);
    case Op::product:
      return product_of(values);
    case Op::mean: {
      const Rounded sum = sum_of(values, itself);
      return {sum.value / count, sum.scale / count};
    }
    case Op::sum_of_squares:
      return sum_of(values, square);
    case Op::l2_norm: {
      const Rounded squares = sum_of(values, square);
      const long double norm = std::sqrt(squares.value);
      const long double vanished = std::sqrt(count * std::numeric_limits<Acc>::denorm_min());
      return {.value = norm, .scale = norm, .squares = squares.value, .flushed = vanished};
    }
    default:
      throw Error("an operator that rounds needs its expected value here");
  }
}

/// The first element that none comes before; -1 for none. Where NaN counts, the first one wins.
template <class T>
[[nodiscard]] std::int64_t extreme_index(std::span<const T> values, bool is_min, bool ignores_nan) {
  std::int64_t best = -1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const long double x = number(values[i]);
    if (std::isnan(x)) {
      if (ignores_nan) continue;
      return static_cast<std::int64_t>(i);
    }
    const long double y = best < 0 ? 0 : number(values[static_cast<std::size_t>(best)]);
    if (best < 0 || (is_min ? x < y : y < x)) best = static_cast<std::int64_t>(i);
  }
  return best;
}

[[nodiscard]] constexpr bool is_min(Op op) {
  return op == Op::min || op == Op::min_ignore_nan || op == Op::argmin ||
         op == Op::argmin_ignore_nan;
}
[[nodiscard]] constexpr bool ignores_nan(Op op) {
  return op == Op::min_ignore_nan || op == Op::max_ignore_nan || op == Op::argmin_ignore_nan ||
         op == Op::argmax_ignore_nan;
}

template <class T>
[[nodiscard]] IndexedValue<T> extreme(Op op, std::span<const T> values) {
  const std::int64_t index = extreme_index(values, is_min(op), ignores_nan(op));
  if (index < 0) return {is_min(op) ? highest<T>() : lowest<T>(), -1};
  return {values[static_cast<std::size_t>(index)], index};
}

/// The bits of an integer result, wrapped to 64.
template <class T>
[[nodiscard]] std::uint64_t integer_result(Op op, std::span<const T> values) {
  std::uint64_t result = op == Op::bit_and ? ~std::uint64_t{0} : std::uint64_t{op == Op::product};
  std::uint64_t nonzero = 0;
  for (const T value : values) {
    nonzero += is_nonzero(value) ? 1 : 0;
    if constexpr (std::is_integral_v<T>) {
      const auto x = static_cast<std::uint64_t>(value);  // sign-extended
      const std::uint64_t size = value < 0 ? 0 - x : x;
      if (op == Op::sum || op == Op::mean) result += x;
      if (op == Op::product) result *= x;
      if (op == Op::sum_of_squares) result += x * x;
      if (op == Op::bit_and) result &= x;
      if (op == Op::bit_or) result |= x;
      if (op == Op::bit_xor) result ^= x;
      if (op == Op::abs_max) result = std::max(result, size);
    }
  }
  if (op == Op::all) return nonzero == values.size() ? 1 : 0;
  if (op == Op::any) return nonzero > 0 ? 1 : 0;
  return op == Op::count_nonzero ? nonzero : result;
}

}  // namespace redtune::checks
