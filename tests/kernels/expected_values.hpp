// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a reduction must give, worked out plainly: one element after the other, in long double or
// wrapping 64 bits. Shares nothing with the answers that tuning verifies candidates by.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <span>

#include "redtune/error.hpp"
#include "redtune/problem.hpp"
#include "tests/kernels/reduction_inputs.hpp"

namespace redtune::checks {

/// The bytes of a result; those it does not have are zero.
using Output = std::array<std::uint64_t, 2>;

template <class T>
[[nodiscard]] T value_in(const Output& output) {
  T value;
  std::memcpy(&value, output.data(), sizeof(value));
  return value;
}

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

/// Roundings between an element and the result: those of its chain of combinations, and a few for
/// squaring, dividing and taking the root. Of a product all of them stay in it.
[[nodiscard]] inline std::int64_t roundings(Op op, std::int64_t chain, std::size_t count) {
  return (op == Op::product ? static_cast<std::int64_t>(count) : chain) + 4;
}

template <class T>
[[nodiscard]] long double unit_roundoff() {
  if constexpr (std::is_same_v<T, half>) return 0x1p-11L;
  if constexpr (std::is_same_v<T, bfloat16>) return 0x1p-8L;
  return static_cast<long double>(std::numeric_limits<T>::epsilon()) / 2;
}
template <class T>
[[nodiscard]] long double largest_float() {
  if constexpr (std::is_same_v<T, half>) return 65504;
  if constexpr (std::is_same_v<T, bfloat16>) return number(bfloat16::from_bits(0x7f7f));
  return static_cast<long double>(std::numeric_limits<T>::max());
}
template <class T>
[[nodiscard]] long double least_normal() {
  if constexpr (std::is_same_v<T, half>) return 0x1p-14L;
  if constexpr (std::is_same_v<T, bfloat16>) return 0x1p-126L;
  return static_cast<long double>(std::numeric_limits<T>::min());
}

/// Within k*u/(1 - k*u) * scale (Higham, Accuracy and Stability of Numerical Algorithms, 3.1 and
/// 4.2), u of the accumulator, and the rounding to the output's type. What the accumulator or the
/// output cannot hold is infinite, or as good as zero.
template <class Acc, class Out>
[[nodiscard]] testing::AssertionResult is_near(const Rounded& exact, std::int64_t k, Out result) {
  const long double got = number(result);
  const auto judge = [&](bool fine, long double bound) {
    if (fine) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << static_cast<double>(got) << " instead of " << static_cast<double>(exact.value)
           << " within " << static_cast<double>(bound);
  };
  if (std::isnan(exact.value)) return judge(std::isnan(got), 0);
  // Some factors overflow and others vanish: what meets first decides.
  if (exact.most > largest_float<Acc>() && exact.least < least_normal<Acc>()) return judge(true, 0);
  const long double most = std::min(largest_float<Acc>(), largest_float<Out>());
  const long double ku = static_cast<long double>(k) * unit_roundoff<Acc>();
  const long double bound =
      ku / (1 - ku) * exact.scale + 2 * unit_roundoff<Out>() * std::fabs(exact.value) +
      2 * std::max(least_normal<Out>(), least_normal<Acc>()) * unit_roundoff<Out>();
  if (std::fabs(exact.value) - bound > most || std::isinf(exact.value)) {
    return judge(std::isinf(got) && (got > 0) == (exact.value > 0), 0);
  }
  const bool may_overflow =
      std::fabs(exact.value) + bound > most || exact.squares > largest_float<Acc>();
  if (std::isinf(got)) return judge(may_overflow, bound);
  const long double slack =
      std::fabs(exact.value) < 2 * least_normal<Acc>() ? 2 * least_normal<Acc>() : 0;
  return judge(
      ku < 1 ? std::fabs(got - exact.value) <= bound + slack + exact.flushed : !std::isnan(got),
      bound);
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

/// What the result of a problem must be for some values; worked out once for many outputs.
class Expectation {
 public:
  template <class In>
  Expectation(const Problem& problem, std::span<const In> values)
      : problem_(problem), count_(values.size()) {
    const Op op = problem.op;
    if (rounds(problem)) {
      rounded_ = problem.acc == DType::f64 ? rounded_result<double>(op, values)
                                           : rounded_result<float>(op, values);
    } else if (is_extreme(op)) {
      set_extreme(extreme(op, values));
    } else if (op == Op::abs_max && is_floating_v<In>) {
      std::vector<In> sizes(values.begin(), values.end());
      for (In& x : sizes) x = number(x) < 0 ? from_number<In>(-number(x)) : x;
      if (sizes.empty()) sizes.push_back(from_number<In>(0));
      set_value(extreme(Op::max, std::span<const In>(sizes)).value);
    } else if (op == Op::mean) {
      const auto sum = integer_result(op, values);
      const long double exact = info(problem.acc).kind == DTypeKind::signed_int
                                    ? static_cast<long double>(static_cast<std::int64_t>(sum))
                                    : static_cast<long double>(sum);
      rounded_ = Rounded{exact / static_cast<long double>(count_), 0};
    } else {
      visit_dtype(problem.out, [&]<class Out>(std::type_identity<Out>) {
        if constexpr (std::is_integral_v<Out>)
          set_value(static_cast<Out>(integer_result(op, values)));
      });
    }
  }

  /// Whether an output is right. chain: the combinations a value may have lost in.
  [[nodiscard]] testing::AssertionResult met_by(const Output& output, std::int64_t chain) const {
    return visit_dtype(problem_.out, [&]<class Out>(std::type_identity<Out>) {
      const Out got = value_in<Out>(output);
      if constexpr (is_floating_v<Out>) {
        if (rounded_) {
          const std::int64_t k = roundings(problem_.op, chain, count_);
          if (problem_.acc == DType::f64) return is_near<double>(*rounded_, k, got);
          Rounded exact = *rounded_;
          // Atomic additions of floats treat numbers below the normal ones as zero on some GPUs.
          if (problem_.order == Order::any) {
            exact.flushed += static_cast<long double>(chain) * least_normal<float>();
          }
          return is_near<float>(exact, k, got);
        }
      }
      const Out expected = value_in<Out>(expected_);
      const bool same = number(expected) != number(expected) ? number(got) != number(got)
                                                             : number(got) == number(expected);
      const bool indexed = info(problem_.op).shape == ResultShape::indexed;
      if (same && (!indexed || output[1] == expected_[1])) return testing::AssertionSuccess();
      return testing::AssertionFailure()
             << fmt::format("{} instead of {}", text(output, got, indexed),
                            text(expected_, expected, indexed));
    });
  }

 private:
  [[nodiscard]] static bool is_extreme(Op op) {
    return op == Op::min || op == Op::max || op == Op::argmin || op == Op::argmax ||
           ignores_nan(op);
  }
  template <class Out>
  [[nodiscard]] static std::string text(const Output& output, Out value, bool indexed) {
    const auto shown = fmt::format("{}", static_cast<double>(number(value)));
    return indexed ? fmt::format("{} at {}", shown, static_cast<std::int64_t>(output[1])) : shown;
  }
  template <class Out>
  void set_value(Out value) {
    std::memcpy(expected_.data(), &value, sizeof(value));
  }
  template <class T>
  void set_extreme(const IndexedValue<T>& found) {
    set_value(found.value);
    expected_[1] = static_cast<std::uint64_t>(found.index);
  }

  Problem problem_;
  std::size_t count_;
  std::optional<Rounded> rounded_;
  Output expected_{};
};

/// Whether an output is the result of the problem for these values.
template <class In>
[[nodiscard]] testing::AssertionResult is_right(const Problem& problem, std::span<const In> values,
                                                const Output& output, std::int64_t chain) {
  return Expectation(problem, values).met_by(output, chain);
}

}  // namespace redtune::checks
