// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions as anybody would write them, one element after the other in the accumulator's type: as
// right as any kernel, and nothing of what they are compared with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::tuner::naive {

/// A result before it becomes the output's type.
struct Value {
  bool is_float = false;
  double number = 0;
  std::uint64_t bits = 0;
  std::int64_t index = -1;
  double second = 0;  ///< of two values
  std::uint64_t second_bits = 0;
};

template <class T>
std::vector<T> values_of(std::span<const std::byte> data) {
  std::vector<T> values(data.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), data.data(), data.size());
  return values;
}

template <class A, class T>
Value sums_of_floats(Op op, const std::vector<T>& values) {
  A acc = op == Op::product ? A{1} : A{0};
  for (const T value : values) {
    const A x = static_cast<A>(value);
    acc = op == Op::product                               ? acc * x
          : op == Op::sum_of_squares || op == Op::l2_norm ? acc + x * x
                                                          : acc + x;
  }
  if (op == Op::mean) acc /= static_cast<A>(values.size());
  if (op == Op::l2_norm) acc = std::sqrt(acc);
  return {.is_float = true, .number = acc};
}

template <class T>
Value sums_of_integers(const Problem& problem, const std::vector<T>& values) {
  std::uint64_t acc = problem.op == Op::product ? 1 : 0;
  for (const T value : values) {
    const auto x = static_cast<std::uint64_t>(value);
    acc = problem.op == Op::product          ? acc * x
          : problem.op == Op::sum_of_squares ? acc + x * x
                                             : acc + x;
  }
  if (problem.op != Op::mean) return {.bits = acc};
  const double sum = info(problem.acc).kind == DTypeKind::signed_int
                         ? static_cast<double>(static_cast<std::int64_t>(acc))
                         : static_cast<double>(acc);
  return {.is_float = true, .number = sum / static_cast<double>(values.size())};
}

template <class T>
Value extreme(Op op, const std::vector<T>& values) {
  using Number = std::conditional_t<is_floating_v<T>, double, T>;
  using Limits = std::numeric_limits<Number>;
  const bool least =
      op == Op::min || op == Op::min_ignore_nan || op == Op::argmin || op == Op::argmin_ignore_nan;
  const bool skips = op == Op::min_ignore_nan || op == Op::max_ignore_nan ||
                     op == Op::argmin_ignore_nan || op == Op::argmax_ignore_nan;
  Number best = least ? (Limits::has_infinity ? Limits::infinity() : Limits::max())
                      : (Limits::has_infinity ? -Limits::infinity() : Limits::lowest());
  std::int64_t index = -1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = static_cast<Number>(values[i]);
    if (x != x && skips) continue;
    if (index >= 0 && best != best) break;
    if (index >= 0 && x == x && !(least ? x < best : best < x)) continue;
    best = x;
    index = static_cast<std::int64_t>(i);
  }
  if constexpr (is_floating_v<T>) return {.is_float = true, .number = best, .index = index};
  return {.bits = static_cast<std::uint64_t>(best), .index = index};
}

template <class T>
Value largest_magnitude(const std::vector<T>& values) {
  Value largest{.is_float = is_floating_v<T>};
  for (const T value : values) {
    if constexpr (is_floating_v<T>) {
      const double magnitude = std::fabs(static_cast<double>(value));
      if (magnitude != magnitude) return {.is_float = true, .number = magnitude};
      largest.number = std::fmax(largest.number, magnitude);
    } else {
      const auto whole = static_cast<std::uint64_t>(value);
      largest.bits = std::max(largest.bits, value < 0 ? 0 - whole : whole);
    }
  }
  return largest;
}

template <class T>
Value bits_of(Op op, const std::vector<T>& values) {
  std::uint64_t bits = op == Op::bit_and ? ~std::uint64_t{0} : op == Op::all ? 1 : 0;
  for (const T value : values) {
    const bool is_set = static_cast<bool>(value != T{});
    std::uint64_t whole = 0;
    if constexpr (!is_floating_v<T>) whole = static_cast<std::uint64_t>(value);
    if (op == Op::bit_and) bits &= whole;
    if (op == Op::bit_or) bits |= whole;
    if (op == Op::bit_xor) bits ^= whole;
    if (op == Op::all && !is_set) bits = 0;
    if (op == Op::any && is_set) bits = 1;
    if (op == Op::count_nonzero && is_set) ++bits;
  }
  return {.bits = bits};
}

