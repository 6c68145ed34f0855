// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What single strategies promise beyond the contract, and that thinking beats luck.
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "redtune/error.hpp"
#include "search/registry.hpp"
#include "tests/search/synthetic.hpp"

namespace redtune::search {
namespace {

using Points = std::vector<Point>;

/// Drives with batches of one; returns everything proposed.
Points drive(Strategy& strategy, std::size_t evaluations, const Cost& cost) {
  Points proposed;
  while (proposed.size() < evaluations) {
    const Points points = strategy.ask(1);
    if (points.empty()) break;
    proposed.push_back(points.front());
    strategy.tell(observe(points, cost));
  }
  return proposed;
}

double best_of(const Points& points, const Cost& cost) {
  double best = std::numeric_limits<double>::infinity();
  for (const Point& point : points) best = std::min(best, cost(point).value_or(best));
  return best;
}

Space wide_space() {
  return Space({{"a", 8}, {"b", 8}, {"c", 8}, {"d", 8}, {"e", 8}});
}

/// Mean over 50 seeds of the best cost after 60 evaluations in batches of this size.
double mean_best(std::string_view name, std::size_t batch) {
  const Space space = wide_space();
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto strategy = make_strategy(name, space, {.seed = seed});
    Points proposed;
    while (proposed.size() < 60) {
      const Points points = strategy->ask(std::min<std::size_t>(batch, 60 - proposed.size()));
      proposed.insert(proposed.end(), points.begin(), points.end());
      strategy->tell(observe(points, bowl));
    }
    sum += best_of(proposed, bowl);
  }
  return sum / 50;
}

int axes_changed(const Point& from, const Point& to) {
  int changed = 0;
  for (std::size_t axis = 0; axis < from.size(); ++axis) changed += from[axis] != to[axis];
  return changed;
}

TEST(Registry, NamesAreUniqueAndSummariesAreOneLine) {
  for (const StrategyRow& row : strategies()) {
    EXPECT_EQ(std::ranges::count(strategies(), row.name, &StrategyRow::name), 1);
    EXPECT_FALSE(row.summary.empty());
    EXPECT_EQ(row.summary.find('\n'), std::string_view::npos);
  }
}

TEST(Registry, RefusesAnUnknownNameSuggestingTheClosestAndListingAll) {
  const Space space({{"a", 2}});
  try {
    (void)make_strategy("gird", space, {});
    FAIL();
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("unknown strategy 'gird' (did you mean 'grid'?); known: "))
        << text;
    for (const StrategyRow& row : strategies()) {
      EXPECT_NE(text.find(row.name), std::string::npos) << text;
    }
  }
}

TEST(Grid, FollowsLexicographicOrderWhenAsked) {
  const Space space = bumpy_space();
  const auto grid = make_strategy("grid", space, {.grid_order = GridOrder::lexicographic});
  EXPECT_TRUE(std::ranges::equal(drive(*grid, 1000, bowl), space.points()));
}

TEST(Grid, LeavesOutOfLexicographicOrderWhatItStartedWithOrWasTold) {
  const Space space({{"a", 5}});
  const auto grid =
      make_strategy("grid", space, {.start = {{3}}, .grid_order = GridOrder::lexicographic});
  grid->tell(std::vector<Observation>{{{1}, 1.0}});
  EXPECT_EQ(drive(*grid, 1000, bowl), (Points{{3}, {0}, {2}, {4}}));
}

TEST(Grid, IsShuffledOtherwise) {
  const Space space = bumpy_space();
  const auto grid = make_strategy("grid", space, {});
  EXPECT_FALSE(std::ranges::is_sorted(drive(*grid, 20, bowl)));
}

TEST(HillClimbing, ProposesNeighboursOfTheBaseUntilOneIsCheaper) {
  const Space space = wide_space();
  const Point base{0, 0, 0, 0, 0};
  const auto climbing = make_strategy("hill_climbing", space, {.seed = 3, .start = {base}});
  const Cost sum = [](const Point& point) {
    return std::optional(point[0] == 5 ? 1.0 : point[0] == 6 ? 0.5 : 2.0);
  };
  const Points proposed = drive(*climbing, 60, sum);
  const auto on_five = std::ranges::find(proposed, 1.0, [&](const Point& p) { return *sum(p); });
  const auto on_six = std::ranges::find(proposed, 0.5, [&](const Point& p) { return *sum(p); });
  const auto improved = std::min(on_five, on_six);
  ASSERT_NE(improved, proposed.end());
  for (auto point = proposed.begin() + 1; point <= improved; ++point) {
    EXPECT_EQ(axes_changed(base, *point), 1);
  }
  ASSERT_NE(improved + 1, proposed.end());
  EXPECT_EQ(axes_changed(*improved, *(improved + 1)), 1) << "moves at once";
}

TEST(HillClimbing, RestartsAtAnotherPointOnceAllNeighboursAreSeen) {
  const Space space({{"a", 4}, {"b", 4}});
  const auto climbing = make_strategy("hill_climbing", space, {.start = {{0, 0}}});
  const Cost cost = [](const Point& point) {
    return std::optional(point == Point{0, 0} ? 0.0 : 1.0);
  };
  const Points proposed = drive(*climbing, 16, cost);
  for (std::size_t i = 1; i <= 6; ++i) EXPECT_EQ(axes_changed({0, 0}, proposed[i]), 1);
  EXPECT_EQ(axes_changed({0, 0}, proposed[7]), 2);
}

TEST(HillClimbing, ClimbsFromTheCheapestOfTheStartPoints) {
  const Space space = wide_space();
  const Points start{{7, 7, 7, 7, 7}, {3, 3, 3, 3, 0}, {0, 0, 0, 0, 0}};
  const auto climbing = make_strategy("hill_climbing", space, {.start = start});
  (void)climbing->ask(3);
  climbing->tell(observe(start, bowl));
  for (const Point& point : climbing->ask(5)) EXPECT_EQ(axes_changed(start[1], point), 1);
}

TEST(HillClimbing, GoesOnClimbingWhenTellsAlwaysComeOneBatchLate) {
  const Space space = wide_space();
  double late = 0;
  double random = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto climbing = make_strategy("hill_climbing", space, {.seed = seed});
    Points proposed;
    Points previous;
    while (proposed.size() < 240) {
      const Points points = climbing->ask(4);
      climbing->tell(observe(previous, bowl));
      proposed.insert(proposed.end(), points.begin(), points.end());
      previous = points;
    }
    late += best_of(proposed, bowl);
    random += best_of(drive(*make_strategy("random", space, {.seed = seed}), 240, bowl), bowl);
  }
  EXPECT_LT(late, random * 0.6);
}

TEST(HillClimbing, BeatsRandomSearchOnASmoothSpace) {
  const double random = mean_best("random", 1);
  EXPECT_LT(mean_best("hill_climbing", 1), random * 0.6);
  EXPECT_LT(mean_best("hill_climbing", 8), random * 0.8);
}

}  // namespace
}  // namespace redtune::search
