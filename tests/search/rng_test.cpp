// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The random numbers are the published ones, on every compiler, and fair.
#include "search/rng.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace redtune::search {
namespace {

TEST(Rng, GivesTheSameNumbersOnEveryCompiler) {
  // xoshiro256** from splitmix64(0), computed apart by an independent program (Python).
  Rng rng(0);
  EXPECT_EQ(rng.next(), 0x99ec5f36cb75f2b4U);
  EXPECT_EQ(rng.next(), 0xbf6e1f784956452aU);
  EXPECT_EQ(rng.next(), 0x1a5f849d4933e6e0U);
  for (int draw = 4; draw < 1000; ++draw) (void)rng.next();
  EXPECT_EQ(rng.next(), 0x7aac8c483a2edd2fU) << "the thousandth";
}

TEST(Rng, SeedsNextToEachOtherHaveNothingInCommon) {
  Rng one(1);
  Rng two(2);
  for (int draw = 0; draw < 100; ++draw) EXPECT_NE(one.next(), two.next());
}

TEST(Rng, DrawsEachNumberBelowABoundEquallyOften) {
  Rng rng(7);
  constexpr int draws = 60000;
  std::array<int, 6> seen{};
  for (int draw = 0; draw < draws; ++draw) ++seen.at(rng.below(seen.size()));
  const double expected = draws / 6.0;
  for (const int count : seen) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
}

TEST(Rng, DrawsOnlyZeroBelowOne) {
  Rng rng(7);
  for (int draw = 0; draw < 10; ++draw) EXPECT_EQ(rng.below(1), 0U);
}

TEST(Rng, UniformNumbersStayBelowOneAndAverageAHalf) {
  Rng rng(7);
  double sum = 0;
  for (int draw = 0; draw < 10000; ++draw) {
    const double number = rng.uniform();
    ASSERT_GE(number, 0.0);
    ASSERT_LT(number, 1.0);
    sum += number;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(Rng, ShufflesIntoEveryOrderEquallyOften) {
  Rng rng(7);
  constexpr int shuffles = 24000;
  std::map<std::vector<int>, int> seen;
  for (int shuffle = 0; shuffle < shuffles; ++shuffle) {
    std::vector<int> items{0, 1, 2, 3};
    rng.shuffle(std::span(items));
    ++seen[items];
  }
  ASSERT_EQ(seen.size(), 24U);
  for (const auto& [order, count] : seen) EXPECT_NEAR(count, 1000, 5 * std::sqrt(1000.0));
}

}  // namespace
}  // namespace redtune::search
