// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The expectation of the best of some trials, against all ways to draw them.
#include "cli/report/random_order.hpp"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>

namespace redtune::cli {
namespace {

using Times = std::vector<std::optional<double>>;

/// Over all subsets of so many trials in which something was measured.
double by_counting(const Times& times, std::size_t drawn) {
  double sum = 0;
  double subsets = 0;
  for (unsigned subset = 0; subset < 1U << times.size(); ++subset) {
    if (static_cast<std::size_t>(std::popcount(subset)) != drawn) continue;
    std::optional<double> best;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if ((subset >> i & 1U) == 0 || !times[i]) continue;
      best = std::min(best.value_or(*times[i]), *times[i]);
    }
    if (!best) continue;
    sum += *best;
    ++subsets;
  }
  return sum / subsets;
}

TEST(RandomOrder, IsTheMeanOverAllWaysToDraw) {
  for (const Times& times :
       {Times{5.0}, Times{3.0, 1.0, 2.0}, Times{7.0, 7.0, 1.5, 9.0, 2.0, 2.0, 30.0},
        Times{std::nullopt, 4.0, std::nullopt, 1.0, 8.0, std::nullopt}, Times{std::nullopt, 2.0}}) {
    const auto expected = expected_best(times, 100);
    ASSERT_EQ(expected.size(), times.size());
    for (const ExpectedBest& one : expected) {
      EXPECT_NEAR(one.time_us, by_counting(times, one.trials), 1e-12) << one.trials;
    }
  }
}

TEST(RandomOrder, KnowsNothingWhereNothingWasMeasured) {
  EXPECT_TRUE(expected_best({}, 100).empty());
  EXPECT_TRUE(expected_best({std::nullopt, std::nullopt}, 100).empty());
}

TEST(RandomOrder, OfManyTrialsFallsToTheBestInFewSteps) {
  Times times;
  for (int i = 0; i < 10'000; ++i) {
    times.push_back(i % 3 == 0 ? std::nullopt : std::optional(10.0 + i * 7919 % 10'007));
  }
  const auto expected = expected_best(times, 100);
  EXPECT_LE(expected.size(), 150U);
  EXPECT_TRUE(std::ranges::is_sorted(expected, std::greater{}, &ExpectedBest::time_us));
  EXPECT_EQ(expected.back().trials, times.size());
  EXPECT_DOUBLE_EQ(expected.back().time_us, **std::ranges::min_element(times, {}, [](auto time) {
                     return time.value_or(1e9);
                   }));
}

}  // namespace
}  // namespace redtune::cli
