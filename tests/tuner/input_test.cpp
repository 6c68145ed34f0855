// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The numbers that candidates are verified on.
#include "tuner/verify/input.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace redtune::tuner {
namespace {

TEST(MakeInput, RepeatsItselfForASeedAndForNoOther) {
  for (const DTypeInfo& type : all_dtypes()) {
    const auto once = make_input(type.dtype, 1000, 7);
    EXPECT_EQ(once.size(), 1000 * type.bytes) << type.name;
    EXPECT_EQ(once, make_input(type.dtype, 1000, 7)) << type.name;
    EXPECT_NE(once, make_input(type.dtype, 1000, 8)) << type.name;
  }
}

TEST(MakeInput, StartsTheSameHoweverMuchIsAsked) {
  auto longer = make_input(DType::f32, 1000, 7);
  longer.resize(10 * 4);
  EXPECT_EQ(longer, make_input(DType::f32, 10, 7));
}

TEST(MakeInput, OfNothingIsEmpty) {
  for (const DTypeInfo& type : all_dtypes()) EXPECT_TRUE(make_input(type.dtype, 0, 1).empty());
}

TEST(MakeInput, HasBothSignsAndManyMagnitudesAndNeverNaN) {
  for (const DTypeInfo& type : all_dtypes()) {
    visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
      std::vector<T> values(100000);
      const auto bytes = make_input(type.dtype, 100000, 3);
      std::memcpy(values.data(), bytes.data(), bytes.size());
      std::size_t negative = 0;
      std::set<int> magnitudes;
      for (const T value : values) {
        const double x = static_cast<double>(value);
        ASSERT_TRUE(std::isfinite(x));
        negative += x < 0 ? 1 : 0;
        magnitudes.insert(std::ilogb(x));
      }
      if (type.bytes >= 4) {
        EXPECT_GE(magnitudes.size(), 12u) << type.name;
      }
      if (type.kind == DTypeKind::unsigned_int) return;
      EXPECT_GT(negative, values.size() * 4 / 10) << type.name;
      EXPECT_LT(negative, values.size() * 6 / 10) << type.name;
    });
  }
}

TEST(MakeInput, HasFewElementsAtTheEndsOfSmallTypesAndManyValues) {
  for (const DTypeInfo& type : all_dtypes()) {
    if (type.bytes >= 4) continue;
    visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
      std::vector<T> values(100000);
      const auto bytes = make_input(type.dtype, 100000, 3);
      std::memcpy(values.data(), bytes.data(), bytes.size());
      const std::set<T> different(values.begin(), values.end());
      EXPECT_GT(different.size(), 80u) << type.name;
      EXPECT_LE(std::ranges::count(values, *different.begin()), 5) << type.name;
      EXPECT_LE(std::ranges::count(values, *different.rbegin()), 5) << type.name;
      const double range = double(*different.rbegin()) - double(*different.begin());
      EXPECT_GT(range, std::exp2(8 * double(type.bytes) - 2)) << type.name;
    });
  }
}

/// The largest whole number below which floats have no gaps.
template <class T>
constexpr double gapless = static_cast<double>(std::int64_t{1} << std::numeric_limits<T>::digits);

template <class T>
void expect_exact_in_any_order(DType dtype, std::int64_t count, double least_numbers) {
  const auto bytes = make_whole_numbers(dtype, count, 3);
  std::vector<T> values(static_cast<std::size_t>(count));
  ASSERT_EQ(bytes.size(), values.size() * sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  double magnitudes = 0;
  double numbers = 0;
  double positive = 0;
  for (const T value : values) {
    ASSERT_EQ(value, std::round(value));
    magnitudes += std::fabs(static_cast<double>(value));
    numbers += value != 0 ? 1 : 0;
    positive += value > 0 ? 1 : 0;
  }
  EXPECT_LE(magnitudes, gapless<T>) << count;
  EXPECT_GE(numbers, least_numbers) << count;
  if (numbers > 1000) {
    EXPECT_NEAR(positive / numbers, 0.5, 0.1) << count;
  }
}

TEST(MakeWholeNumbers, AddUpToWhatFloatsHoldExactlyHoweverManyThereAre) {
  for (const std::int64_t count : {0, 1, 1000, 100000}) {
    expect_exact_in_any_order<float>(DType::f32, count, 0.9 * static_cast<double>(count) - 1);
    expect_exact_in_any_order<double>(DType::f64, count, 0.9 * static_cast<double>(count) - 1);
  }
  constexpr std::int64_t most = 1 << 24;
  expect_exact_in_any_order<float>(DType::f32, most / 8 + 1, most / 8.0 - 1);
  expect_exact_in_any_order<float>(DType::f32, most + 3, most / 2.0 - 1);
}

TEST(MakeWholeNumbers, OfIntegersAreAnyNumbers) {
  EXPECT_EQ(make_whole_numbers(DType::i32, 1000, 5), make_input(DType::i32, 1000, 5));
}

}  // namespace
}  // namespace redtune::tuner
