// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/acceptable.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tuner/verify/float_format.hpp"
#include "tuner/verify/fold.hpp"

namespace redtune::tuner {
namespace {

constexpr long double infinite = std::numeric_limits<long double>::infinity();

/// Roundings of an element that becomes an accumulator.
std::int64_t conversions(const Problem& problem) {
  const DTypeInfo& in = info(problem.in);
  return in.kind != DTypeKind::floating && in.bytes == 8 ? 1 : 0;
}

/// Roundings of an element until it is part of a sum that passes so many additions.
std::int64_t roundings_in_sum(const Problem& problem, std::int64_t chain) {
  const std::int64_t of_square = squares(problem.op) ? 1 + conversions(problem) : 0;
  return chain + of_square + conversions(problem);
}

Acceptable only_nan() {
  return {.nan = true, .number = false};
}

/// Of sums and sums of squares, in the accumulator.
Acceptable of_sum(const Problem& problem, const Reference& reference, std::int64_t chain) {
  const FloatFormat format = format_of(problem.acc);
  const bool is_squared = squares(problem.op);
  const long double theta = relative_error(roundings_in_sum(problem, chain), format);
  Acceptable right;
  right.plus_infinity = reference.positive * (1 + theta) >= format.overflow();
  right.minus_infinity = reference.negative * (1 + theta) >= format.overflow();
  if (std::isnan(reference.value)) return only_nan();
  if (std::isinf(reference.value)) {
    const bool is_plus = reference.value > 0;
    return {.plus_infinity = is_plus,
            .minus_infinity = !is_plus,
            .nan = is_plus ? right.minus_infinity : right.plus_infinity,
            .number = false};
  }
  right.nan = right.plus_infinity && right.minus_infinity;
  const long double exact = reference.value + reference.lost;
  long double error = theta * (reference.positive + reference.negative);
  // Atomic additions of f32 flush numbers below the normal ones to zero on some GPUs.
  if (problem.order == Order::any) {
    const std::int64_t flushes = roundings_in_sum(problem, chain) - conversions(problem);
    error += static_cast<long double>(flushes) * 0x1p-126L;
  }
  if (is_squared) error += static_cast<long double>(reference.count) * format.least() * (1 + theta);
  right.low = exact - error;
  right.high = exact + error;
  return right;
}

Acceptable root_of(Acceptable right, const FloatFormat& format) {
  const long double u = format.unit_roundoff();
  right.low = std::sqrt(std::max(right.low, 0.0L)) * (1 - u);
  right.high = std::sqrt(std::max(right.high, 0.0L)) * (1 + u);
  return right;
}

/// Of a sum that is divided by the count.
Acceptable mean_of(Acceptable right, const Reference& reference, const FloatFormat& format) {
  if (reference.count == 0) return only_nan();
  const long double theta = relative_error(2, format);
  const auto ends = {right.low / static_cast<long double>(reference.count),
                     right.high / static_cast<long double>(reference.count)};
  const long double error =
      theta * std::max(std::fabs(std::min(ends)), std::fabs(std::max(ends))) + format.least();
  right.low = std::min(ends) - error;
  right.high = std::max(ends) + error;
  return right;
}

/// Of integers that were summed exactly: rounded as a float, the count rounded, and divided.
Acceptable of_integer_mean(const Problem& problem, const Reference& reference) {
  const bool is_signed = info(problem.acc).kind == DTypeKind::signed_int;
  const long double sum = is_signed
                              ? static_cast<long double>(static_cast<std::int64_t>(reference.bits))
                              : static_cast<long double>(reference.bits);
  const FloatFormat format = format_of(DType::f64);
  const long double error = relative_error(1, format) * std::fabs(sum);
  return mean_of({.low = sum - error, .high = sum + error}, reference, format);
}

/// Exponents of two, since partial products know no bounds.
struct PartialProducts {
  long double largest;
  long double smallest;
};

/// Of the finite factors that are not zero, as a magnitude.
Acceptable finite_product(const Reference& reference, const FloatFormat& format,
                          std::int64_t roundings) {
  const long double theta = relative_error(roundings, format);
  ScaledProduct product = reference.grown;
  product.multiply(reference.shrunk);
  const long double exact = product.value();
  const long double slack = std::log2(1 + theta);
  const PartialProducts partial{reference.grown.log2() + slack, reference.shrunk.log2() - slack};
  long double lost = 0;
  if (partial.smallest < std::log2(format.least_normal())) {
    lost = std::exp2(std::log2(format.least()) + partial.largest +
                     std::log2(static_cast<long double>(reference.count)));
  }
  Acceptable right;
  right.low = lost == infinite ? 0 : std::max(0.0L, exact / (1 + theta) - lost);
  right.high = exact * (1 + theta) + lost;
  right.plus_infinity = partial.largest >= std::log2(format.overflow());
  // Infinity times what became zero.
  right.nan = right.plus_infinity && partial.smallest < std::log2(format.least());
  return right;
}

Acceptable of_product(const Problem& problem, const Reference& reference) {
  if (reference.nans > 0 || (reference.zeros > 0 && reference.infinities > 0)) return only_nan();
  const FloatFormat format = format_of(problem.acc);
  const std::int64_t roundings =
      std::max<std::int64_t>(0, reference.inexact - 1) + reference.inexact * conversions(problem);
  Acceptable right = finite_product(reference, format, roundings);
  if (reference.zeros > 0) return {.nan = right.plus_infinity};
  const bool is_negative = reference.negatives % 2 != 0;
  if (reference.infinities > 0) {
    return {.plus_infinity = !is_negative,
            .minus_infinity = is_negative,
            .nan = reference.shrunk.log2() < std::log2(format.least()),
            .number = false};
  }
  if (!is_negative) return right;
  return {.low = -right.high,
          .high = -right.low,
          .minus_infinity = right.plus_infinity,
          .nan = right.nan};
}

/// A number, or an infinity, that is known exactly.
Acceptable exactly(long double value) {
  if (std::isnan(value)) return only_nan();
  if (std::isfinite(value)) return {.low = value, .high = value};
  return {.plus_infinity = value > 0, .minus_infinity = value < 0, .number = false};
}

constexpr std::int64_t of_combination = 8;  ///< roundings

long double error_of_exponentials(const Problem& problem, std::int64_t count, std::int64_t chain) {
  const auto distances = std::bit_width(static_cast<std::uint64_t>(count));
  return relative_error(of_combination * (chain + 2) + 5 * distances, format_of(problem.acc));
}

/// To the logarithm, in f64.
constexpr long double of_last_addition = 0x1p-51L;

/// value 0: the largest, 1: the sum.
Acceptable of_exponentials(const Problem& problem, const Reference& reference, std::int64_t chain,
                           std::size_t value) {
  const bool is_finite = std::isfinite(reference.value);
  if (problem.op == Op::softmax_stats && value == 0) return exactly(reference.value);
  if (!is_finite && problem.op == Op::logsumexp) return exactly(reference.value);
  if (!is_finite) return exactly(reference.value < 0 ? 0 : reference.value);
  const long double theta = error_of_exponentials(problem, reference.count, chain);
  const long double sum = reference.second;
  if (problem.op == Op::softmax_stats) return {.low = sum * (1 - theta), .high = sum * (1 + theta)};
  const long double exact = reference.value + std::log(sum);
  const long double error = theta * (1 + theta) + of_last_addition * std::fabs(exact);
  return {.low = exact - error, .high = exact + error};
}

/// How much of themselves means and squares of distances may be off.
struct MomentErrors {
  long double relative;
  long double of_mean;  ///< what squares have of the mean's, squared
};
MomentErrors errors_of_moments(const Problem& problem, std::int64_t count, std::int64_t chain) {
  const FloatFormat format = format_of(problem.acc);
  const std::int64_t roundings = of_combination * (chain + 4);
  const long double u = format.unit_roundoff();
  const long double of_mean = 32 * static_cast<long double>(roundings) * u * u * u;
  // This reference is merged of parts of 1024 elements, in long double.
  const long double own = (static_cast<long double>(count) / 1024 + 1024) * 0x1p-63L;
  return {relative_error(roundings, format) + of_mean + own, of_mean};
}

/// What the errors of squares of distances scale with: they themselves. An element that is rounded
/// when it becomes a float moves its distance by u of itself, less than an eighth of the relative
/// error allows.
long double reach_of_squares(const Problem& problem, const Reference& reference) {
  if (conversions(problem) == 0) return reference.second;
  const auto count = static_cast<long double>(reference.count);
  const long double u = format_of(problem.acc).unit_roundoff();
  return reference.second + (2 * reference.largest * std::sqrt(count * reference.second) +
                             count * u * reference.largest * reference.largest) /
                                8;
}

/// How far the squares of distances may be off.
long double error_of_squares(const Problem& problem, const Reference& reference,
                             std::int64_t chain) {
  const auto count = static_cast<long double>(reference.count);
  const MomentErrors errors = errors_of_moments(problem, reference.count, chain);
  return errors.relative * reach_of_squares(problem, reference) +
         errors.of_mean * count * reference.value * reference.value +
         4 * count * format_of(problem.acc).least();
}

std::int64_t divisor_of(const Problem& problem, const Reference& reference) {
  return reference.count - (problem.op == Op::mean_sample_variance ? 1 : 0);
}

/// value 0: the mean, 1: the variance.
Acceptable of_moments(const Problem& problem, const Reference& reference, std::int64_t chain,
                      std::size_t value) {
  const std::int64_t divisor = divisor_of(problem, reference);
  if (reference.count == 0 || reference.nans > 0) return only_nan();
  if (value == 1 && divisor < 1) return only_nan();
  const FloatFormat format = format_of(problem.acc);
  const auto count = static_cast<long double>(reference.count);
  const bool may_overflow = reference.largest >= format.overflow() / 4;
  Acceptable right{
      .plus_infinity = may_overflow, .minus_infinity = may_overflow, .nan = may_overflow};
  if (value == 0) {
    const long double error =
        errors_of_moments(problem, reference.count, chain).relative * (reference.positive / count) +
        static_cast<long double>(chain + 4) * format.least();
    right.low = reference.value - error;
    right.high = reference.value + error;
    return right;
  }
  const long double error = error_of_squares(problem, reference, chain);
  const auto divided = static_cast<long double>(divisor);
  right.minus_infinity = false;
  right.low = std::max(0.0L, reference.second - error) / divided;
  right.high = (reference.second + error) / divided;
  const long double off = 16 * format.unit_roundoff() * (reference.positive / count);
  if (reference.second + error + count * off * off >= format.overflow() / 4) {
    right.plus_infinity = true;
    right.nan = true;
  }
  return right;
}

}  // namespace

Acceptable acceptable(const Problem& problem, const Reference& reference, std::int64_t chain,
                      std::size_t value) {
  if (group_of(problem.op) == Group::exponentials) {
    return of_exponentials(problem, reference, chain, value);
  }
  if (group_of(problem.op) == Group::moments) return of_moments(problem, reference, chain, value);
  if (problem.op == Op::product) return of_product(problem, reference);
  if (!rounds(problem)) return of_integer_mean(problem, reference);
  const FloatFormat format = format_of(problem.acc);
  const Acceptable sum = of_sum(problem, reference, chain);
  if (problem.op == Op::l2_norm) return root_of(sum, format);
  if (problem.op == Op::mean) return mean_of(sum, reference, format);
  return sum;
}

namespace {

/// Whether what is acceptable depends on the order of additions.
bool is_float_sum(const Problem& problem) {
  return problem.op != Op::product && rounds(problem);
}

}  // namespace

Near near_of(const Problem& problem, const Reference& reference, std::size_t value) {
  if (group_of(problem.op) == Group::exponentials) {
    if (problem.op == Op::logsumexp) return {reference.value + std::log(reference.second), 1};
    if (value == 0) return {reference.value, 0};
    if (std::isfinite(reference.value)) return {reference.second, reference.second};
    return {reference.value < 0 ? 0 : reference.value, 0};
  }
  if (group_of(problem.op) == Group::moments) {
    const std::int64_t divisor = divisor_of(problem, reference);
    if (reference.nans > 0 || reference.count == 0 || divisor < 1) {
      return {.value = std::numeric_limits<long double>::quiet_NaN()};
    }
    const auto count = static_cast<long double>(reference.count);
    if (value == 0) return {reference.value, reference.positive / count};
    const auto divided = static_cast<long double>(divisor);
    const long double reach = reach_of_squares(problem, reference);
    if (reach > 16 * reference.second) {  // no variance is below zero, which is not said here
      return {.value = std::numeric_limits<long double>::quiet_NaN(), .reach = reach / divided};
    }
    return {reference.second / divided, reach / divided};
  }
  if (!is_float_sum(problem)) {
    const Acceptable right = acceptable(problem, reference, 0);
    if (!right.number) return {.value = std::numeric_limits<long double>::quiet_NaN()};
    return {right.low / 2 + right.high / 2, right.high / 2 - right.low / 2};
  }
  const Near sum{reference.value + reference.lost, reference.positive + reference.negative};
  if (problem.op == Op::mean) {
    const auto count = static_cast<long double>(reference.count);
    return {sum.value / count, sum.reach / count};
  }
  if (problem.op != Op::l2_norm) return sum;
  // sqrt(s + t s) >= sqrt(s) (1 + t / 2 (1 - t)), and sqrt(s - t s) <= sqrt(s) (1 - t / 2).
  const long double root = std::sqrt(std::max(sum.value, 0.0L));
  return {root, root / 2};
}

Slack slack_of(const Problem& problem, std::int64_t chain) {
  if (group_of(problem.op) == Group::exponentials) {
    return {problem.op == Op::logsumexp ? of_last_addition : 0,
            error_of_exponentials(problem, problem.count, chain)};
  }
  if (group_of(problem.op) == Group::moments) {
    return {.per_reach = errors_of_moments(problem, problem.count, chain).relative};
  }
  if (!is_float_sum(problem)) return {.per_reach = 1};
  const FloatFormat format = format_of(problem.acc);
  const long double theta = relative_error(roundings_in_sum(problem, chain), format);
  if (problem.op == Op::mean) return {relative_error(2, format), theta};
  if (problem.op != Op::l2_norm) return {.per_reach = theta};
  return {format.unit_roundoff() * (1 - theta), theta * (1 - theta)};
}

}  // namespace redtune::tuner
