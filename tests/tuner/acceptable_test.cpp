// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How far results that round may be off: just inside the bounds, and just outside.
#include "tuner/verify/acceptable.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/special_floats.hpp"
#include "tuner/verify/float_format.hpp"

namespace redtune::tuner {
namespace {

using checks::inf;
using checks::nan;

constexpr float largest = std::numeric_limits<float>::max();

template <class Out, class T>
bool is_right(Op op, const std::vector<T>& values, Out got, std::int64_t chain = 1,
              const ProblemChoices& choices = {}) {
  const Problem problem =
      make_problem(op, dtype_of<T>(), static_cast<std::int64_t>(values.size()), choices);
  EXPECT_EQ(problem.out, dtype_of<Out>());
  const Reference reference = reference_of(problem, std::as_bytes(std::span(values)));
  return why_wrong(problem, reference, chain, &got).empty();
}

/// x and so many numbers further.
float steps(float x, int count) {
  for (; count > 0; --count) x = std::nextafter(x, inf);
  for (; count < 0; ++count) x = std::nextafter(x, -inf);
  return x;
}

TEST(FloatFormat, AgreesWithTheHostsTypes) {
  using Limits = std::numeric_limits<float>;
  const FloatFormat f32 = format_of(DType::f32);
  EXPECT_EQ(f32.unit_roundoff(), Limits::epsilon() / 2);
  EXPECT_EQ(f32.least(), Limits::denorm_min());
  EXPECT_EQ(f32.least_normal(), Limits::min());
  EXPECT_EQ(f32.overflow(), static_cast<long double>(largest) + 0x1p103L);
  EXPECT_EQ(format_of(DType::f64).overflow(),
            static_cast<long double>(std::numeric_limits<double>::max()) + 0x1p970L);
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto x = std::bit_cast<double>(random());
    if (std::isnan(x)) continue;
    EXPECT_EQ(f32.rounded(x), static_cast<float>(x)) << x;
    const double narrow = std::ldexp(static_cast<double>(random()), -75);
    EXPECT_EQ(format_of(DType::f16).rounded(narrow), half(narrow)) << narrow;
    EXPECT_EQ(format_of(DType::bf16).rounded(x), bfloat16(x)) << x;
  }
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
    const FloatFormat format = format_of(type);
    const long double u = format.unit_roundoff();
    const long double below = std::nextafter(format.overflow(), 0.0L);
    EXPECT_EQ(format.rounded(1 + u), 1) << "ties go to the even one";
    EXPECT_EQ(format.rounded(1 + 3 * u), 1 + 4 * u);
    EXPECT_EQ(format.rounded(-1 - u * 1.01L), -1 - 2 * u);
    EXPECT_EQ(format.rounded(below), format.overflow() - format.spacing(below) / 2);
    EXPECT_EQ(format.rounded(-format.overflow()), -inf);
    EXPECT_EQ(format.rounded(format.least() / 2), 0);
    EXPECT_TRUE(std::signbit(format.rounded(-format.least() / 2)));
    EXPECT_EQ(format.rounded(1.5L * format.least()), 2 * format.least());
    EXPECT_TRUE(std::isnan(format.rounded(std::numeric_limits<long double>::quiet_NaN())));
  }
  EXPECT_EQ(format_of(DType::f16).rounded(65519.99L), 65504);
  EXPECT_EQ(format_of(DType::f16).rounded(-65520), -inf);
}

TEST(FloatFormat, BoundsProductsOfRoundingsByGamma) {
  const FloatFormat f32 = format_of(DType::f32);
  for (const std::int64_t k : {1, 10, 1000, 1 << 20}) {
    const long double ku = static_cast<long double>(k) * 0x1p-24L;
    EXPECT_GE(relative_error(k, f32), ku);
    EXPECT_LE(relative_error(k, f32), ku / (1 - ku) * (1 + 1e-15L));
  }
  EXPECT_TRUE(std::isfinite(relative_error(std::int64_t{1} << 26, f32)));
}

TEST(ScaledProduct, KeepsItsDigitsOverAnyRange) {
  ScaledProduct product;
  EXPECT_EQ(product.value(), 1);
  for (int i = 0; i < 20000; ++i) product.multiply(1e300L);
  for (int i = 0; i < 20000; ++i) product.multiply(std::ldexp(1e-300L, 1));
  EXPECT_NEAR(static_cast<double>(product.log2()), 20000, 1e-9);
  ScaledProduct thirds;
  ScaledProduct other;
  for (int i = 0; i < 30; ++i) (i % 2 == 0 ? thirds : other).multiply(3);
  thirds.multiply(other);
  EXPECT_EQ(thirds.value(), 205891132094649.0L);  // 3^30
}

