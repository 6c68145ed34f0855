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

}  // namespace
}  // namespace redtune::tuner
