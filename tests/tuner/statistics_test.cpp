// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Medians and their intervals: the edges, and whether 95 % are 95 %.
#include "tuner/measure/statistics.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace redtune::tuner {
namespace {

TEST(Median, IsTheMiddleOneOrTheMeanOfTheMiddleTwo) {
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_EQ(median(std::vector{7.0}), 7);
  EXPECT_EQ(median(std::vector{9.0, 1.0}), 5);
  EXPECT_EQ(median(std::vector{9.0, 1.0, 2.0}), 2);
  EXPECT_EQ(median(std::vector{4.0, 1.0, 100.0, 2.0}), 3);
}

TEST(MedianInterval, OfNothingIsNoNumber) {
  EXPECT_TRUE(std::isnan(median_interval({}).median));
}

TEST(MedianInterval, OfFewSamplesReachesFromTheLeastToTheMost) {
  for (std::size_t n = 1; n < 9; ++n) {
    std::vector<double> samples(n);
    std::iota(samples.rbegin(), samples.rend(), 1.0);
    EXPECT_EQ(median_interval(samples),
              (Interval{1, static_cast<double>(n + 1) / 2, static_cast<double>(n)}))
        << n << " samples";
  }
}

TEST(MedianInterval, IsTheSameSeenFromBothEnds) {
  for (std::size_t n = 1; n < 200; ++n) {
    std::vector<double> samples(n);
    std::iota(samples.begin(), samples.end(), 1.0);
    const Interval up = median_interval(samples);
    EXPECT_DOUBLE_EQ(up.low + up.high, static_cast<double>(n + 1)) << n << " samples";
  }
}

/// The chance of at most k heads in n tosses.
double at_most_heads(std::size_t k, std::size_t n) {
  double chance = 0;
  for (std::size_t i = 0; i <= k; ++i) {
    const auto [a, b] = std::pair{static_cast<double>(n), static_cast<double>(i)};
    chance += std::exp(std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(a - b + 1) -
                       a * std::log(2));
  }
  return chance;
}

TEST(MedianInterval, MissesOnEitherSideWithAtMostTwoAndAHalfPercentFromSixSamplesOn) {
  for (std::size_t n = 6; n < 400; ++n) {
    std::vector<double> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0.0);
    const auto low = static_cast<std::size_t>(median_interval(ranks).low);
    EXPECT_LE(at_most_heads(low, n), 0.025) << n << " samples";
    // Two ranks further in would be too much: the interval is no wider than it must be.
    EXPECT_GT(at_most_heads(low + 2, n), 0.025) << n << " samples";
  }
}

TEST(MedianInterval, HoldsTheTrueMedianOfSkewedNumbersAboutNineteenTimesInTwenty) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> skewed;
  for (const std::size_t n : {6u, 9u, 20u, 100u}) {
    constexpr int repeats = 4000;
    int held = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      std::vector<double> samples(n);
      for (double& sample : samples) sample = skewed(random);
      const Interval interval = median_interval(samples);
      held += interval.low <= std::log(2.0) && std::log(2.0) <= interval.high ? 1 : 0;
    }
    const double coverage = static_cast<double>(held) / repeats;
    EXPECT_GE(coverage, 0.945) << n << " samples";
    EXPECT_LE(coverage, 0.995) << n << " samples";
  }
}

TEST(RatioInterval, IsOfThePairsAndNotOfTheMedians) {
  // Both drift by a factor of ten; each pair says 2.
  const std::vector<double> a{2, 4, 8, 16, 20};
  const std::vector<double> b{1, 2, 4, 8, 10};
  EXPECT_EQ(ratio_interval(a, b), (Interval{2, 2, 2}));
  EXPECT_TRUE(std::isnan(ratio_interval({}, {}).median));
}

}  // namespace
}  // namespace redtune::tuner
