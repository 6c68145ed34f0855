// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Configurations that all take the same time were not measured.
#include "tuner/measure/inert.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace redtune::tuner {
namespace {

TEST(Inert, AreTenOrMoreEqualTimes) {
  EXPECT_NE(why_inert(std::vector<double>(10, 5.0)), "");
  EXPECT_EQ(why_inert(std::vector<double>(9, 5.0)), "");
  EXPECT_EQ(why_inert({}), "");
}

TEST(Inert, AreTimesThatDifferByNoMoreThanAThousandth) {
  std::vector<double> times(12, 5.0);
  times[7] = 5.004;
  EXPECT_NE(why_inert(times), "");
  times[7] = 5.006;
  EXPECT_EQ(why_inert(times), "");
}

TEST(Inert, AreToldInOneLine) {
  EXPECT_EQ(why_inert(std::vector<double>(12, 5.0)),
            "the measurement is inert: all of 12 different configurations took 5.00 us, to 0.1 %");
}

}  // namespace
}  // namespace redtune::tuner
