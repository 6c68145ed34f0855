// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Samples taken while the device's clock is low are dropped, and the device rests; never for ever.
#include "tuner/measure/clock_guard.hpp"

#include <gtest/gtest.h>
#include <limits>

#include "tests/simulation/simulated_sampler.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

constexpr BatchOrder order{CandidateId{0}, 100};
constexpr double pace = 4;

/// A guard, calibrated to the full speed, over a device of this clock.
struct Guarded {
  explicit Guarded(std::function<double(Seconds)> clock, MeasureTask the_task = {})
      : sampler({.true_us = {10}, .clock = std::move(clock), .pace_us = pace}), task(the_task) {}

  SimulatedSampler sampler;
  MeasureTask task;
  Calibration calibration{.pace_us = pace};
  ClockGuard guard{sampler, task, calibration};
};

std::function<double(Seconds)> constant(double speed) {
  return [speed](Seconds) { return speed; };
}

TEST(ClockGuard, LetsPassWhatIsNearlyAsFastAsCalibrated) {
  Guarded nearly(constant(0.91));
  (void)nearly.guard.sample(order, Phase::search);
  EXPECT_TRUE(nearly.sampler.waits.empty());
  (void)nearly.guard.sample(order, Phase::final);
  EXPECT_FALSE(nearly.sampler.waits.empty()) << "the final is stricter";
}

TEST(ClockGuard, HasNothingToCompareWithoutAPace) {
  SimulatedSampler sampler({.true_us = {10}, .clock = constant(0.5)});
  const MeasureTask task;
  Calibration calibration;
  ClockGuard guard(sampler, task, calibration);
  EXPECT_DOUBLE_EQ(guard.sample(order, Phase::final).us(), 20);
  EXPECT_TRUE(sampler.waits.empty());
}

TEST(ClockGuard, DropsSamplesWhileTheClockIsLowAndGoesOnAfterwards) {
  Guarded falls([](Seconds now) { return now > Seconds(1) && now < Seconds(11) ? 0.7 : 1.0; });
  while (falls.sampler.now() < Seconds(12)) {
    EXPECT_DOUBLE_EQ(falls.guard.sample(order, Phase::search).us(), 10);
  }
  EXPECT_EQ(falls.guard.recalibrations(), 0);
  EXPECT_GE(falls.sampler.waited().count(), 9.9);
  EXPECT_LE(falls.sampler.waited().count(), 15);
}

TEST(ClockGuard, TakesASampleAgainBeforeTheDeviceRests) {
  // A clock that falls for moments: every seventh sample is slow, and the one after it.
  int taken = 0;
  Guarded uneasy([&](Seconds) { return ++taken % 7 < 2 ? 0.7 : 1.0; });
  for (int i = 0; i < 50; ++i) {
    EXPECT_DOUBLE_EQ(uneasy.guard.sample(order, Phase::search).us(), 10);
  }
  EXPECT_TRUE(uneasy.sampler.waits.empty());
}

TEST(ClockGuard, LetsTheClockRiseAgainAfterARest) {
  // The third sample after each rest is the first at full speed; the first ever are slow.
  int since_rest = 0;
  std::size_t rests = 0;
  SimulatedSampler* device = nullptr;
  Guarded sleepy([&](Seconds) {
    if (device->waits.size() != rests) since_rest = 0;
    rests = device->waits.size();
    return rests > 0 && ++since_rest >= 3 ? 1.0 : 0.5;
  });
  device = &sleepy.sampler;
  EXPECT_DOUBLE_EQ(sleepy.guard.sample(order, Phase::search).us(), 10);
  EXPECT_EQ(rests, 1U);
}

TEST(ClockGuard, TakesASpeedThatStaysForTheNewOneOnceAndSaysSo) {
  Guarded lower(constant(0.7));
  for (int i = 0; i < 3; ++i) (void)lower.guard.sample(order, Phase::final);
  EXPECT_EQ(lower.guard.recalibrations(), 1);
  EXPECT_NEAR(*lower.calibration.pace_us, pace / 0.7, 1e-9);
  ASSERT_EQ(lower.calibration.warnings.size(), 1U);
  EXPECT_NE(lower.calibration.warnings[0].find("70 %"), std::string::npos);
  EXPECT_GT(lower.sampler.waited().count(), 10);
  EXPECT_LE(lower.sampler.waited().count(), 15);
}

TEST(ClockGuard, GivesUpWhenTheClockFallsAgainUnlessToldNotTo) {
  const auto twice = [](Seconds now) { return now < Seconds(20) ? 0.8 : 0.6; };
  Guarded falls(twice);
  (void)falls.guard.sample(order, Phase::search);
  falls.sampler.wait(Seconds(20));
  EXPECT_THROW((void)falls.guard.sample(order, Phase::search), UntrustworthySession);

  Guarded forced(twice, {.accept_noise = true});
  (void)forced.guard.sample(order, Phase::search);
  forced.sampler.wait(Seconds(20));
  (void)forced.guard.sample(order, Phase::search);
  EXPECT_EQ(forced.guard.recalibrations(), 2);
}

TEST(ClockGuard, DoesNotRestForeverWhereTheClockFallsAgainAndAgain) {
  Guarded unsteady([](Seconds now) { return std::fmod(now.count(), 20) < 10 ? 1.0 : 0.7; });
  while (unsteady.sampler.now() < Seconds(300)) {
    (void)unsteady.guard.sample(order, Phase::search);
  }
  EXPECT_GT(unsteady.sampler.waited().count(), 50);
  EXPECT_LT(unsteady.sampler.waited().count(), 75);
  EXPECT_EQ(unsteady.guard.recalibrations(), 1);
}

TEST(PlausibleSample, IsTakenThreeTimes) {
  for (const double wrong : {0.0, -5.0, std::numeric_limits<double>::quiet_NaN(), 1e9}) {
    for (const int wrong_ones : {2, 3}) {
      int taken = 0;
      SimulatedSampler sampler({.true_us = {10}, .report = [&](const BatchOrder&, double us) {
                                  return ++taken <= wrong_ones ? wrong : us;
                                }});
      if (wrong_ones == 3) {
        EXPECT_THROW((void)plausible_sample(sampler, {}, order), ImplausibleSample) << wrong;
      } else {
        EXPECT_DOUBLE_EQ(plausible_sample(sampler, {}, order).us(), 10) << wrong;
      }
      EXPECT_EQ(taken, 3);
    }
  }
}

TEST(PlausibleSample, ReadsNoFasterThanTheDeviceCan) {
  SimulatedSampler sampler({.true_us = {10}});
  EXPECT_NO_THROW(
      (void)plausible_sample(sampler, {.bytes = 1e4, .peak_bytes_per_us = 1000}, order));
  EXPECT_THROW((void)plausible_sample(sampler, {.bytes = 1e4, .peak_bytes_per_us = 900}, order),
               ImplausibleSample);
}

}  // namespace
}  // namespace redtune::tuner
