// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every strategy in the registry must keep to, whatever it thinks of the points.
// A new row in the registry is tested here the moment it exists.
#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <ostream>
#include <set>
#include <vector>

#include "search/registry.hpp"
#include "search/rng.hpp"
#include "tests/search/synthetic.hpp"

namespace redtune::search {

void PrintTo(const StrategyRow& row, std::ostream* out) {
  *out << row.name;
}

namespace {

using Points = std::vector<Point>;

class StrategyContract : public testing::TestWithParam<StrategyRow> {
 protected:
  static std::unique_ptr<Strategy> make(const Space& space, const StrategyOptions& options = {}) {
    return GetParam().make(space, options);
  }

  /// The first `wanted` points of a run in batches, every batch told at once.
  static Points run(Strategy& strategy, std::size_t batch, std::size_t wanted, const Cost& cost) {
    Points proposed;
    while (proposed.size() < wanted) {
      const Points points = strategy.ask(std::min(batch, wanted - proposed.size()));
      if (points.empty()) break;
      EXPECT_LE(points.size(), batch);
      proposed.insert(proposed.end(), points.begin(), points.end());
      strategy.tell(observe(points, cost));
    }
    return proposed;
  }

  /// Each point of the space once, and nothing else.
  static void expect_complete(const Space& space, Points proposed) {
    std::ranges::sort(proposed);
    EXPECT_TRUE(std::ranges::equal(proposed, space.points()))
        << proposed.size() << " proposed, " << space.size() << " valid";
  }

