// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whether an output is what a reduction must give: the exact result, as far as rounding allows.
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

#include "redtune/problem.hpp"
#include "tests/kernels/exact_results.hpp"
#include "tests/kernels/joint_results.hpp"
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

/// What the result of a problem must be for some values; worked out once for many outputs.
class Expectation {
 public:
  template <class In>
  Expectation(const Problem& problem, std::span<const In> values)
      : problem_(problem), count_(values.size()) {
    const Op op = problem.op;
    if (is_joint(op)) {
      joint_ = joint_results(op, values);
    } else if (rounds(problem)) {
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
      if (joint_) return joint_met_by<Out>(output, chain);
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
  /// Each value within what its chain of combinations may lose.
  template <class Out>
  [[nodiscard]] testing::AssertionResult joint_met_by(const Output& output,
                                                      std::int64_t chain) const {
    const bool is_wide = problem_.acc == DType::f64;
    const long double u = is_wide ? unit_roundoff<double>() : unit_roundoff<float>();
    const long double least = is_wide ? least_normal<double>() : least_normal<float>();
    const std::size_t values = value_names(problem_.op).size();
    for (std::size_t i = 0; i < values; ++i) {
      const JointValue& exact = (*joint_)[i];
      Out got;
      std::memcpy(&got, reinterpret_cast<const std::byte*>(output.data()) + i * sizeof(Out),
                  sizeof(Out));
      if (is_within(
              exact, number(got), {chain, u, least},
              2 * unit_roundoff<Out>() * std::fabs(exact.value),
              std::min<long double>(largest_float<Out>(),
                                    is_wide ? largest_float<double>() : largest_float<float>()))) {
        continue;
      }
      return testing::AssertionFailure()
             << fmt::format("{} is {} instead of {}", value_names(problem_.op)[i],
                            static_cast<double>(number(got)), static_cast<double>(exact.value));
    }
    return testing::AssertionSuccess();
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
  std::optional<std::array<JointValue, 2>> joint_;
  Output expected_{};
};

/// Whether an output is the result of the problem for these values.
template <class In>
[[nodiscard]] testing::AssertionResult is_right(const Problem& problem, std::span<const In> values,
                                                const Output& output, std::int64_t chain) {
  return Expectation(problem, values).met_by(output, chain);
}

}  // namespace redtune::checks
