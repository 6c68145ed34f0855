// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Times that cannot be true, and those that can.
#include "tuner/measure/plausible.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace redtune::tuner {
namespace {

using device::BatchTime;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

std::string why(double device_us, double host_us) {
  return why_implausible(BatchTime{device_us, host_us}, 0, 0);
}

TEST(Plausible, BelievesADeviceThatIsALittleFasterThanTheHostsClock) {
  EXPECT_EQ(why(1000, 1000), "");
  EXPECT_EQ(why(1000, 1020), "");
  EXPECT_EQ(why(5, 40), "") << "launching short batches takes longer than running them";
}

TEST(Plausible, RefusesWhatIsNoTime) {
  for (const double us : {0.0, -0.0, -1.0, nan, inf, -inf}) EXPECT_NE(why(us, 1000), "") << us;
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
  const BatchTime time{100, 100};
  EXPECT_EQ(why_implausible(time, 104 * 1000, 1000), "");
  EXPECT_NE(why_implausible(time, 106 * 1000, 1000), "");
  EXPECT_EQ(why_implausible(time, 1e12, 0), "") << "the peak is unknown";
}

}  // namespace
}  // namespace redtune::tuner
