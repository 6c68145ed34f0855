// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The rounds of the final: who drops out, when they end, and that only odd rounds have a say.
#include "tuner/measure/final_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "tests/simulation/simulated_sampler.hpp"
#include "tests/support/special_floats.hpp"
#include "tuner/measure/decide.hpp"
#include "tuner/measure/protocol.hpp"

namespace redtune::tuner {
namespace {

using checks::double_nan;

/// Rounds of a default and a challenger, whose times differ by the half.
Rounds rounds_of(std::size_t count, double default_us, double even_us, double odd_us) {
  Rounds rounds;
  for (std::size_t r = 0; r < count; ++r) {
    rounds.push_back({default_us, r % 2 == 0 ? even_us : odd_us});
  }
  return rounds;
}

struct Final {
  explicit Final(SimulatedWorld world, FinalLimits limits = {}, std::uint64_t seed = 1)
      : sampler(std::move(world), seed) {
    Protocol protocol(sampler, {.seed = seed});
    std::vector<CandidateId> finalists;
    for (std::size_t i = 0; i < sampler.candidates(); ++i) finalists.push_back(CandidateId{i});
    rounds = protocol.confirm(finalists, limits);
  }

  SimulatedSampler sampler;
  Rounds rounds;
};

TEST(Rounds, TakeGapsForNoTimes) {
  const Rounds rounds{{1, 10}, {2, 20}, {3, double_nan}, {4, double_nan}};
  EXPECT_EQ(times_in(rounds, 1, Half::even), std::vector<double>{10});
  EXPECT_EQ(ratio_in(rounds, 1, 0, Half::odd), (Interval{10, 10, 10}));
  EXPECT_TRUE(is_still_in(rounds, 0));
  EXPECT_FALSE(is_still_in(rounds, 1));
}

TEST(Rounds, AreLedByTheFastestOfTheOddOnesThatIsStillIn) {
  EXPECT_EQ(fastest_of(rounds_of(4, 10, 5, 11)), 0U);
  EXPECT_EQ(fastest_of(rounds_of(4, 10, 15, 9)), 1U);
  Rounds dropped = rounds_of(4, 10, 9, 9);
  dropped.back()[1] = double_nan;
  EXPECT_EQ(fastest_of(dropped), 0U);
}

/// Forty rounds in which finalist 1 is as fast as the default and restless in one half of them.
Rounds restless_in(Half half) {
  Rounds rounds;
  for (std::size_t r = 0; r < 40; ++r) {
    const bool is_restless = r % 2 == static_cast<std::size_t>(half);
    const double noise = r / 2 % 2 == 0 ? 0.98 : 1.03;
    rounds.push_back({10, is_restless ? 10 * noise : 10.001});
  }
  return rounds;
}

TEST(FinalRounds, AreClearWhenNobodyCanBeMuchFasterThanTheFastest) {
  EXPECT_TRUE(is_clear(restless_in(Half::even))) << "even rounds were looked at";
  EXPECT_FALSE(is_clear(restless_in(Half::odd)));
}

TEST(FinalRounds, AreClearWhenTheGainIsSureOrKnownClosely) {
  const auto rounds_with = [](double default_us, double noise) {
    Rounds rounds;
    for (std::size_t r = 0; r < 40; ++r) {
      rounds.push_back({default_us * (r / 2 % 2 == 0 ? 1 : 1 + noise), 10});
    }
    return rounds;
  };
  EXPECT_TRUE(is_clear(rounds_with(15, 0.02))) << "sure, however large it is";
  EXPECT_FALSE(is_clear(rounds_with(10.04, 0.02))) << "it may be one or not";
  EXPECT_TRUE(is_clear(rounds_with(10.04, 0.002))) << "known to a quarter of a percent";
}

TEST(FinalRounds, DropByTheOddOnesAlone) {
  EXPECT_TRUE(is_clearly_slower(rounds_of(12, 10, 10, 10.3), 1, 0));
  EXPECT_FALSE(is_clearly_slower(rounds_of(12, 10, 10.3, 10.04), 1, 0));
}

TEST(FinalRounds, DropEarlyWhoWasFarBehindInEachRound) {
  const Final timed({.true_us = {12, 10, 10.2, 10.05}});
  const auto rounds_with = [&](std::size_t finalist) {
    return std::ranges::count_if(timed.rounds,
                                 [&](const auto& times) { return !std::isnan(times[finalist]); });
  };
  EXPECT_EQ(rounds_with(0), 30) << "the default stays";
  EXPECT_EQ(rounds_with(1), 30);
  EXPECT_EQ(rounds_with(2), 6);
  EXPECT_GE(rounds_with(3), 12) << "half a percent is not far";
}

TEST(FinalRounds, AreContentWithHalfAPercentAfterASecond) {
  const SimulatedWorld noisy{.true_us = {12, 10, 10}, .noise = 0.006};
  const auto rounds = [&](Seconds time) {
    return Final(noisy, {.most_rounds = 2000, .time_for_narrow = time}).rounds.size();
  };
  EXPECT_LT(rounds(Seconds(0)), rounds(Seconds(20)));
}

TEST(FinalRounds, AreContentWithOnePercentWhereTheyAreToBeBrief) {
  const SimulatedWorld noisy{.true_us = {12, 10, 10}, .noise = 0.012};
  const auto rounds = [&](Seconds time) {
    const FinalLimits limits{
        .most_rounds = 2000, .time_for_narrow = Seconds(0), .time_for_wide = time};
    return Final(noisy, limits).rounds.size();
  };
  EXPECT_LT(rounds(Seconds(0)), rounds(Seconds(20)));
}

TEST(FinalRounds, AreThirtyWhenTheAnswerIsClear) {
  EXPECT_EQ(Final({.true_us = {12, 10, 11}}).rounds.size(), 30U);
}

TEST(FinalRounds, GoOnForAsLongAsFinalistsCannotBeToldApart) {
  const SimulatedWorld equal{.true_us = {10, 10, 10}, .noise = 0.02};
  EXPECT_EQ(Final(equal).rounds.size(), 200U);
  EXPECT_EQ(Final(equal, {.most_rounds = 50}).rounds.size(), 50U);
  const Final brief(equal, {.most_rounds = 1000, .most_time = Seconds(2)});
  EXPECT_NEAR(static_cast<double>(brief.rounds.size()), 2 / 0.0039, 20);
  EXPECT_EQ(Final(equal, {.most_time = Seconds(0)}).rounds.size(), 30U) << "the least come first";
}

TEST(FinalRounds, TakeBatchesOfOneSizeForAll) {
  const Final timed({.true_us = {40, 10}});
  const std::size_t last = timed.sampler.orders.back().executions;
  EXPECT_GE(static_cast<double>(last) * 10, 1e3) << "a millisecond of the fastest";
  const auto in_rounds = std::span(timed.sampler.orders).last(2 * timed.rounds.size());
  for (const BatchOrder& order : in_rounds) EXPECT_EQ(order.executions, last);
}

TEST(FinalRounds, RepeatTheSlowLessOftenWhereEachExecutionIsTimedByItself) {
  const Final timed({.true_us = {320, 10}, .is_one_by_one = true});
  std::map<CandidateId, std::set<std::size_t>> sizes;
  for (const BatchOrder& order : std::span(timed.sampler.orders).last(2 * timed.rounds.size())) {
    sizes[order.candidate].insert(order.executions);
  }
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[CandidateId{0}].size(), 1U);
  EXPECT_LE(32 * *sizes[CandidateId{0}].begin(), 2 * *sizes[CandidateId{1}].begin());
}

TEST(FinalRounds, LoseTheClearlySlowerAndNeverTheDefault) {
  const Final timed({.true_us = {30, 10, 10.08}, .noise = 0.002});
  const Rounds& rounds = timed.rounds;
  EXPECT_FALSE(std::isnan(rounds[11][2])) << "not before an interval of 95 % is possible";
  EXPECT_TRUE(std::isnan(rounds[12][2]));
  EXPECT_TRUE(std::isnan(rounds.back()[2]));
  for (const auto& round : rounds) EXPECT_FALSE(std::isnan(round[0]) || std::isnan(round[1]));
}

TEST(FinalRounds, EndEarlyButNotBeforeBothHalvesCanTellAGain) {
  const std::atomic<bool> stop = true;
  EXPECT_EQ(Final({.true_us = {10, 10}, .noise = 0.02}, {.stop = &stop}).rounds.size(), 12U);
}

TEST(FinalRounds, TellAGainAlsoWhenTheyAreToBeBrief) {
  const FinalLimits brief{.least_rounds = 2, .most_rounds = 12, .most_time = Seconds(10)};
  const Final timed({.true_us = {20, 10}, .noise = 0.002}, brief);
  EXPECT_EQ(timed.rounds.size(), 12U);
  EXPECT_TRUE(decide(timed.rounds).significant);
  // Ten seconds are over first.
  const Final slow({.true_us = {2e6, 1e6}, .noise = 0.002}, brief);
  EXPECT_EQ(slow.rounds.size(), 4U);
}

TEST(FinalRounds, WithLongExecutionsEndSoonOnceTheyAreStopped) {
  const std::atomic<bool> stop = true;
  const SimulatedWorld slow{.true_us = {1e6, 1e6}, .noise = 0.02};
  const auto rounds = Final(slow, {.stop = &stop, .most_time_once_stopped = Seconds(6)}).rounds;
  // Asked after the second round; then six seconds, of two a round.
  EXPECT_GE(rounds.size(), 4U);
  EXPECT_LE(rounds.size(), 6U);
}

TEST(FinalRounds, HaveARandomOrderThatTheSeedTells) {
  const SimulatedWorld world{.true_us = std::vector<double>(5, 10.0), .noise = 0.02};
  const auto candidates = [](const Final& timed) {
    std::vector<CandidateId> all;
    for (const BatchOrder& order : timed.sampler.orders) all.push_back(order.candidate);
    return all;
  };
  const auto once = candidates(Final(world, {.most_rounds = 40}, 7));
  EXPECT_EQ(once, candidates(Final(world, {.most_rounds = 40}, 7)));
  EXPECT_NE(once, candidates(Final(world, {.most_rounds = 40}, 8)));
  std::set<std::vector<CandidateId>> orders;
  for (auto at = once.end() - 200; at != once.end(); at += 5) orders.insert({at, at + 5});
  EXPECT_GT(orders.size(), 20U);
  for (auto order : orders) {
    std::ranges::sort(order);
    EXPECT_EQ(std::ranges::adjacent_find(order), order.end()) << "one sample of each in a round";
  }
}

}  // namespace
}  // namespace redtune::tuner
