// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Many runs of several strategies: what they must score, and that nothing but the seed decides.
#include "search/replay/simulate.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "cli/simulate/report.hpp"
#include "redtune/error.hpp"
#include "search/registry.hpp"
#include "tests/simulate/made_space.hpp"

namespace redtune::search {
namespace {

std::vector<std::vector<std::uint32_t>> sequences(const Simulation& simulation) {
  std::vector<std::vector<std::uint32_t>> all;
  for (const SimulatedSpace& space : simulation.spaces) {
    for (const Result& result : space.results) {
      for (const ReplayedRun& run : result.runs) all.push_back(run.evaluated);
    }
  }
  return all;
}

std::vector<std::string> every_strategy() {
  std::vector<std::string> names;
  for (const search::StrategyRow& row : search::strategies()) names.emplace_back(row.name);
  return names;
}

TEST(Simulate, RandomSearchScoresAboutNothing) {
  const Simulation all = simulate({noise_space()}, {.strategies = {"random"}});
  ASSERT_TRUE(all.spaces[0].results[0].score);
  const Score score = *all.spaces[0].results[0].score;
  EXPECT_NEAR(score.value, 0, 0.15);
  EXPECT_GT(score.deviation, 0);
  EXPECT_LT(std::abs(score.value), 4 * score.deviation);
}

TEST(Simulate, TheSameSeedGivesTheSameOnAnyNumberOfThreads) {
  const auto run = [](std::uint64_t seed, unsigned threads) {
    std::vector<RecordedSpace> spaces;
    spaces.push_back(noise_space());
    spaces.push_back(nine());
    return simulate(std::move(spaces),
                    {.strategies = every_strategy(), .runs = 7, .seed = seed, .threads = threads});
  };
  const Simulation one = run(1, 1);
  const Simulation many = run(1, 5);
  EXPECT_EQ(sequences(one), sequences(many));
  for (std::size_t i = 0; i < one.spaces[0].results.size(); ++i) {
    EXPECT_EQ(one.spaces[0].results[i].score->value, many.spaces[0].results[i].score->value);
    EXPECT_EQ(one.spaces[0].results[i].score->deviation,
              many.spaces[0].results[i].score->deviation);
  }
  EXPECT_NE(sequences(one), sequences(run(2, 5)));
}

TEST(Simulate, RunsOfAStrategyDiffer) {
  const Simulation all = simulate({noise_space()}, {.strategies = {"random"}, .runs = 2});
  const auto runs = sequences(all);
  EXPECT_NE(runs[0], runs[1]);
}

TEST(Simulate, RunsGoAsFarAsTheScoreAndTheLastMilestoneNeed) {
  const Simulation all = simulate({noise_space()}, {.strategies = {"grid"}, .runs = 2});
  const SimulatedSpace& space = all.spaces[0];
  EXPECT_EQ(space.results[0].runs[0].evaluated.size(),
            std::max<std::size_t>(200, space.window.last));
  EXPECT_TRUE(space.results[0].found[3]);
}

TEST(Simulate, ABudgetThatIsTooShortLeavesHoles) {
  const Simulation all =
      simulate({noise_space()}, {.strategies = {"grid"}, .runs = 2, .budget = 30});
  const Result& result = all.spaces[0].results[0];
  ASSERT_GT(all.spaces[0].window.last, 30u);
  EXPECT_EQ(result.runs[0].evaluated.size(), 30u);
  EXPECT_FALSE(result.score);
  EXPECT_TRUE(result.found[0]);
  EXPECT_FALSE(result.found[1]);
  EXPECT_NE(cli::table_of(all).find(" -"), std::string::npos);
}

TEST(Simulate, TheMeanIsOverSpaces) {
  std::vector<RecordedSpace> spaces;
  spaces.push_back(noise_space());
  spaces.push_back(nine());
  const Simulation all = simulate(std::move(spaces), {.strategies = {"random"}, .runs = 9});
  const MeanResult mean = mean_over_spaces(all, 0);
  const Result& first = all.spaces[0].results[0];
  const Result& second = all.spaces[1].results[0];
  EXPECT_DOUBLE_EQ(mean.score->value, (first.score->value + second.score->value) / 2);
  EXPECT_DOUBLE_EQ(mean.score->deviation,
                   std::hypot(first.score->deviation, second.score->deviation) / 2);
  EXPECT_DOUBLE_EQ(*mean.found[1], (*first.found[1] + *second.found[1]) / 2);
  const std::string table = cli::table_of(all);
  EXPECT_NE(table.find("\nmean"), std::string::npos) << table;
  EXPECT_NE(table.find("0.99"), std::string::npos) << table;  // nine: random search is soon done
}

TEST(Simulate, SecondsNeedThatTheyWereRecorded) {
  EXPECT_THROW((void)simulate({nine()}, {.strategies = {"grid"}, .unit = CostUnit::seconds}),
               UsageError);
  RecordedSpace space = nine();
  for (std::size_t i = 1; i < 9; ++i) space.records[i].seconds = 2;
  const Simulation all =
      simulate({space}, {.strategies = {"grid"}, .runs = 1, .unit = CostUnit::seconds});
  EXPECT_EQ(all.spaces[0].recorded.records[0].seconds, 2);  // as the others
  EXPECT_TRUE(all.spaces[0].results[0].score);
}

TEST(Simulate, RefusesUnknownStrategies) {
  EXPECT_THROW((void)simulate({nine()}, {.strategies = {"no_such"}}), UsageError);
}

TEST(Simulate, MeasuresWhatAStrategyTakes) {
  const Simulation all = simulate({noise_space()}, {.strategies = {"random"}, .runs = 2});
  EXPECT_GT(all.spaces[0].results[0].strategy_us, 0);
}

}  // namespace
}  // namespace redtune::search