template <class T>
Value both_extremes(const std::vector<T>& values) {
  Value both = extreme(Op::min, values);
  const Value greatest = extreme(Op::max, values);
  both.second = greatest.number;
  both.second_bits = greatest.bits;
  return both;
}

template <class A, class T>
Value exponentials(Op op, const std::vector<T>& values) {
  const double largest = extreme(Op::max, values).number;
  A sum = 0;
  for (const T value : values) {
    const A x = static_cast<A>(value);
    if (std::isfinite(largest)) sum += std::exp(x - static_cast<A>(largest));
  }
  if (!std::isfinite(largest)) sum = largest < 0 ? A{0} : static_cast<A>(largest);
  if (op == Op::softmax_stats) return {.is_float = true, .number = largest, .second = sum};
  const double log = std::isfinite(largest) ? std::log(static_cast<double>(sum)) : 0;
  return {.is_float = true, .number = largest + log};
}

/// In two passes, the second corrected by what its distances come to.
template <class A, class T>
Value mean_and_variance(Op op, const std::vector<T>& values) {
  const A count = static_cast<A>(values.size());
  A mean = 0;
  for (const T value : values) mean += static_cast<A>(value) / count;
  A off = 0;
  A squares = 0;
  for (const T value : values) {
    const A distance = static_cast<A>(value) - mean;
    off += distance;
    squares += distance * distance;
  }
  squares -= off * (off / count);
  if (squares < 0) squares = 0;  // and not where it is NaN
  const A divisor = op == Op::mean_sample_variance ? count - 1 : count;
  const A none = std::numeric_limits<A>::quiet_NaN();
  return {.is_float = true,
          .number = count > 0 ? mean + off / count : none,
          .second = divisor > 0 && off == off ? squares / divisor : none};
}

template <class T>
Value several_values(const Problem& problem, const std::vector<T>& values) {
  const bool is_wide = problem.acc == DType::f64;
  if (problem.op == Op::min_max) return both_extremes(values);
  if (problem.op == Op::mean_variance || problem.op == Op::mean_sample_variance) {
    return is_wide ? mean_and_variance<double>(problem.op, values)
                   : mean_and_variance<float>(problem.op, values);
  }
  return is_wide ? exponentials<double>(problem.op, values)
                 : exponentials<float>(problem.op, values);
}

template <class T>
Value value_of(const Problem& problem, const std::vector<T>& values) {
  if (is_joint(problem.op)) return several_values(problem, values);
  switch (problem.op) {
    case Op::sum:
    case Op::product:
    case Op::mean:
    case Op::sum_of_squares:
    case Op::l2_norm:
      if (problem.acc == DType::f32) return sums_of_floats<float>(problem.op, values);
      if (problem.acc == DType::f64) return sums_of_floats<double>(problem.op, values);
      if constexpr (!is_floating_v<T>) return sums_of_integers(problem, values);
      return {};
    case Op::abs_max:
      return largest_magnitude(values);
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::all:
    case Op::any:
    case Op::count_nonzero:
      return bits_of(problem.op, values);
    default:
      return extreme(problem.op, values);
  }
}

/// The bytes of a result, as a kernel would write them.
[[nodiscard]] inline std::vector<std::byte> result_of(const Problem& problem,
                                                      std::span<const std::byte> data) {
  const Value value = visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    return value_of(problem, values_of<T>(data));
  });
  std::vector<std::byte> result(result_bytes(problem), std::byte{0x77});
  visit_dtype(problem.out, [&]<class Out>(std::type_identity<Out>) {
    const auto write = [&](double number, std::uint64_t bits, std::size_t place) {
      Out out{};
      if (value.is_float) {
        if constexpr (is_floating_v<Out>) out = static_cast<Out>(number);
      } else if constexpr (!is_floating_v<Out>) {
        out = static_cast<Out>(bits);
      }
      std::memcpy(&result[place * sizeof(Out)], &out, sizeof(out));
    };
    write(value.number, value.bits, 0);
    if (info(problem.op).shape == ResultShape::pair) write(value.second, value.second_bits, 1);
  });
  if (info(problem.op).shape == ResultShape::indexed) {
    std::memcpy(&result[8], &value.index, sizeof(value.index));
  }
  return result;
}

}  // namespace redtune::tuner::naive
