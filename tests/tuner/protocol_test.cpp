// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The protocol as a session sees it: races, drift, what is known and forgotten, and faults.
#include "tuner/measure/protocol.hpp"

#include <gtest/gtest.h>

#include "tests/simulation/simulated_sampler.hpp"
#include "tests/support/special_floats.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

using checks::double_nan;

Interval exactly(double us) {
  return {us, us, us};
}

/// A calibrated protocol over a device.
struct Session {
  explicit Session(SimulatedWorld world, std::uint64_t seed = 1) : sampler(std::move(world), seed) {
    protocol.calibrate(CandidateId{0});
  }
  Raced race(std::size_t candidate) { return protocol.race(CandidateId{candidate}); }
  /// Races a candidate so often; what refreshing in between gave.
  std::vector<Retimed> race_often(std::size_t candidate, int times) {
    std::vector<Retimed> all;
    for (int i = 0; i < times; ++i) {
      (void)race(candidate);
      const auto retimed = protocol.refresh();
      all.insert(all.end(), retimed.begin(), retimed.end());
    }
    return all;
  }
  /// Samples of a candidate so far.
  [[nodiscard]] std::size_t samples_of(std::size_t candidate) const {
    return static_cast<std::size_t>(
        std::ranges::count(sampler.orders, CandidateId{candidate}, &BatchOrder::candidate));
  }

  SimulatedSampler sampler;
  Protocol protocol{sampler, {.seed = 1}};
};

TEST(Protocol, RacesAgainstTheDefaultFromTheStart) {
  Session session({.true_us = {10, 40, 9, 9.5}});
  EXPECT_EQ(session.race(1).samples, 1);
  EXPECT_FALSE(session.race(2).is_hopeless);
  EXPECT_TRUE(session.race(3).is_hopeless) << "5 % behind the new fastest";
}

TEST(Protocol, TimesAFinalOffTheAlignmentOfVectorsInAFewRoundsAndBatchesOfOneSize) {
  Session session({.true_us = {10, 10.05, 9}, .takes = [](const BatchOrder& order, double us) {
                     return order.is_displaced ? 3 * us : us;
                   }});
  const std::vector<CandidateId> two{CandidateId{0}, CandidateId{1}};
  const std::size_t before = session.sampler.orders.size();
  const Rounds rounds = session.protocol.displaced(two);
  ASSERT_EQ(rounds.size(), 9U);
  EXPECT_DOUBLE_EQ(rounds.front()[0], 30);
  EXPECT_DOUBLE_EQ(rounds.front()[1], 30.15);
  const std::size_t executions = session.sampler.orders.back().executions;
  for (std::size_t i = before; i < session.sampler.orders.size(); ++i) {
    EXPECT_TRUE(session.sampler.orders[i].is_displaced);
    EXPECT_NE(session.sampler.orders[i].candidate, CandidateId{2});
  }
  for (const BatchOrder& order : std::span(session.sampler.orders).last(18)) {
    EXPECT_EQ(order.executions, executions);
  }
  EXPECT_TRUE(session.protocol.displaced({}).empty());
}

TEST(Protocol, TimesWhatIsSlowToTheEndWhereThatIsAsked) {
  SimulatedSampler sampler({.true_us = {10, 400}});
  Protocol protocol(sampler, {.in_full = true});
  protocol.calibrate(CandidateId{0});
  const Raced raced = protocol.race(CandidateId{1});
  EXPECT_FALSE(raced.is_hopeless);
  EXPECT_EQ(raced.samples, 9);
}

TEST(Protocol, TimesANewFastestTwiceSoThatItIsNotSoByLuck) {
  // Candidate 1 is 20 % slower than the default and lucky in a whole race.
  int taken = 0;
  Session session({.true_us = {10, 12}, .report = [&](const BatchOrder& order, double us) {
                     const bool is_lucky = order.candidate == CandidateId{1} && ++taken <= 11;
                     return is_lucky ? us * 0.7 : us;
                   }});
  const Raced raced = session.race(1);
  EXPECT_EQ(raced.samples, 18);
  EXPECT_DOUBLE_EQ(raced.time_us.median, 12);
}