  static constexpr std::size_t everything = std::numeric_limits<std::size_t>::max();
};

TEST_P(StrategyContract, ProposesEveryValidPointOnceAndThenEnds) {
  const Space space = bumpy_space();
  for (const std::size_t batch : {1U, 8U, 64U, 100'000U}) {
    const auto strategy = make(space);
    expect_complete(space, run(*strategy, batch, everything, bowl));
    EXPECT_TRUE(strategy->ask(1).empty()) << "and stays at its end";
  }
}

TEST_P(StrategyContract, RepeatsItselfForTheSameSeed) {
  const Space space = bumpy_space();
  for (const std::size_t batch : {1U, 8U, 64U}) {
    const Points one = run(*make(space, {.seed = 5}), batch, everything, bowl);
    const Points two = run(*make(space, {.seed = 5}), batch, everything, bowl);
    EXPECT_EQ(one, two);
  }
}

TEST_P(StrategyContract, IsGuidedBySourcesIfItSaysSo) {
  const Space space = bumpy_space();
  SourceTask source;
  for (const Point& point : space.points()) source.observations.push_back({point, bowl(point)});
  const Points alone = run(*make(space), 8, 60, bowl);
  EXPECT_EQ(run(*make(space, {.sources = {source}}), 8, 60, bowl) != alone,
            GetParam().uses_sources);
  expect_complete(space, run(*make(space, {.sources = {source}}), 8, everything, bowl));
}

TEST_P(StrategyContract, DiffersBetweenSeeds) {
  const Space space = bumpy_space();
  std::set<Points> runs;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    runs.insert(run(*make(space, {.seed = seed}), 1, 20, bowl));
  }
  EXPECT_EQ(runs.size(), 5U);
}

TEST_P(StrategyContract, AsksForNothingWhenNothingIsWanted) {
  const Space space = bumpy_space();
  const auto strategy = make(space);
  EXPECT_TRUE(strategy->ask(0).empty());
  strategy->tell({});
  EXPECT_EQ(strategy->ask(1).size(), 1U) << "and goes on after that";
}

TEST_P(StrategyContract, TakesTellsInReversedOrder) {
  const Space space = bumpy_space();
  const auto strategy = make(space);
  Points proposed;
  for (Points points = strategy->ask(8); !points.empty(); points = strategy->ask(8)) {
    proposed.insert(proposed.end(), points.begin(), points.end());
    std::ranges::reverse(points);
    strategy->tell(observe(points, bowl));
  }
  expect_complete(space, proposed);
}

TEST_P(StrategyContract, TakesTellsLateInAnyOrderAndGroupingAndLosesNone) {
  const Space space = bumpy_space();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto strategy = make(space, {.seed = seed});
    Rng chaos(seed);
    Points proposed;
    Points in_flight;
    for (;;) {
      const Points points = strategy->ask(1 + chaos.below(20));
      if (points.empty()) break;
      proposed.insert(proposed.end(), points.begin(), points.end());
      in_flight.insert(in_flight.end(), points.begin(), points.end());
      chaos.shuffle(std::span(in_flight));
      const std::size_t kept = chaos.below(in_flight.size() + 1);
      strategy->tell(observe(std::span(in_flight).subspan(kept), with_failures(bowl)));
      in_flight.resize(kept);
    }
    expect_complete(space, proposed);
  }
}

TEST_P(StrategyContract, ChoosesSomeOfThoseThatWaitEachOnceAndAlwaysTheSame) {
  const Space space = bumpy_space();
  SourceTask source;
  for (const Point& point : space.points()) source.observations.push_back({point, bowl(point)});
  for (const bool is_guided : {false, true}) {
    StrategyOptions options{.start = {space.points().front(), space.points().back()}};
    if (is_guided) options.sources = {source};
    std::vector<Points> runs(2);
    for (Points& tried : runs) {
      const auto strategy = make(space, options);
      Points waiting;
      for (bool is_asked = true; is_asked || !waiting.empty();) {
        const Points more = strategy->ask(waiting.empty() ? 20 : 3);
        is_asked = !more.empty();
        waiting.insert(waiting.end(), more.begin(), more.end());
        EXPECT_TRUE(strategy->choose(waiting, 0).empty());
        EXPECT_TRUE(strategy->choose({}, 4).empty());
        const std::vector<std::size_t> chosen = strategy->choose(waiting, 4);
        ASSERT_EQ(chosen.size(), std::min<std::size_t>(4, waiting.size()));
        Points points;
        for (const std::size_t place : chosen) points.push_back(waiting.at(place));
        const Points left = waiting;
        std::erase_if(waiting,
                      [&](const Point& one) { return std::ranges::count(points, one) > 0; });
        ASSERT_EQ(waiting.size() + chosen.size(), left.size()) << "each once";
        strategy->tell(observe(points, with_failures(bowl)));
        tried.insert(tried.end(), points.begin(), points.end());
      }
      expect_complete(space, tried);
    }
    EXPECT_EQ(runs.front(), runs.back());
  }
}

TEST_P(StrategyContract, GoesOnUntilTheEndWhenItIsNeverToldAnything) {
  const Space space = bumpy_space();
  for (const std::size_t batch : {1U, 64U}) {
    const auto strategy = make(space);
    Points proposed;
    for (Points points = strategy->ask(batch); !points.empty(); points = strategy->ask(batch)) {
      proposed.insert(proposed.end(), points.begin(), points.end());
    }
    expect_complete(space, proposed);
  }
}

TEST_P(StrategyContract, SurvivesASpaceWhereEverythingFails) {
  const Space space = bumpy_space();
  for (const std::size_t batch : {1U, 8U}) {
    expect_complete(space, run(*make(space), batch, everything, failing));
  }
}

TEST_P(StrategyContract, SurvivesASpaceWhereSomePointsFail) {
  const Space space = bumpy_space();
  expect_complete(space, run(*make(space), 8, everything, with_failures(bowl)));
}

TEST_P(StrategyContract, SurvivesCostsThatAreNoNumbersOrAllTheSame) {
  const Space space = bumpy_space();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double odd :
       {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, 0.0, -1.0}) {
    const Cost cost = [odd](const Point&) { return std::optional(odd); };
    expect_complete(space, run(*make(space), 8, everything, cost));
  }
}

TEST_P(StrategyContract, CopesWithSpacesOfEveryShape) {
  const std::vector<Space> spaces = odd_spaces();
  for (const Space& space : spaces) {
    for (const std::size_t batch : {1U, 8U, 64U}) {
      expect_complete(space, run(*make(space), batch, everything, bowl));
    }
  }
}

