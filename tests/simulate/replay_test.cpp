// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a strategy is told of a recorded space, how long a run goes on, and what ends it.
#include "search/replay/replay.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "redtune/error.hpp"
#include "search/registry.hpp"
#include "tests/simulate/made_space.hpp"

namespace redtune::search {
namespace {

/// Asks for what it was made with, in batches, and remembers what it is told.
class Scripted final : public search::Strategy {
 public:
  explicit Scripted(std::vector<search::Point> points) : points_(std::move(points)) {}
  std::vector<search::Point> ask(std::size_t max) override {
    asked.push_back(max);
    std::vector<search::Point> batch;
    while (batch.size() < max && next_ < points_.size()) batch.push_back(points_[next_++]);
    return batch;
  }
  void tell(std::span<const search::Observation> observations) override {
    told.insert(told.end(), observations.begin(), observations.end());
  }

  std::vector<std::size_t> asked;
  std::vector<search::Observation> told;

 private:
  std::vector<search::Point> points_;
  std::size_t next_ = 0;
};

ReplayedRun replay_all(const RecordedSpace& recorded, search::Strategy& strategy,
                       const ReplayTerms& terms) {
  const search::Space space = space_of(recorded);
  return replay({recorded, space}, strategy, 5, terms);
}

TEST(Replay, TellsWhatWasRecorded) {
  const RecordedSpace recorded = line_space({4, std::nullopt, 2});
  Scripted strategy({{2}, {1}, {0}});
  const ReplayedRun run = replay_all(recorded, strategy, {.evaluations = 3});
  EXPECT_EQ(run.evaluated, (std::vector<std::uint32_t>{2, 1, 0}));
  EXPECT_EQ(strategy.told,
            (std::vector<search::Observation>{{{2}, 2.0}, {{1}, std::nullopt}, {{0}, 4.0}}));
  EXPECT_EQ(run.told[0], 2);
  EXPECT_TRUE(std::isnan(run.told[1]));
}

TEST(Replay, AsksForBatchesUpToTheBudget) {
  const RecordedSpace recorded = nine();
  Scripted strategy({{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}});
  const ReplayedRun run = replay_all(recorded, strategy, {.asks = {.batch = 4}, .evaluations = 6});
  EXPECT_EQ(run.evaluated.size(), 6u);
  EXPECT_EQ(strategy.asked, (std::vector<std::size_t>{4, 2}));
}

TEST(Replay, EndsWithItsSpaceAndWithItsStrategy) {
  const RecordedSpace recorded = nine();
  Scripted strategy({{3}, {4}});
  EXPECT_EQ(replay_all(recorded, strategy, {.evaluations = 100}).evaluated.size(), 2u);
  const search::Space space = space_of(recorded);
  const auto random = search::make_strategy("random", space, {});
  EXPECT_EQ(replay_all(recorded, *random, {.evaluations = 100}).evaluated.size(), 9u);
}

TEST(Replay, GoesOnUntilItsSecondsAreSpent) {
  RecordedSpace recorded = nine();
  for (Record& record : recorded.records) record.seconds = 2;
  Scripted strategy({{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}});
  EXPECT_EQ(replay_all(recorded, strategy, {.seconds = 7}).evaluated.size(), 4u);
}

TEST(Replay, RefusesStrategiesThatBreakTheirPromises) {
  const RecordedSpace recorded = line_space({4, 3, 2});
  Scripted twice({{1}, {1}});
  EXPECT_THROW((void)replay_all(recorded, twice, {.evaluations = 3}), Error);
  Scripted outside({search::Point{7}});
  EXPECT_THROW((void)replay_all(recorded, outside, {.evaluations = 3}), Error);
}

TEST(Replay, NoiseIsARecordedLaunchOnTheScaleOfTheCost) {
  RecordedSpace recorded = line_space({4, 3, 2});
  recorded.records[0].launches = {10, 30};  // another unit: their mean, 20, stands for 4
  std::set<double> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Scripted strategy({{0}, {1}});
    const search::Space space = space_of(recorded);
    const ReplayedRun run =
        replay({recorded, space}, strategy, seed, {.evaluations = 2, .noise = Noise::replay});
    seen.insert(run.told[0]);
    EXPECT_EQ(strategy.told[0].cost, run.told[0]);
    EXPECT_EQ(run.told[1], 3);  // without launches there is no noise
  }
  EXPECT_EQ(seen, (std::set<double>{2, 6}));
}

TEST(Replay, SeedsDifferBySpaceStrategyAndRun) {
  std::set<std::uint64_t> seeds;
  for (const std::uint64_t all : {1U, 2U}) {
    for (const std::uint64_t space : {1U, 2U}) {
      for (const char* strategy : {"random", "modnar"}) {
        for (std::size_t run = 0; run < 50; ++run) {
          seeds.insert(seed_of(all, space, strategy, run));
        }
      }
    }
  }
  EXPECT_EQ(seeds.size(), 400u);
}

TEST(SpaceOf, HasTheKindsAndTheRanksOfTheRecord) {
  const RecordedSpace recorded = make_recorded_space(
      {{"n", "w"}, {{{2.0, "b"}, {.cost = 1}}, {{1.0, "a"}, {.cost = 2}}, {{2.0, "a"}, {}}}});
  const search::Space space = space_of(recorded);
  EXPECT_EQ(space.axes()[0].kind, search::AxisKind::ordered);
  EXPECT_EQ(space.axes()[0].values, (std::vector<double>{1, 2}));
  EXPECT_EQ(space.axes()[1].kind, search::AxisKind::categorical);
  EXPECT_TRUE(space.axes()[1].values.empty());
  for (std::size_t i = 0; i < recorded.points.size(); ++i) {
    EXPECT_EQ(space.rank(recorded.points[i]), i);
  }
}

TEST(SpaceOf, RefusesMoreCombinationsThanThereCanBe) {
  RawSpace raw{std::vector<std::string>(16, "p"), {}};
  for (int i = 0; i < 20; ++i) {
    raw.configs.push_back({std::vector<AxisValue>(16, double(i)), {.cost = 1}});
  }
  EXPECT_THROW((void)space_of(make_recorded_space(raw)), UsageError);  // 20^16 > 2^64
}

}  // namespace
}  // namespace redtune::search