TEST(AcceptableSquares, RoundOnceMoreForEverySquare) {
  // 100 terms of 1: a chain of 3 and the squares allow 4 * 100 * 2^-24, and half an ulp.
  const std::vector<float> ones(100, 1.0F);
  const float ulp = steps(100, 1) - 100;
  const int most = static_cast<int>((4 * 100 * 0x1p-24 + ulp / 2) / ulp);
  EXPECT_TRUE(is_right(Op::sum_of_squares, ones, steps(100, most), 3));
  EXPECT_FALSE(is_right(Op::sum_of_squares, ones, steps(100, most + 1), 3));
  EXPECT_FALSE(is_right(Op::sum_of_squares, ones, 99.0F, 3));
}

TEST(AcceptableSquares, OverflowWhereTheyMust) {
  const std::vector<float> large(3, 1e19F);
  EXPECT_TRUE(is_right(Op::sum_of_squares, large, 3e38F, 3));
  EXPECT_FALSE(is_right(Op::sum_of_squares, large, inf, 3));
  const std::vector<float> larger(4, 1e19F);
  EXPECT_TRUE(is_right(Op::sum_of_squares, larger, inf, 3));
  EXPECT_FALSE(is_right(Op::sum_of_squares, larger, largest, 3));
  EXPECT_TRUE(is_right(Op::l2_norm, larger, inf, 3)) << "the squares do not fit";
  EXPECT_TRUE(is_right(Op::l2_norm, larger, 2e19F, 3)) << "a more careful kernel is right too";
  EXPECT_FALSE(is_right(Op::l2_norm, larger, nan, 3));
  EXPECT_TRUE(is_right(Op::l2_norm, larger, 2 * double{1e19F}, 3, {.acc = DType::f64}));
  EXPECT_FALSE(is_right(Op::l2_norm, larger, double{inf}, 3, {.acc = DType::f64}));
  EXPECT_TRUE(is_right(Op::l2_norm, std::vector<float>{1, -inf}, inf, 3));
  EXPECT_TRUE(is_right(Op::l2_norm, std::vector<float>{3e-30F, 4e-30F}, 0.0F)) << "underflow";
  EXPECT_FALSE(is_right(Op::l2_norm, std::vector<float>{3e-10F, 4e-10F}, 0.0F));
}

TEST(AcceptableNorms, HalveTheErrorOfTheSum) {
  const std::vector<float> values(4, 1.0F);  // the root of 4, within u * ((3 + 1) / 2 + 1) * 2,
                                             // which is 1.5 steps, and half a step
  EXPECT_TRUE(is_right(Op::l2_norm, values, steps(2, 2), 3));
  EXPECT_FALSE(is_right(Op::l2_norm, values, steps(2, 3), 3));
  EXPECT_TRUE(is_right(Op::l2_norm, std::vector<std::int32_t>{3, -4}, 5.0, 2));
  EXPECT_FALSE(is_right(Op::l2_norm, std::vector<std::int32_t>{3, -4}, 5.00001, 2));
}

TEST(AcceptableMeans, RoundTwiceMoreThanSums) {
  const std::vector<float> values(3, 1.0F);  // 3 roundings of 2^-24, and half an ulp of 2^-23
  EXPECT_TRUE(is_right(Op::mean, values, 1 + 2 * 0x1p-23F, 1));
  EXPECT_FALSE(is_right(Op::mean, values, 1 + 3 * 0x1p-23F, 1));
  EXPECT_FALSE(is_right(Op::mean, values, 3.0F, 1));
}

TEST(AcceptableSums, MayOverflowOnTheWayWhereTermsOfOneSignDo) {
  const std::vector<float> both{largest / 2, largest / 2, largest / 4, -largest / 2};
  EXPECT_TRUE(is_right(Op::sum, both, largest / 4 * 3));
  EXPECT_TRUE(is_right(Op::sum, both, inf)) << "the first three may meet first";
  EXPECT_FALSE(is_right(Op::sum, both, -inf));
  EXPECT_FALSE(is_right(Op::sum, both, nan));
  EXPECT_TRUE(is_right(Op::sum, std::vector<float>{largest, largest, -largest, -largest}, nan));
  EXPECT_FALSE(is_right(Op::sum, std::vector<float>{largest / 4, largest / 4}, inf));
  EXPECT_FALSE(is_right(Op::sum, std::vector<float>{inf, -largest / 2}, nan));
  EXPECT_TRUE(is_right(Op::sum, std::vector<float>{inf, -largest, -largest}, nan));
}

TEST(AcceptableSums, OfIntegersInFloatsRoundTheIntegersToo) {
  const std::vector<std::int64_t> values{(std::int64_t{1} << 53) + 1};
  const ProblemChoices real{.acc = DType::f64};
  EXPECT_TRUE(is_right(Op::sum, values, 0x1p53, 0, real));
  EXPECT_TRUE(is_right(Op::sum, values, 0x1p53 + 2, 0, real));
  EXPECT_FALSE(is_right(Op::sum, values, 0x1p53 + 6, 0, real));
}

