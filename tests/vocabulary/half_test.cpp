// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The 16-bit floats: every pattern there and back, and every rounding against one that is written
// with nothing but scaling by powers of two.
#include "redtune/half.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace redtune {
namespace {

/// How a type is made, and nothing of how it is implemented.
struct Layout {
  int fraction_bits;
  int least_exponent;  ///< of normal numbers
  int most_exponent;
};

template <class T>
constexpr Layout layout{10, -14, 15};
template <>
constexpr Layout layout<bfloat16>{7, -126, 127};

template <class T>
constexpr unsigned infinity_bits = ((1U << (15 - layout<T>.fraction_bits)) - 1)
                                   << layout<T>.fraction_bits;

/// The value of a pattern, by its definition.
template <class T>
long double value_of(std::uint16_t bits) {
  const int fraction_bits = layout<T>.fraction_bits;
  const unsigned size = bits & 0x7fffU;
  const long double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (size == infinity_bits<T>) return sign * std::numeric_limits<long double>::infinity();
  if (size > infinity_bits<T>) return std::numeric_limits<long double>::quiet_NaN();
  const unsigned fraction = size & ((1U << fraction_bits) - 1);
  const int exponent = static_cast<int>(size >> fraction_bits);
  if (exponent == 0) {
    return sign *
           std::ldexp(static_cast<long double>(fraction), layout<T>.least_exponent - fraction_bits);
  }
  return sign * std::ldexp(static_cast<long double>(fraction | (1U << fraction_bits)),
                           exponent - 1 + layout<T>.least_exponent - fraction_bits);
}

/// The pattern nearest to x, ties to the even one.
template <class T>
std::uint16_t nearest(long double x) {
  const int fraction_bits = layout<T>.fraction_bits;
  const unsigned sign = std::signbit(x) ? 0x8000U : 0;
  const long double size = std::fabs(x);
  if (size == 0) return static_cast<std::uint16_t>(sign);
  int exponent = 0;
  if (std::isfinite(size)) (void)std::frexp(size, &exponent);
  --exponent;  // of 1.xxx
  if (!std::isfinite(size) || exponent > layout<T>.most_exponent) {
    return static_cast<std::uint16_t>(sign | infinity_bits<T>);
  }
  const int unit = std::max(exponent, layout<T>.least_exponent) - fraction_bits;
  const long double places = std::ldexp(size, -unit);  // at most fraction_bits + 1 bits are whole
  auto whole = static_cast<unsigned>(std::floor(places));
  const long double rest = places - std::floor(places);
  if (rest > 0.5L || (rest == 0.5L && whole % 2 != 0)) ++whole;
  // A fraction that overflows carries into the exponent, and from the last into infinity.
  const int steps = std::max(exponent, layout<T>.least_exponent) - layout<T>.least_exponent;
  return static_cast<std::uint16_t>(sign |
                                    (whole + (static_cast<unsigned>(steps) << fraction_bits)));
}

template <class T>
class SmallFloat : public testing::Test {};
using SmallFloats = testing::Types<half, bfloat16>;
TYPED_TEST_SUITE(SmallFloat, SmallFloats);

TYPED_TEST(SmallFloat, KeepsEveryPatternThereAndBack) {
  for (unsigned bits = 0; bits < 0x10000U; ++bits) {
    const auto word = static_cast<std::uint16_t>(bits);
    const auto x = TypeParam::from_bits(word);
    const float value = x;
    const long double expected = value_of<TypeParam>(word);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      ASSERT_TRUE(std::isnan(static_cast<float>(TypeParam(value)))) << bits;
      ASSERT_TRUE(std::isnan(static_cast<float>(TypeParam(static_cast<double>(value))))) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<long double>(value), expected) << bits;
    ASSERT_EQ(std::signbit(value), std::signbit(expected)) << bits;
    ASSERT_EQ(TypeParam(value).bits, word);
    ASSERT_EQ(TypeParam(static_cast<double>(value)).bits, word);
    ASSERT_EQ(nearest<TypeParam>(expected), word) << "the test itself is wrong";
  }
}

