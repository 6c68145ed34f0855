// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is folded a block at a time, against the elements one by one.
#include "tuner/verify/fold.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "kernel_templates/generate.hip.h"
#include "tests/support/special_floats.hpp"
#include "tuner/verify/input.hpp"

namespace redtune::tuner {
namespace {

using checks::double_inf;
using checks::double_nan;
using checks::inf;
using checks::nan;

constexpr std::size_t block = 1024;

template <class T>
Problem problem_of(Op op, const std::vector<T>& values, const ProblemChoices& choices = {}) {
  return make_problem(op, dtype_of<T>(), static_cast<std::int64_t>(values.size()), choices);
}

template <class T>
Reference reference(const Problem& problem, const std::vector<T>& values) {
  return reference_of(problem, std::as_bytes(std::span(values)));
}

/// Neumaier's sum of all elements in their order.
template <class T>
Reference sum_one_by_one(Op op, const std::vector<T>& values) {
  Reference sum;
  for (const T value : values) {
    auto x = static_cast<long double>(value);
    if (squares(op)) x *= x;
    const long double next = sum.value + x;
    if (std::isfinite(next)) {
      sum.lost +=
          std::fabs(sum.value) >= std::fabs(x) ? (sum.value - next) + x : (x - next) + sum.value;
    }
    sum.value = next;
    ++sum.count;
    if (std::isfinite(x)) (x < 0 ? sum.negative : sum.positive) += std::fabs(x);
  }
  return sum;
}

/// But for double rounding of a block.
bool is_near(long double got, long double right) {
  return std::fabs(got - right) <= right * 0x1p-40L;
}

void expect_same_sum(const Reference& got, const Reference& right, const std::string& what) {
  SCOPED_TRACE(what);
  EXPECT_EQ(got.count, right.count);
  EXPECT_TRUE(is_near(got.positive, right.positive)) << got.positive;
  EXPECT_TRUE(is_near(got.negative, right.negative)) << got.negative;
  if (std::isnan(right.value)) {
    EXPECT_TRUE(std::isnan(got.value));
  } else if (std::isinf(right.value)) {
    EXPECT_EQ(got.value, right.value);
  } else {
    const long double exact = right.value + right.lost;
    const long double magnitudes = right.positive + right.negative;
    const long double error = (got.value - right.value) + (got.lost - right.lost);
    EXPECT_LE(std::fabs(error), std::fabs(exact) * 0x1p-63L + magnitudes * 0x1p-88L);
  }
}

template <class T>
void expect_sums_as_one_by_one(const std::vector<T>& values, const std::string& what) {
  for (const Op op : {Op::sum, Op::sum_of_squares}) {
    const ProblemChoices choices =
        is_floating_v<T> ? ProblemChoices{} : ProblemChoices{.acc = DType::f64, .out = DType::f64};
    const Problem problem = problem_of(op, values, choices);
    expect_same_sum(reference(problem, values), sum_one_by_one(op, values),
                    describe(problem) + " " + what);
  }
}

/// Numbers of both signs over all magnitudes of the type, so that sums of any width round.
template <class T>
std::vector<T> varied(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = hash(i);
    if constexpr (is_floating_v<T>) {
      const int range = sizeof(T) == 2 ? 14 : 100;
      const int exponent = static_cast<int>(bits % static_cast<unsigned>(range)) - range / 2;
      const double digits = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-62;
      values[i] = static_cast<T>(std::ldexp(digits, exponent));
    } else {
      values[i] = static_cast<T>(bits >> 7);
    }
  }
  return values;
}

TEST(FoldSums, OfAnyLengthAreThoseOfTheElementsOneByOne) {
  for (const DTypeInfo& type : all_dtypes()) {
    visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
      for (const std::size_t count :
           {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{4}, std::size_t{5},
            block - 1, block, block + 1, block + 4, 2 * block + 3, 40 * block + 7}) {
        expect_sums_as_one_by_one(varied<T>(count), std::to_string(count));
      }
    });
  }
}

/// Zeros but for a few.
template <class T>
std::vector<T> sparse(std::initializer_list<std::pair<std::size_t, T>> elements) {
  std::vector<T> values(3 * block, T(0.0F));
  for (const auto& [index, value] : elements) values[index] = value;
  return values;
}

