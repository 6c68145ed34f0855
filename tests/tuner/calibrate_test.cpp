// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a session finds out before it begins, and when it refuses to begin.
#include "tuner/measure/calibrate.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <map>

#include "tests/simulation/simulated_sampler.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/verify/places.hpp"

namespace redtune::tuner {
namespace {

constexpr CandidateId the_default{0};

Calibration calibrate_in(const SimulatedWorld& world, const MeasureTask& task = {}) {
  SimulatedSampler sampler(world);
  return calibrate(sampler, task, the_default);
}

/// The text of the refusal; empty when there is none.
std::string refusal_in(const SimulatedWorld& world, const MeasureTask& task = {}) {
  try {
    (void)calibrate_in(world, task);
  } catch (const UntrustworthySession& error) {
    return error.what();
  }
  return {};
}

TEST(Calibrate, FindsTheTimeOfTheDefaultAndTheNoise) {
  const Calibration found = calibrate_in({.true_us = {17}, .noise = 0.01, .pace_us = 4});
  EXPECT_NEAR(found.default_us, 17, 0.1);
  EXPECT_GT(found.noise_floor, 0.003);
  EXPECT_LT(found.noise_floor, 0.02);
  EXPECT_EQ(found.pace_us, 4);
  EXPECT_DOUBLE_EQ(found.empty_us, 2);
  EXPECT_TRUE(found.warnings.empty());
}

TEST(Calibrate, TakesUnderHalfASecondForAShortKernel) {
  for (const double noise : {0.0, 0.01, 0.02}) {
    const Calibration found = calibrate_in({.true_us = {17}, .noise = noise});
    EXPECT_GT(found.seconds, 0.05);
    EXPECT_LT(found.seconds, 0.5) << "noise " << noise;
  }
}

TEST(Calibrate, TakesAFewExecutionsOfALongKernelAndNoMore) {
  SimulatedSampler sampler({.true_us = {700e3}});
  const Calibration found = calibrate(sampler, {}, the_default);
  EXPECT_LT(found.seconds, 10);
  EXPECT_LE(sampler.orders.size(), 12U);
  EXPECT_DOUBLE_EQ(found.default_us, 700e3);
}

TEST(Calibrate, WarmsUpUntilTheSpeedSettles) {
  const auto warming = [](Seconds now) { return 1 + 0.3 * std::exp(-now.count() / 0.1); };
  const Calibration found = calibrate_in({.true_us = {17}, .slowness = warming});
  EXPECT_NEAR(found.default_us, 17, 0.17);
}

TEST(Calibrate, WarmsUpForLessWhereOneOfManyWasTimedBefore) {
  const MeasureTask first{.is_brief = true, .knows_lengths = true};
  const MeasureTask next{.is_brief = true, .knows_clock = true, .knows_lengths = true};
  EXPECT_LT(calibrate_in({.true_us = {17}}, next).seconds,
            calibrate_in({.true_us = {17}}, first).seconds - 0.05);
  const auto warming = [](Seconds now) { return 1 + 0.3 * std::exp(-now.count() / 0.05); };
  EXPECT_NEAR(calibrate_in({.true_us = {17}, .slowness = warming}, next).default_us, 17, 0.17)
      << "for longer where it has to";
}

TEST(Calibrate, DoesNotWaitForMediansToAgreeMoreThanTheirNoiseLetsThem) {
  const Calibration found = calibrate_in({.true_us = {17}, .noise = 0.04}, {.accept_noise = true});
  EXPECT_LT(found.seconds, 0.5);
}

TEST(Calibrate, DoesNotWarmUpForEver) {
  const auto slower = [](Seconds now) { return 1 + now.count(); };
  const Calibration found = calibrate_in({.true_us = {17}, .slowness = slower});
  EXPECT_LT(found.seconds, 2);
  EXPECT_EQ(found.warnings.size(), 1U);
}

TEST(Calibrate, MakesBatchesLongEnoughForACoarseClock) {
  SimulatedSampler sampler({.true_us = {17}, .tick_us = 16});
  EXPECT_DOUBLE_EQ(calibrate(sampler, {}, the_default).resolution_us, 16);
  std::map<std::size_t, int> batches;
  for (const BatchOrder& order : sampler.orders) ++batches[order.executions];
  const auto usual =
      std::ranges::max_element(batches, {}, &std::map<std::size_t, int>::value_type::second)->first;
  constexpr double least_us = most_sites * 140 * 16;  // at each site
  EXPECT_GE(17 * static_cast<double>(usual), least_us);
  EXPECT_LT(17 * static_cast<double>(usual), 2 * least_us) << "a power of two";
}

TEST(Calibrate, RefusesATimeThatDependsOnTheLengthOfTheBatch) {
  // Long rows get slower: what is timed is no property of one execution.
  const auto longer = [](double by) {
    return
        [by](const BatchOrder& order, double us) { return order.executions > 1000 ? us * by : us; };
  };
  const SimulatedWorld steady{.true_us = {3}, .noise = 0.002, .takes = longer(1.005)};
  EXPECT_NEAR(calibrate_in(steady).length_ratio.value(), 1.005, 0.002);
  const SimulatedWorld slower{.true_us = {3}, .noise = 0.002, .takes = longer(1.25)};
  EXPECT_NE(refusal_in(slower).find("1.25"), std::string::npos) << refusal_in(slower);
  EXPECT_EQ(calibrate_in(slower, {.accept_noise = true}).warnings.size(), 1U);
  // The fewer copies of a cold input a replay reads, the more of them the caches keep.
  const Calibration cold = calibrate_in(slower, {.is_cold = true});
  ASSERT_EQ(cold.warnings.size(), 1U);
  EXPECT_NE(cold.warnings[0].find("a cold input"), std::string::npos) << cold.warnings[0];
}

TEST(Calibrate, LeavesOutWhatIsKnownOfTheDevice) {
  const auto orders_of = [](const MeasureTask& task) {
    SimulatedSampler sampler({.true_us = {17}});
    (void)calibrate(sampler, task, the_default);
    std::size_t most = 0;
    for (const BatchOrder& order : sampler.orders) most = std::max(most, order.executions);
    return std::pair(sampler.orders.size(), most);
  };
  const auto [all, longest] = orders_of({});
  const auto [some, usual] = orders_of({.knows_clock = true, .knows_lengths = true});
  EXPECT_LT(some, all);
  EXPECT_LT(4 * usual, longest) << "batches of the usual length alone";
  const SimulatedWorld world{.true_us = {17}};
  EXPECT_TRUE(calibrate_in(world, {.knows_clock = true}).length_ratio);
  EXPECT_FALSE(calibrate_in(world, {.knows_lengths = true}).length_ratio);
}

TEST(Calibrate, WarnsOfNoiseAndRefusesMore) {
  EXPECT_EQ(calibrate_in({.true_us = {17}, .noise = 0.03}).warnings.size(), 1U);
  const SimulatedWorld noisy{.true_us = {17}, .noise = 0.15};
  EXPECT_NE(refusal_in(noisy).find("--force-noisy"), std::string::npos) << refusal_in(noisy);
  EXPECT_GT(calibrate_in(noisy, {.accept_noise = true}).noise_floor, 0.05);
}

TEST(Calibrate, TakesDriftThatBothHalvesOfAPairShareForNoNoise) {
  const auto slower = [](Seconds now) { return 1 + 0.2 * now.count(); };
  EXPECT_LT(calibrate_in({.true_us = {17}, .slowness = slower}).noise_floor, 0.001);
}

TEST(Calibrate, TakesWhatMakesEverySecondSampleSlowerForNoise) {
  int taken = 0;
  const auto alternate = [&](const BatchOrder&, double us) {
    return ++taken % 2 == 0 ? us : us * 1.01;
  };
  EXPECT_NEAR(calibrate_in({.true_us = {17}, .takes = alternate}).noise_floor, 0.01, 0.001);
}

TEST(Calibrate, RefusesADeviceThatReportsHalfOfAllTimes) {
  const auto half = [](const BatchOrder&, double us) { return us / 2; };
  for (const double us : {3.0, 17.0, 2000.0, 30000.0}) {
    const std::string refusal = refusal_in({.true_us = {us}, .report = half});
    EXPECT_NE(refusal.find("its clock counted 50 %"), std::string::npos)
        << us << " us: " << refusal;
  }
}

TEST(Calibrate, BelievesADeviceWhoseQueueTheHostWaitsFor) {
  EXPECT_EQ(refusal_in({.true_us = {17}, .queue_us = 2000}), "");
  EXPECT_NE(refusal_in({.true_us = {17}, .queue_us = 5000}), "");
}

TEST(Calibrate, BelievesTheBestOfFiveComparisonsWithTheHost) {
  // One long batch in two is interrupted where only the host sees it.
  int long_batches = 0;
  const auto sometimes = [&](const BatchOrder& order, double us) {
    return order.executions > 100 && ++long_batches % 2 == 1 ? us / 2 : us;
  };
  EXPECT_EQ(refusal_in({.true_us = {17}, .report = sometimes}), "");
}

TEST(Calibrate, RefusesWhatIsNoTime) {
  for (const double time : {0.0, -3.0, std::numeric_limits<double>::quiet_NaN()}) {
    const auto report = [time](const BatchOrder&, double) { return time; };
    EXPECT_THROW((void)calibrate_in({.true_us = {17}, .report = report}), ImplausibleSample)
        << time;
  }
}

}  // namespace
}  // namespace redtune::tuner