TEST(Fault07, LetsNoLuckyOutlierOnABadConfigSurvive) {
  for (int lucky = 1; lucky <= 11; ++lucky) {
    int taken = 0;
    Session session({.true_us = {10, 15}, .report = [&](const BatchOrder& order, double us) {
                       const bool is_it = order.candidate == CandidateId{1} && ++taken == lucky;
                       return is_it ? us * 0.35 : us;
                     }});
    const Raced raced = session.race(1);
    EXPECT_TRUE(raced.is_hopeless || raced.time_us.median > 14) << "sample " << lucky;
  }
}

TEST(Protocol, TimesTheFastestAgainAfterTwentyFiveRaces) {
  Session session({.true_us = {10, 11}});
  const std::size_t before = session.samples_of(0);
  (void)session.race_often(1, 24);
  EXPECT_EQ(session.samples_of(0), before);
  (void)session.race_often(1, 1);
  EXPECT_EQ(session.samples_of(0), before + 1 + 1 + 9);
}

TEST(Protocol, TimesTheFastestAgainAfterTwoSeconds) {
  Session session({.true_us = {10, 11}});
  const std::size_t before = session.samples_of(0);
  session.sampler.wait(Seconds(1.9));
  (void)session.race_often(1, 1);
  EXPECT_EQ(session.samples_of(0), before);
  session.sampler.wait(Seconds(0.2));
  EXPECT_TRUE(session.protocol.refresh().empty()) << "nothing moved";
  EXPECT_GT(session.samples_of(0), before);
}

TEST(Protocol, SpendsATenthOfTheTimeOnDriftWhereExecutionsAreLong) {
  Session session({.true_us = {1e6, 1.1e6}});
  const std::size_t before = session.samples_of(0);
  (void)session.race_often(1, 20);
  EXPECT_LE(session.samples_of(0) - before, 11U);
}

TEST(Protocol, KeepsItsMeasureThroughThousandsOfNoisyRaces) {
  // The fastest of so many is so by luck, and slower when it is timed again: that is no drift.
  constexpr std::size_t candidates = 2000;
  SimulatedWorld world{.true_us = std::vector<double>(candidates, 10), .noise = 0.03};
  world.true_us[0] = 15;
  Session session(world);
  double last = 0;
  for (std::size_t candidate = 1; candidate < candidates; ++candidate) {
    const Raced raced = session.race(candidate);
    (void)session.protocol.refresh();
    if (!raced.is_hopeless) last = raced.time_us.median;
  }
  EXPECT_NEAR(last, 10, 1);
  EXPECT_NEAR(session.race(0).time_us.median, 15, 1.5);
}

TEST(Protocol, TimesWhoLeadsAgainAndReportsItsNewTime) {
  // Candidate 1 was lucky all through its race.
  int lucky = 0;
  Session session({.true_us = {12, 10.5}, .report = [&](const BatchOrder& order, double us) {
                     return order.candidate == CandidateId{1} && lucky-- > 0 ? us * 0.8 : us;
                   }});
  lucky = 100;
  (void)session.race(1);
  lucky = 0;
  const auto retimed = session.race_often(0, 25);
  ASSERT_EQ(retimed.size(), 1U);
  EXPECT_EQ(retimed[0].candidate, CandidateId{1});
  EXPECT_NEAR(retimed[0].time_us.median, 10.5, 1e-6);
}

TEST(Protocol, ReportsTimesAtTheCalibratedSpeed) {
  // Everything takes 5 % longer from some time on: all at once, or bit by bit.
  const auto at_once = [](Seconds now) { return now > Seconds(1) ? 1.05 : 1.0; };
  const auto slowly = [](Seconds now) { return 1 + std::min(0.05, 0.002 * now.count()); };
  for (const auto& slowness : {std::function<double(Seconds)>(at_once), {slowly}}) {
    Session session({.true_us = {10, 11, 10.1}, .slowness = slowness});
    for (int second = 0; second < 40; ++second) {
      session.sampler.wait(Seconds(1));
      (void)session.race_often(1, 1);
    }
    const Raced raced = session.race(2);
    EXPECT_FALSE(raced.is_hopeless);
    EXPECT_NEAR(raced.time_us.median, 10.1, 0.015);
  }
}