TEST_P(StrategyContract, AsksForStartPointsFirstAndForEachOnce) {
  const Space space = bumpy_space();
  const Points start{space[40], space[7], space[99]};
  const Point invalid{0, 0, 1};
  ASSERT_FALSE(space.contains(invalid));
  const StrategyOptions options{.start = {start[0], invalid, start[1], {1}, start[0], start[2]}};
  for (const std::size_t batch : {1U, 2U, 64U}) {
    const Points proposed = run(*make(space, options), batch, everything, bowl);
    EXPECT_EQ(Points(proposed.begin(), proposed.begin() + 3), start);
    expect_complete(space, proposed);
  }
}

TEST_P(StrategyContract, DoesNotAskForPointsItWasToldUnasked) {
  const Space space = bumpy_space();
  const auto strategy = make(space, {.start = {space[3]}});
  const Points known{space[3], space[4], space[60]};
  strategy->tell(observe(known, bowl));
  Points all = run(*strategy, 8, everything, bowl);
  for (const Point& point : known) EXPECT_EQ(std::ranges::count(all, point), 0);
  all.insert(all.end(), known.begin(), known.end());
  expect_complete(space, all);
}

TEST_P(StrategyContract, IgnoresTellsThatRepeatOrLieOutsideTheSpace) {
  const Space space = bumpy_space();
  const auto strategy = make(space);
  Points proposed;
  for (Points points = strategy->ask(4); !points.empty(); points = strategy->ask(4)) {
    proposed.insert(proposed.end(), points.begin(), points.end());
    strategy->tell(observe(points, bowl));
    strategy->tell(observe(points, failing));
    strategy->tell(std::vector<Observation>{{{0, 0, 1}, 0.0}, {{99}, 0.0}, {{}, std::nullopt}});
  }
  expect_complete(space, proposed);
}

TEST_P(StrategyContract, StaysQuickInASpaceOfAMillionPoints) {
  static const Space space({{"a", 100}, {"b", 100}, {"c", 100}});
  ASSERT_EQ(space.size(), 1'000'000U);
  const auto begin = std::chrono::steady_clock::now();
  Points proposed = run(*make(space), 8, 300, bowl);
  const auto elapsed = std::chrono::steady_clock::now() - begin;
  ASSERT_EQ(proposed.size(), 300U);
  std::ranges::sort(proposed);
  EXPECT_TRUE(std::ranges::adjacent_find(proposed) == proposed.end());
  for (const Point& point : proposed) EXPECT_TRUE(space.contains(point));
  EXPECT_LT(elapsed, std::chrono::seconds(5)) << "meant to catch work that grows with the space";
}

TEST_P(StrategyContract, StaysQuickOnAnAxisOfAllValuesThatThereCanBe) {
  static const Space space({{"a", Point::most_values}, {"b", 2, AxisKind::categorical}});
  const auto begin = std::chrono::steady_clock::now();
  const Points proposed = run(*make(space), 1, 100, bowl);
  const auto elapsed = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(std::set<Point>(proposed.begin(), proposed.end()).size(), 100U);
  EXPECT_LT(elapsed, std::chrono::seconds(20)) << "meant to catch work that grows with the square";
}

TEST_P(StrategyContract, GoesOnAfterManyPointsOfWhichItIsToldLate) {
  static const Space space({{"a", 100}, {"b", 100}, {"c", 100}});
  const auto strategy = make(space);
  strategy->tell(observe(Points{{1, 1, 1}, {2, 2, 2}, {50, 50, 50}}, bowl));
  Points waiting;
  for (int i = 0; i < 20; ++i) {
    const Points points = strategy->ask(50);
    ASSERT_EQ(points.size(), 50U);
    waiting.insert(waiting.end(), points.begin(), points.end());
  }
  EXPECT_EQ(std::set<Point>(waiting.begin(), waiting.end()).size(), 1000U);
  strategy->tell(observe(waiting, bowl));
  EXPECT_EQ(strategy->ask(50).size(), 50U);
}

INSTANTIATE_TEST_SUITE_P(Registry, StrategyContract,
                         testing::ValuesIn(strategies().begin(), strategies().end()),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace redtune::search