TEST(FoldSums, KeepEveryDigitOfWhatCancelsInALaneOrAnother) {
  const float large = 0x1p100F;
  for (const std::size_t behind : {8U, 9U, 700U, 1023U, 1024U, 1027U, 3071U}) {
    const auto values =
        sparse<float>({{0, large}, {4, 0x1p-20F}, {7, 3.0F}, {behind, -large}, {2000, 0x1p-19F}});
    const Reference got = reference(problem_of(Op::sum, values), values);
    EXPECT_EQ(got.value + got.lost, 3.0L + 0x1p-20L + 0x1p-19L) << behind;
    EXPECT_TRUE(is_near(got.negative, 0x1p100L)) << got.negative;
  }
  const auto doubles = sparse<double>({{0, 0x1p900}, {4, 0x1p-900}, {8, 1.0}, {12, -0x1p900}});
  const Reference got = reference(problem_of(Op::sum, doubles), doubles);
  EXPECT_EQ(got.value + got.lost, 1.0L) << "beside 1, 2^-900 is nothing";
}

TEST(FoldSums, OfSquaresKeepTheSmallBesideTheLarge) {
  const auto values = sparse<float>({{0, 0x1.fffffep120F}, {4, 0x1.fffffep90F}, {8, 0x1.8p-140F}});
  const Reference got = reference(problem_of(Op::sum_of_squares, values), values);
  const long double large = 0x1.fffffep120L * 0x1.fffffep120L;
  EXPECT_EQ(got.value, large);
  EXPECT_EQ(got.lost, 0x1.fffffep90L * 0x1.fffffep90L);
  const auto least = sparse<float>({{5, 0x1p-149F}, {9, -0x1p-149F}});
  EXPECT_EQ(reference(problem_of(Op::sum_of_squares, least), least).value, 0x1p-297L);
}

TEST(FoldSums, TakeInfinitiesAndNaNWhereverTheyStand) {
  for (const std::size_t at : {std::size_t{0}, std::size_t{500}, block - 1, block, 2 * block + 5}) {
    for (const float special : {inf, -inf, nan, -nan}) {
      auto values = varied<float>(3 * block + 2);
      values[at] = special;
      expect_sums_as_one_by_one(values, std::to_string(at));
      values[2 * block + 4] = inf;
      values[3 * block + 1] = -5;
      expect_sums_as_one_by_one(values, std::to_string(at) + ", and one more");
      auto halves = varied<half>(3 * block);
      halves[at] = half(special);
      expect_sums_as_one_by_one(halves, std::to_string(at));
    }
    for (const double special : {double_inf, -double_inf, double_nan}) {
      auto values = varied<double>(3 * block);
      values[at] = special;
      expect_sums_as_one_by_one(values, std::to_string(at));
    }
  }
}

TEST(FoldSums, OfWhatOverflowsADoubleOnTheWayAreExact) {
  constexpr double largest = std::numeric_limits<double>::max();
  std::vector<double> values(block, largest);
  for (std::size_t i = block / 2; i < block; ++i) values[i] = -largest;
  values[block / 2] = 1.5;
  const Reference got = reference(problem_of(Op::sum, values), values);
  EXPECT_EQ(got.value + got.lost, 1.5L + static_cast<long double>(largest));
  EXPECT_TRUE(is_near(got.positive / largest, 512)) << got.positive;
  expect_sums_as_one_by_one(values, "one by one");
  // Each sum is finite, the magnitudes together are not.
  for (std::size_t i = 0; i < block; ++i) values[i] = i / 4 % 2 == 0 ? largest : -largest;
  expect_sums_as_one_by_one(values, "in turns");
}

TEST(FoldSums, OfPartsOfGeneratedInputsAreThoseOfTheirElements) {
  for (const DType type : {DType::f32, DType::f16, DType::bf16, DType::f64}) {
    visit_dtype(type, [&]<class T>(std::type_identity<T>) {
      for (const std::size_t count : {block + 1, 4 * block, 16 * block - 3, 17 * block + 9}) {
        for (const std::int64_t first : {0, 1, 1023, 1024, 70001}) {
          const Problem problem = make_problem(Op::sum, type, static_cast<std::int64_t>(count));
          const Recipe recipe = recipe_of(problem, 6);
          std::vector<T> values(count);
          generate(recipe, first, std::as_writable_bytes(std::span(values)));
          expect_same_sum(reference_of(problem, recipe, first), sum_one_by_one(Op::sum, values),
                          describe(problem) + " from " + std::to_string(first));
        }
      }
    });
  }
}

TEST(FoldSums, OfManyPiecesAreThoseOfOne) {
  const auto values = varied<float>((std::size_t{2} << 20) + 5);
  expect_sums_as_one_by_one(values, "all cores");
}