TEST(AcceptableProducts, CarryTheRoundingsOfAllMultiplications) {
  // 11 factors that round and any number that do not: 10 roundings, whatever the chain.
  std::vector<float> values(1000, 2.0F);
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] = -0.5F;
  for (std::size_t i = 0; i < 11; ++i) values[i] = 1.5F;
  double exact = 1;
  for (const float x : values) exact *= x;
  const auto near = static_cast<float>(exact);
  ASSERT_EQ(near, exact);
  const double allowed = 10 * 0x1p-24 * exact;
  const double ulp = std::fabs(steps(near, 1) - near);
  const int most = static_cast<int>((std::fabs(allowed) + ulp / 2) / ulp);
  // The magnitudes above 1 together overflow, so that infinities would be right as well.
  EXPECT_TRUE(is_right(Op::product, values, static_cast<double>(near), 1, {.acc = DType::f64}));
  EXPECT_FALSE(is_right(Op::product, values, static_cast<double>(steps(near, 1)), 1000,
                        {.acc = DType::f64}));
  std::vector<float> few(values.begin(), values.begin() + 11);
  few.insert(few.end(), {2, -1, 1, 0.5F, -1});
  EXPECT_TRUE(is_right(Op::product, few, steps(86.49756F, 0)));
  EXPECT_FALSE(is_right(Op::product, few, -86.49756F)) << "the sign";
  EXPECT_FALSE(is_right(Op::product, few, steps(86.49756F, 12), 1000));
  EXPECT_TRUE(is_right(Op::product, few, steps(86.49756F, 4), 1));
  EXPECT_FALSE(is_right(Op::product, few, inf));
  EXPECT_FALSE(is_right(Op::product, few, 0.0F));
  EXPECT_FALSE(is_right(Op::product, few, nan));
  EXPECT_GE(most, 5);
}

TEST(AcceptableProducts, OverflowAndUnderflowOnlyWhereTheirFactorsDo) {
  const std::vector<float> mixed{1e30F, 1e30F, 1e-30F, -1e-30F};
  EXPECT_TRUE(is_right(Op::product, mixed, -1.0F));
  EXPECT_TRUE(is_right(Op::product, mixed, -inf)) << "the large ones may meet first";
  EXPECT_FALSE(is_right(Op::product, mixed, inf)) << "the sign";
  EXPECT_TRUE(is_right(Op::product, mixed, -0.0F)) << "or the small ones";
  EXPECT_TRUE(is_right(Op::product, mixed, nan)) << "or both, and then each other";
  EXPECT_FALSE(is_right(Op::product, std::vector<float>{1e30F, 1e30F}, largest));
  EXPECT_TRUE(is_right(Op::product, std::vector<float>{1e30F, 1e30F}, inf));
  EXPECT_FALSE(is_right(Op::product, std::vector<float>{1e30F, 1e30F, 2}, nan));
  EXPECT_TRUE(is_right(Op::product, std::vector<float>{1e-30F, 1e-30F}, 0.0F));
  EXPECT_FALSE(is_right(Op::product, std::vector<float>{1e-30F, 1e-30F}, 1e-30F));
  EXPECT_TRUE(is_right(Op::product, std::vector<float>{0x1p-140F, 0.5F}, 0x1p-141F));
}

TEST(AcceptableProducts, KnowZeroInfinityAndNaN) {
  EXPECT_TRUE(is_right(Op::product, std::vector<float>{0, 5, -2}, -0.0F));
  EXPECT_FALSE(is_right(Op::product, std::vector<float>{0, 5, -2}, nan));
  EXPECT_FALSE(is_right(Op::product, std::vector<float>{0, 5, -2}, 1e-30F));
  EXPECT_TRUE(is_right(Op::product, std::vector<float>{0, 1e30F, 1e30F}, nan)) << "0 * inf";
  EXPECT_TRUE(is_right(Op::product, std::vector<float>{inf, -2}, -inf));
  EXPECT_FALSE(is_right(Op::product, std::vector<float>{inf, -2}, inf));
  EXPECT_FALSE(is_right(Op::product, std::vector<float>{inf, -2}, nan));
  EXPECT_TRUE(is_right(Op::product, std::vector<float>{inf, 0}, nan));
  EXPECT_FALSE(is_right(Op::product, std::vector<float>{inf, 0}, 0.0F));
  EXPECT_TRUE(is_right(Op::product, std::vector<float>{nan, 0}, nan));
}

}  // namespace
}  // namespace redtune::tuner
