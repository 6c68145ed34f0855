// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What row_of_launches makes of notes; they are taken on a GPU only.
#include <gtest/gtest.h>
#include <vector>

#include "bench/row_of_launches/notes.hpp"

namespace redtune::bench {
namespace {

TEST(LaunchNotes, AreThoseOfTheFirstAndTheLastBlock) {
  const std::vector<BlockNote> blocks{{20, 50, 70, 3}, {10, 55, 80, 3}, {30, 45, 60, 9}};
  const LaunchNote launch = launch_of(blocks);
  EXPECT_EQ(launch.begin, 10U);
  EXPECT_EQ(launch.ready, 45U);
  EXPECT_EQ(launch.end, 80U);
  EXPECT_EQ(launch.units, 2U);
  EXPECT_EQ(launch.most, 2U);
}

LaunchNote between(std::uint64_t begin, std::uint64_t end) {
  return {.begin = begin, .ready = begin, .end = end, .units = 1, .most = 1};
}

TEST(LaunchNotes, TellHowManyAreInFlight) {
  EXPECT_EQ(most_in_flight({between(0, 10), between(10, 20), between(20, 30)}), 1U);
  EXPECT_EQ(most_in_flight({between(0, 10), between(5, 20), between(19, 30)}), 2U);
  EXPECT_EQ(most_in_flight({between(0, 10), between(1, 20), between(2, 30), between(15, 40)}), 3U);
}

TEST(LaunchNotes, TellHowFarLaunchesAreAhead) {
  // Each begins 2 us before the end of the one before, and 1 us after the end of that before it.
  const std::vector<LaunchNote> ahead{between(0, 5000), between(3000, 8000), between(6000, 11000),
                                      between(9000, 14000)};
  const WindowFacts facts = facts_of(ahead);
  EXPECT_EQ(facts.in_flight, 2U);
  EXPECT_DOUBLE_EQ(facts.lead_us, 2);
  EXPECT_DOUBLE_EQ(facts.lead2_us, -1);
  EXPECT_DOUBLE_EQ(facts.work_us, 5);
  EXPECT_DOUBLE_EQ(facts.units, 1);
}

}  // namespace
}  // namespace redtune::bench