/// The factors one by one, each counted as what it is.
template <class T>
Reference product_one_by_one(const std::vector<T>& values) {
  Reference product;
  product.bits = 1;
  for (const T value : values) {
    const auto x = static_cast<long double>(value);
    if constexpr (!is_floating_v<T>) product.bits *= static_cast<std::uint64_t>(value);
    if (std::isnan(x)) {
      ++product.nans;
      continue;
    }
    product.negatives += std::signbit(x) ? 1 : 0;
    const long double magnitude = std::fabs(x);
    product.zeros += magnitude == 0 ? 1 : 0;
    product.infinities += std::isinf(magnitude) ? 1 : 0;
    if (magnitude == 0 || std::isinf(magnitude)) continue;
    int exponent = 0;
    product.inexact += std::frexp(magnitude, &exponent) != 0.5L ? 1 : 0;
    if (magnitude != 1) (magnitude > 1 ? product.grown : product.shrunk).multiply(magnitude);
  }
  return product;
}

template <class T>
void expect_product_as_one_by_one(const std::vector<T>& factors, const ProblemChoices& choices) {
  std::vector<T> values(2000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = factors[hash(i) % factors.size()];
  const Problem problem = problem_of(Op::product, values, choices);
  SCOPED_TRACE(describe(problem));
  const Reference got = reference(problem, values);
  const Reference right = product_one_by_one(values);
  EXPECT_EQ(got.bits, right.bits);
  EXPECT_EQ(got.negatives, right.negatives);
  EXPECT_EQ(got.zeros, right.zeros);
  EXPECT_EQ(got.infinities, right.infinities);
  EXPECT_EQ(got.nans, right.nans);
  EXPECT_EQ(got.inexact, right.inexact);
  EXPECT_EQ(got.grown.log2(), right.grown.log2());
  EXPECT_EQ(got.shrunk.log2(), right.shrunk.log2());
}

TEST(FoldProducts, CountOnesAndAllOthersAsWhatTheyAre) {
  expect_product_as_one_by_one<float>({1, -1, -1, 2, -0.3F, 1.5F, 0, -0.0F, inf, -inf, nan}, {});
  expect_product_as_one_by_one<double>({1, -1, -1, 1 + 0x1p-52, -1 + 0x1p-53, double_nan}, {});
  expect_product_as_one_by_one<half>({half(1.0F), half(-1.0F), half(-1.0F), half(3.0F)}, {});
  const ProblemChoices in_floats{.acc = DType::f64, .out = DType::f64};
  expect_product_as_one_by_one<std::int8_t>({1, -1, -1, 3, -128}, in_floats);
  expect_product_as_one_by_one<std::uint8_t>({1, 255, 3}, in_floats);
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
  expect_product_as_one_by_one<std::int64_t>({1, -1, -1, far, -far, far - 1}, in_floats);
}

TEST(FoldExtremes, OfFloatsBetweenTheNumbersOfASmallerTypeAreThemselves) {
  const double near = 1 + 0x1p-52;
  const std::vector<double> doubles{1, near, -near, 1};
  EXPECT_EQ(reference(problem_of(Op::max, doubles), doubles).value, near);
  EXPECT_EQ(reference(problem_of(Op::argmax, doubles), doubles).index, 1);
  EXPECT_EQ(reference(problem_of(Op::argmin, doubles), doubles).index, 2);
  EXPECT_EQ(reference(problem_of(Op::abs_max, doubles), doubles).value, near);
}

TEST(FoldExtremes, GoOnWithWhatWasTakenBefore) {
  std::vector<std::int64_t> values{5, std::numeric_limits<std::int64_t>::min(), 7, 9};
  for (const Op op : {Op::min, Op::max, Op::abs_max}) {
    const Problem problem = problem_of(op, values);
    const auto data = std::as_bytes(std::span(values));
    Reference in_two = nothing_of(problem);
    fold(problem, {data.first(16), 0}, in_two);
    fold(problem, {data.subspan(16), 2}, in_two);
    const Reference at_once = reference(problem, values);
    EXPECT_EQ(in_two.bits, at_once.bits) << to_string(op);
    EXPECT_EQ(in_two.index, op == Op::max ? 3 : 1) << to_string(op);
    EXPECT_EQ(in_two.index, at_once.index) << to_string(op);
  }
}

TEST(BitLength, IsThatOfEveryPowerOfTwoAndOfWhatIsOneLess) {
  EXPECT_EQ(bit_length(0), 0);
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t power = std::uint64_t{1} << i;
    EXPECT_EQ(bit_length(power), i + 1);
    EXPECT_EQ(bit_length(power - 1), i);
  }
}

}  // namespace
}  // namespace redtune::tuner