TEST(Protocol, TimesTheNearestAgainWhenTheSpeedJumps) {
  // What slows the device down hits candidate 2 more and 4 less; 3 is too far behind to matter.
  bool is_slow = false;
  const auto takes = [&](const BatchOrder& order, double us) {
    const std::vector<double> factors{1.1, 1.1, 1.2, 1.1, 1.05};
    return is_slow ? us * factors[static_cast<std::size_t>(order.candidate)] : us;
  };
  Session session({.true_us = {12, 10, 10.1, 11, 10.15}, .takes = takes});
  for (const std::size_t candidate : {1u, 2u, 4u}) (void)session.race(candidate);
  session.protocol.assume(CandidateId{3}, exactly(11));
  is_slow = true;
  const auto retimed = session.race_often(0, 25);
  ASSERT_EQ(retimed.size(), 3U);
  EXPECT_EQ(retimed[0].candidate, CandidateId{1});
  EXPECT_NEAR(retimed[0].time_us.median, 10, 1e-6);
  EXPECT_EQ(retimed[1].candidate, CandidateId{2});
  EXPECT_NEAR(retimed[1].time_us.median, 10.1 * 1.2 / 1.1, 1e-6);
  EXPECT_EQ(retimed[2].candidate, CandidateId{4});
  EXPECT_NEAR(retimed[2].time_us.median, 10.15 * 1.05 / 1.1, 1e-6);
  EXPECT_TRUE(session.race(1).is_hopeless) << "4 is the fastest now, by 3 %";
}

TEST(Protocol, BelievesAJumpOnlyWhenItIsSeenTwice) {
  int slow_samples = 0;
  Session session({.true_us = {10, 11}, .takes = [&](const BatchOrder& order, double us) {
                     return order.candidate == CandidateId{0} && slow_samples-- > 0 ? us * 1.5 : us;
                   }});
  (void)session.race_often(1, 24);
  slow_samples = 8;  // of the first look, and none of the second
  EXPECT_TRUE(session.race_often(1, 1).empty());
  EXPECT_NEAR(session.race(1).time_us.median, 11, 1e-6);
}

TEST(Protocol, ComparesWithWhatIsAssumedAndNotWithWhatIsForgotten) {
  Session session({.true_us = {10, 9.9, 10}});
  session.protocol.assume(CandidateId{2}, exactly(5));
  EXPECT_TRUE(session.race(1).is_hopeless);
  session.protocol.forget(CandidateId{2});
  EXPECT_FALSE(session.race(1).is_hopeless);
  session.protocol.forget(CandidateId{1});
  session.protocol.forget(CandidateId{0});
  EXPECT_EQ(session.race(1).samples, 18) << "nobody to compare with: the first is the fastest";
}

TEST(Protocol, BringsTimesToTheSpeedOfAnEarlierRun) {
  // Then the device was 4 % faster: what took 10 takes 10.4 now.
  Session session({.true_us = {20, 10.4, 10.92}});
  session.protocol.assume(CandidateId{1}, exactly(10));
  (void)session.protocol.refresh();
  session.protocol.assume(CandidateId{1}, exactly(10));
  EXPECT_NEAR(session.race(2).time_us.median, 10.5, 1e-6);
}

TEST(Protocol, TakesTheDefaultForItsMeasureAgainWhereItsEarlierTimeIsKnown) {
  // Candidate 1 was lucky in the earlier run; the device is as fast as it was.
  Session session({.true_us = {12, 10, 11}});
  session.protocol.assume(CandidateId{0}, exactly(12));
  session.protocol.assume(CandidateId{1}, exactly(8));
  const auto retimed = session.protocol.refresh();
  ASSERT_EQ(retimed.size(), 1U);
  EXPECT_NEAR(retimed[0].time_us.median, 10, 1e-6);
  EXPECT_NEAR(session.race(2).time_us.median, 11, 1e-6);
}