/// At every number, at the middle between it and the next, and next to both.
TYPED_TEST(SmallFloat, RoundsToNearestAndTiesToEven) {
  for (unsigned bits = 0; bits < infinity_bits<TypeParam>; ++bits) {
    const auto low = value_of<TypeParam>(static_cast<std::uint16_t>(bits));
    auto high = value_of<TypeParam>(static_cast<std::uint16_t>(bits + 1));
    if (std::isinf(high)) high = std::ldexp(1.0L, layout<TypeParam>.most_exponent + 1);
    const auto middle = static_cast<double>((low + high) / 2);
    for (const double x : {static_cast<double>(low), middle}) {
      for (const double near : {std::nextafter(x, 0.0), x, std::nextafter(x, 1e300)}) {
        for (const double signed_one : {near, -near}) {
          ASSERT_EQ(TypeParam(signed_one).bits, nearest<TypeParam>(signed_one)) << signed_one;
        }
      }
      const auto single = static_cast<float>(x);
      for (const float near :
           {std::nextafter(single, 0.0F), single, std::nextafter(single, 3e38F)}) {
        ASSERT_EQ(TypeParam(near).bits, nearest<TypeParam>(near)) << near;
        ASSERT_EQ(TypeParam(-near).bits, nearest<TypeParam>(-near)) << near;
      }
    }
  }
}

TYPED_TEST(SmallFloat, RoundsNumbersOfAnySizeOnce) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t bits = random();
    double wide = 0;
    std::memcpy(&wide, &bits, sizeof(wide));
    const auto word = static_cast<std::uint32_t>(bits);
    float single = 0;
    std::memcpy(&single, &word, sizeof(single));
    // The same number in the range of the type, where most of the patterns above are not.
    const double inside =
        std::ldexp(static_cast<double>(bits >> 11), -53 - static_cast<int>(bits % 40));
    for (const double x : {wide, static_cast<double>(single), inside, -inside}) {
      if (std::isnan(x)) continue;
      ASSERT_EQ(TypeParam(x).bits, nearest<TypeParam>(x)) << x;
    }
    if (!std::isnan(single)) {
      ASSERT_EQ(TypeParam(single).bits, nearest<TypeParam>(single)) << single;
    }
  }
}

TYPED_TEST(SmallFloat, KnowsItsEnds) {
  const auto inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(TypeParam(inf).bits, infinity_bits<TypeParam>);
  EXPECT_EQ(TypeParam(-inf).bits, infinity_bits<TypeParam> | 0x8000U);
  EXPECT_EQ(TypeParam(1e300).bits, infinity_bits<TypeParam>);
  EXPECT_EQ(TypeParam(1e-300).bits, 0);
  EXPECT_EQ(TypeParam(-1e-300).bits, 0x8000U);
  const double least = static_cast<double>(value_of<TypeParam>(1));
  EXPECT_EQ(TypeParam(least / 2).bits, 0) << "a tie, to even";
  EXPECT_EQ(TypeParam(std::nextafter(least / 2, 1)).bits, 1);
}

TYPED_TEST(SmallFloat, KeepsNaNWhateverItCarries) {
  for (const std::uint32_t word : {0x7f800001U, 0x7f801000U, 0x7fbfffffU, 0x7fc00000U, 0x7fffffffU,
                                   0xff800001U, 0xffffffffU}) {
    float x = 0;
    std::memcpy(&x, &word, sizeof(x));
    EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(x)))) << std::hex << word;
  }
  for (const std::uint64_t word : {0x7ff0000000000001ULL, 0x7ff8000000000000ULL,
                                   0x7fffffffffffffffULL, 0xfff0000000000001ULL}) {
    double x = 0;
    std::memcpy(&x, &word, sizeof(x));
    EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(x)))) << std::hex << word;
  }
}

TEST(Half, KnowsItsLandmarks) {
  EXPECT_EQ(half(1.0F).bits, 0x3c00);
  EXPECT_EQ(half(-2.0F).bits, 0xc000);
  EXPECT_EQ(half(65504.0F).bits, 0x7bff);
  EXPECT_EQ(half(65519.0F).bits, 0x7bff);
  EXPECT_EQ(half(65520.0F).bits, 0x7c00);
  EXPECT_EQ(half(0x1p-24F).bits, 1);
  // Rounded to float first, this would be a tie and become 1.
  EXPECT_EQ(half(1 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
  EXPECT_EQ(bfloat16(1.0F).bits, 0x3f80);
  EXPECT_EQ(bfloat16(1 + 0x1p-8 + 0x1p-40).bits, 0x3f81);
  EXPECT_EQ(bfloat16(3.3961775e38F).bits, 0x7f80);
}

}  // namespace
}  // namespace redtune
