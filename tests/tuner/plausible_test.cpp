// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Times that cannot be true, and those that can.
#include "tuner/measure/plausible.hpp"

#include <gtest/gtest.h>

#include "tests/support/special_floats.hpp"

namespace redtune::tuner {
namespace {

using checks::double_inf;
using checks::double_nan;

using device::BatchTime;

std::string why(double device_us, double host_us) {
  return why_implausible(BatchTime{device_us, host_us});
}

TEST(Plausible, BelievesADeviceThatIsALittleFasterThanTheHostsClock) {
  EXPECT_EQ(why(1000, 1000), "");
  EXPECT_EQ(why(1000, 1020), "");
  EXPECT_EQ(why(5, 40), "") << "launching short batches takes longer than running them";
}

TEST(Plausible, RefusesWhatIsNoTime) {
  for (const double us : {0.0, -0.0, -1.0, double_nan, double_inf, -double_inf})
    EXPECT_NE(why(us, 1000), "") << us;
}

TEST(Plausible, RefusesMoreTimeThanTheHostSawPass) {
  EXPECT_NE(why(1100, 1000), "");
  EXPECT_EQ(why(1049, 1000), "");
  EXPECT_EQ(why(9, 1), "") << "clocks may differ by some microseconds";
  EXPECT_NE(why(30, 1), "");
}

TEST(Plausible, RefusesALongBatchThatTookUnderThreeTenthsOfTheHostsTime) {
  EXPECT_NE(why(2900, 10000), "");
  EXPECT_EQ(why(3100, 10000), "");
  EXPECT_EQ(why(2900, 9999), "") << "a short batch may wait for its launch";
}

TEST(Plausible, RefusesMoreBandwidthThanTheDeviceHas) {
  // Ten executions of 10 us each; other kernels take as long.
  const Sample sample{.batches = {{.time = {200, 200}, .others_us = 100}}, .executions = 10};
  EXPECT_EQ(why_implausible(sample, 10.4 * 1000, 1000), "");
  EXPECT_NE(why_implausible(sample, 10.6 * 1000, 1000), "");
  EXPECT_EQ(why_implausible(sample, 1e12, 0), "") << "the peak is unknown";
}

TEST(Plausible, RefusesExecutionsThatTakeLessThanNothing) {
  for (const double others_us : {200.0, 300.0, double_nan}) {
    const Sample sample{.batches = {{.time = {200, 200}, .others_us = others_us}},
                        .executions = 10};
    EXPECT_NE(why_implausible(sample, 0, 0), "") << others_us;
  }
}

TEST(Plausible, AsksForNoShareOfABatchThatOnlyTellsHowLongOneMustBe) {
  // One execution, to find out how many make a batch: the others alone happened to take longer.
  const Sample sample{.batches = {{.time = {7.0, 20}, .others_us = 7.1}}, .executions = 1};
  EXPECT_EQ(why_clocks_disagree(sample), "");
  EXPECT_NE(why_implausible(sample, 1000, 1000), "");
}

TEST(Plausible, LooksAtEverySurrounding) {
  Sample sample{.batches = {{.time = {200, 200}}, {.time = {-1, 200}}}};
  EXPECT_NE(why_implausible(sample, 0, 0), "");
  sample.batches[1].time.device_us = 200;
  EXPECT_EQ(why_implausible(sample, 0, 0), "");
}

TEST(Sample, ScoresTheGeometricMeanOfTheSharesWithTheCharge) {
  const Sample sample{
      .batches = {{.time = {300, 300}, .others_us = 200}, {.time = {800, 800}, .others_us = 100}},
      .executions = 100,
      .charge_us = 1};
  EXPECT_DOUBLE_EQ(sample.us(), 4) << "of 1 + 1 and 7 + 1";
  EXPECT_DOUBLE_EQ(sample.step_us(), 3);
}

}  // namespace
}  // namespace redtune::tuner
