// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How many samples candidates get: the further behind, the fewer.
#include "tuner/measure/race.hpp"

#include <gtest/gtest.h>

#include "tests/simulation/simulated_sampler.hpp"

namespace redtune::tuner {
namespace {

constexpr double fastest_us = 10;
constexpr double batch_us = 1000;

Raced race_in(const SimulatedWorld& world, double rival_us = fastest_us) {
  SimulatedSampler sampler(world);
  const MeasureTask task;
  Calibration calibration;
  ClockGuard guard(sampler, task, calibration);
  Batches batches(guard, {CandidateId{0}}, Phase::search);
  return race(batches, batch_us, rival_us);
}

Raced race_of(double us, double rival_us = fastest_us) {
  return race_in({.true_us = {us}}, rival_us);
}

TEST(Race, TimesTheFirstOneToTheEnd) {
  const Raced raced = race_of(500, 0);
  EXPECT_FALSE(raced.is_hopeless);
  EXPECT_EQ(raced.samples, 9);
  EXPECT_EQ(raced.executions, 2U);
}

TEST(Race, GivesUpTheSoonerTheFurtherBehind) {
  struct Case {
    double us;
    int samples;
    bool is_hopeless;
  };
  for (const auto& [us, samples, is_hopeless] :
       {Case{301, 1, true}, Case{31, 1, true}, Case{29, 3, true}, Case{10.3, 3, true},
        Case{10.1, 9, false}, Case{9, 9, false}}) {
    const Raced raced = race_of(us);
    EXPECT_EQ(raced.is_hopeless, is_hopeless) << us;
    EXPECT_EQ(raced.samples, samples) << us;
    EXPECT_DOUBLE_EQ(raced.time_us.median, us);
  }
}

TEST(Race, RunsOnlyOneExecutionOfWhatTakesThirtyTimesAsLong) {
  EXPECT_EQ(race_of(299).executions, 4U) << "worth a batch";
  EXPECT_EQ(race_of(301, 10).executions, 1U);
  EXPECT_EQ(race_of(40, 1.0).executions, 1U);
}

TEST(Race, GivesUpAfterThreeWhenTheMedianIsFarBehind) {
  // Noise hides from the interval what the median tells: the third sample decides.
  int taken = 0;
  const auto wild = [&](const BatchOrder& order, double us) {
    if (order.executions == 1 || ++taken == 1) return us;  // alone, and warming up
    return taken == 2 ? us : us * 1.6;
  };
  const Raced raced = race_in({.true_us = {10}, .takes = wild});
  EXPECT_TRUE(raced.is_hopeless);
  EXPECT_EQ(raced.samples, 3);
}

TEST(Race, IsNotLostByOneInterruptedSample) {
  for (int interrupted = 1; interrupted <= 11; ++interrupted) {
    int taken = 0;
    const auto once = [&](const BatchOrder&, double us) {
      return ++taken == interrupted ? us * 20 : us;
    };
    const Raced raced = race_in({.true_us = {9.9}, .takes = once});
    EXPECT_FALSE(raced.is_hopeless) << "sample " << interrupted;
    EXPECT_DOUBLE_EQ(raced.time_us.median, 9.9);
  }
}

TEST(Race, LastsForEqualsWithNoise) {
  int lost = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SimulatedSampler sampler({.true_us = {fastest_us}, .noise = 0.02}, seed);
    const MeasureTask task;
    Calibration calibration;
    ClockGuard guard(sampler, task, calibration);
    Batches batches(guard, {CandidateId{0}}, Phase::search);
    lost += race(batches, batch_us, fastest_us).is_hopeless ? 1 : 0;
  }
  EXPECT_LE(lost, 10) << "of 500 that are as fast as the fastest";
}

TEST(Batches, GrowUntilTheyAreLongEnough) {
  // Alone an execution takes 20 us, in a row 2 us each.
  SimulatedSampler sampler(
      {.true_us = {2}, .report = [](const BatchOrder&, double us) { return us + 18; }});
  const MeasureTask task;
  Calibration calibration;
  ClockGuard guard(sampler, task, calibration);
  Batches batches(guard, {CandidateId{0}}, Phase::search);
  EXPECT_DOUBLE_EQ(batches.single(), 20);
  batches.warm_up(batch_us);
  EXPECT_GE(2 * batches.executions(), 700U);
  EXPECT_LE(2 * batches.executions(), 1100U);
}

TEST(Batches, AreBounded) {
  SimulatedSampler sampler({.true_us = {1e-3}});
  const MeasureTask task;
  Calibration calibration;
  ClockGuard guard(sampler, task, calibration);
  Batches batches(guard, {CandidateId{0}}, Phase::search);
  batches.single();
  batches.warm_up(batch_us);
  EXPECT_EQ(batches.executions(), 4096U);
}

TEST(Batches, ChargeWhatAReplayHides) {
  class Charging final : public Sampler {
   public:
    [[nodiscard]] Sample sample(const BatchOrder& order) override {
      const double us = 10 * static_cast<double>(order.executions);
      return {.batches = {{.time = {us, us}}}, .executions = order.executions, .charge_us = 3};
    }
    [[nodiscard]] device::BatchTime empty_batch() override { return {1, 1}; }
    [[nodiscard]] Seconds now() const override { return Seconds(0); }
    void wait(Seconds) override {}
  };
  Charging sampler;
  const MeasureTask task;
  Calibration calibration;
  ClockGuard guard(sampler, task, calibration);
  Batches batches(guard, {CandidateId{0}}, Phase::search);
  EXPECT_DOUBLE_EQ(batches.single(), 13);
  EXPECT_DOUBLE_EQ(batches.warm_up(batch_us), 13);
  EXPECT_EQ(batches.executions(), 128U) << "the charge is not a time that passes";
}

}  // namespace
}  // namespace redtune::tuner