TEST(Protocol, ThrowsForCandidatesWhoseTimesAreNone) {
  for (const double time : {0.0, -3.0, double_nan}) {
    Session session({.true_us = {10, 10}, .report = [&](const BatchOrder& order, double us) {
                       return order.candidate == CandidateId{1} ? time : us;
                     }});
    EXPECT_THROW((void)session.race(1), ImplausibleSample) << time;
    const std::vector<CandidateId> finalists{CandidateId{0}, CandidateId{1}};
    EXPECT_THROW((void)session.protocol.confirm(finalists, {}), ImplausibleSample) << time;
    EXPECT_THROW((void)session.protocol.figures(CandidateId{1}), ImplausibleSample) << time;
    EXPECT_FALSE(session.race(0).is_hopeless) << "the others can still be timed";
  }
}

TEST(Fault05, TakesAClockThatIsLowFromTheStartAsItIs) {
  const auto low = [](Seconds) { return 0.6; };
  Session session({.true_us = {10, 9}, .clock = low, .pace_us = 4});
  EXPECT_NEAR(session.race(1).time_us.median, 9 / 0.6, 1e-6);
  const std::vector<CandidateId> finalists{CandidateId{0}, CandidateId{1}};
  EXPECT_EQ(session.protocol.confirm(finalists, {}).size(), 30U);
  EXPECT_TRUE(session.sampler.waits.empty());
  EXPECT_TRUE(session.protocol.calibration().warnings.empty());
}

TEST(Fault06, SleepsThroughALowClockOfTenSeconds) {
  const auto falls = [](Seconds now) { return now > Seconds(1) && now < Seconds(11) ? 0.5 : 1.0; };
  Session session({.true_us = {10, 11}, .clock = falls, .pace_us = 4});
  while (session.sampler.now() < Seconds(12)) {
    const Raced raced = session.race(1);
    EXPECT_NEAR(raced.time_us.median, 11, 1e-6);
    EXPECT_GT(raced.samples, 0);
    EXPECT_TRUE(session.protocol.refresh().empty());
  }
  EXPECT_LT(session.sampler.waited().count(), 15);
  EXPECT_TRUE(session.protocol.calibration().warnings.empty());
}

TEST(Protocol, TimesTheFastestAgainAtOnceWhenTheClockStaysLow) {
  const auto falls = [](Seconds now) { return now > Seconds(1) ? 0.7 : 1.0; };
  Session session({.true_us = {10, 10.1, 10.1}, .clock = falls, .pace_us = 4});
  session.sampler.wait(Seconds(1));
  (void)session.race(1);  // falls, and stays
  EXPECT_EQ(session.protocol.calibration().warnings.size(), 1U);
  (void)session.protocol.refresh();
  EXPECT_NEAR(session.race(2).time_us.median, 10.1, 1e-6);
}

TEST(Protocol, TellsAStreamByTheHostAndARowBesideTheScore) {
  Session session({.true_us = {10, 10}, .takes = [](const BatchOrder& order, double us) {
                     if (order.scheme == Scheme::by_host) return 1.5 * us;
                     return order.scheme == Scheme::row ? us / 2 : us;
                   }});
  const Figures figures = session.protocol.figures(CandidateId{1});
  ASSERT_EQ(figures.shares_us.size(), 1U);
  EXPECT_EQ(figures.shares_us[0].first, Surrounding::small_kernel);
  EXPECT_DOUBLE_EQ(figures.shares_us[0].second, 10);
  EXPECT_DOUBLE_EQ(figures.stream_us, 15);
  EXPECT_DOUBLE_EQ(figures.row_us, 5);
}

}  // namespace
}  // namespace redtune::tuner
