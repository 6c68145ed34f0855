// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Points are taken once, by name or by lot.
#include "search/unseen.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace redtune::search {
namespace {

TEST(Unseen, HandsOutEachPointOnceThenNothing) {
  const Space space({{"a", 10}, {"b", 10}});
  Unseen unseen(space);
  Rng rng(1);
  std::set<Point> drawn;
  while (const auto point = unseen.draw(rng)) EXPECT_TRUE(drawn.insert(*point).second);
  EXPECT_EQ(drawn.size(), space.size());
  EXPECT_EQ(unseen.left(), 0U);
}

TEST(Unseen, TakesAPointByNameOnlyWhenItIsValidAndNew) {
  const Space space({{"a", 4}}, [](const Point& point) { return point[0] != 2; });
  Unseen unseen(space);
  EXPECT_TRUE(unseen.contains({1}));
  EXPECT_TRUE(unseen.take({1}));
  EXPECT_FALSE(unseen.contains({1}));
  EXPECT_FALSE(unseen.take({1}));
  EXPECT_FALSE(unseen.take({2}));
  EXPECT_FALSE(unseen.take({9}));
  EXPECT_EQ(unseen.left(), 2U);
}

TEST(Unseen, NeverDrawsWhatWasTakenByName) {
  const Space space({{"a", 6}});
  Unseen unseen(space);
  Rng rng(3);
  unseen.take({4});
  for (int draw = 0; draw < 5; ++draw) EXPECT_NE(unseen.draw(rng), Point{4});
  EXPECT_FALSE(unseen.draw(rng).has_value());
}

TEST(Unseen, DrawsEveryRemainingPointEquallyOften) {
  const Space space({{"a", 5}});
  std::map<Point, int> first;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Unseen unseen(space);
    Rng rng(seed);
    unseen.take({2});
    ++first[*unseen.draw(rng)];
  }
  ASSERT_EQ(first.size(), 4U);
  for (const auto& [point, count] : first) EXPECT_NEAR(count, 1000, 5 * std::sqrt(1000.0));
}

TEST(Unseen, HandsOutValidStartPointsInOrderAndOnce) {
  const Space space({{"a", 6}});
  Unseen unseen(space, {{3}, {9}, {1}, {3}, {0, 0}, {5}});
  unseen.take({1});
  EXPECT_EQ(unseen.take_start(), Point{3});
  EXPECT_EQ(unseen.take_start(), Point{5});
  EXPECT_FALSE(unseen.take_start().has_value());
}

}  // namespace
}  // namespace redtune::search
