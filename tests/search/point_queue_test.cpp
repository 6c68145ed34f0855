// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/point_queue.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <initializer_list>
#include <limits>
#include <vector>

#include "search/registry.hpp"
#include "tests/search/synthetic.hpp"

namespace redtune::search {
namespace {

using Points = std::vector<Point>;

constexpr std::size_t many = std::numeric_limits<std::size_t>::max();

/// Proposes 0, 1, 2, … 19 and wants the largest of those that wait.
class Counting final : public Strategy {
 public:
  Points ask(std::size_t max) override {
    Points points;
    for (; points.size() < max && next_ < 20; ++next_) points.push_back(point(next_));
    return points;
  }
  void tell(std::span<const Observation>) override {}
  std::vector<std::size_t> choose(std::span<const Point> waiting, std::size_t max) override {
    std::vector<std::size_t> places;
    for (std::size_t i = waiting.size(); i > 0 && places.size() < max; --i) places.push_back(i - 1);
    return places;
  }

  static Point point(std::size_t number) { return Point{number}; }
  static Points from(std::initializer_list<std::size_t> numbers) {
    Points points;
    for (const std::size_t number : numbers) points.push_back(point(number));
    return points;
  }

 private:
  std::size_t next_ = 0;
};

TEST(PointQueue, TriesWhatWasAskedForLongEnoughAgo) {
  Counting strategy;
  PointQueue queue(strategy, {.batch = 2, .ahead = 1, .first = 6});
  EXPECT_EQ(queue.ask(many), Counting::from({0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(queue.next(), Counting::from({5, 4}));
  EXPECT_EQ(queue.ask(many), Counting::from({6, 7}));
  EXPECT_EQ(queue.next(), Counting::from({3, 2})) << "6 and 7 are still compiled";
  EXPECT_EQ(queue.ask(many), Counting::from({8, 9}));
  EXPECT_EQ(queue.next(), Counting::from({7, 6}));
}

TEST(PointQueue, AsksAtFirstForAsManyAsAreTriedMeanwhile) {
  for (const std::size_t ahead : {0U, 1U, 3U}) {
    Counting strategy;
    PointQueue queue(strategy, {.batch = 4, .ahead = ahead});
    EXPECT_EQ(queue.ask(many).size(), 4 * (ahead + 1));
    EXPECT_EQ(queue.ask(many).size(), 4u);
  }
}

TEST(PointQueue, AsksForNoMoreThanItMay) {
  Counting strategy;
  PointQueue queue(strategy, {.batch = 4, .ahead = 1});
  EXPECT_EQ(queue.ask(3).size(), 3u);
  EXPECT_EQ(queue.ask(1).size(), 1u);
  EXPECT_TRUE(queue.ask(0).empty());
}

TEST(PointQueue, TriesEachPointOnceAndThenEnds) {
  const Space space = bumpy_space();
  for (const StrategyRow& row : strategies()) {
    for (const AskSizes sizes : {AskSizes{}, {3}, {8, 2}, {4, 2, 32}, {4, 9, 1}, {64, 0, 2}}) {
      const auto strategy = row.make(space, {});
      PointQueue queue(*strategy, sizes);
      Points tried;
      while (true) {
        (void)queue.ask(many);
        const Points points = queue.next();
        if (points.empty()) break;
        EXPECT_LE(points.size(), sizes.batch);
        queue.tell(observe(points, bowl));
        tried.insert(tried.end(), points.begin(), points.end());
      }
      std::ranges::sort(tried);
      EXPECT_TRUE(std::ranges::equal(tried, space.points())) << row.name;
    }
  }
}

}  // namespace
}  // namespace redtune::search
