// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Targets, budgets, baselines and scores against numbers worked out by hand.
#include "search/replay/score.hpp"

#include <gtest/gtest.h>

#include "tests/simulate/made_space.hpp"

namespace redtune::search {
namespace {

ReplayedRun run_of(std::vector<std::uint32_t> evaluated) {
  return {.evaluated = std::move(evaluated)};
}

/// The score of runs on a space, in evaluations, up to 0.95.
std::optional<Score> score_of(const RecordedSpace& space, const std::vector<ReplayedRun>& runs) {
  const Scale scale(space);
  return Scorer(space, scale, window_of(scale, 0.95), CostUnit::evaluations).score(runs, 1);
}

TEST(Scale, TargetsLieBetweenMedianAndBest) {
  const RecordedSpace space = nine();
  const Scale scale(space);
  EXPECT_EQ(scale.best(), 1);
  EXPECT_EQ(scale.median(), 5);
  EXPECT_DOUBLE_EQ(scale.target(0.5), 3);  // 1 + (5 - 1) / 2
  EXPECT_DOUBLE_EQ(scale.target(0.95), 1.2);
}

TEST(Scale, TheMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle) {
  EXPECT_DOUBLE_EQ(Scale(line_space({4, 1, std::nullopt, 2, 8})).median(), 3);
}

TEST(Scale, BudgetsAreWhatRandomSearchIsExpectedToNeed) {
  // Worst first: 9 8 7 6 5 4 3 2 1 at places 0 ... 8, N + 1 = 10.
  const RecordedSpace space = nine();
  const Scale scale(space);
  EXPECT_EQ(scale.budget(0.01), 1u);  // target 4.96: 4 at place 5; 5 / (10 - 5) = 1
  EXPECT_EQ(scale.budget(0.5), 2u);   // target 3: place 6; 6 / (10 - 6) = 1.5
  EXPECT_EQ(scale.budget(0.95), 4u);  // target 1.2: place 8; 8 / (10 - 8) = 4
  EXPECT_EQ(scale.budget(1), 4u);
}

TEST(Scale, TheBaselineIsTheCostAtTheExpectedPlace) {
  const RecordedSpace space = nine();
  const Scale scale(space);
  EXPECT_EQ(scale.baseline(1), 4);     // 1 * 10 / 2 = 5
  EXPECT_EQ(scale.baseline(2), 2);     // 2 * 10 / 3 = 6.67: 7
  EXPECT_EQ(scale.baseline(4), 1);     // 4 * 10 / 5 = 8
  EXPECT_EQ(scale.baseline(1000), 1);  // 9.99: cut to 8
}

TEST(Scale, FailuresAreNotOnTheList) {
  const Scale scale(line_space({std::nullopt, 3, 1, std::nullopt, 2}));
  EXPECT_EQ(scale.size(), 3u);
  EXPECT_EQ(scale.cost_at(0), 3);
  EXPECT_EQ(scale.cost_at(-5), 3);
  EXPECT_EQ(scale.cost_at(99), 1);
}

TEST(Scale, EqualCostsHaveTheBestPlaceAmongThem) {
  const Scale scale(line_space({5, 5, 5, 2, 1}));
  EXPECT_EQ(scale.place_of(5), 2u);
  EXPECT_EQ(scale.place_of(1), 4u);
  EXPECT_EQ(scale.place_of(6), 0u);
}

TEST(Score, IsOneForTheOptimumAtOnce) {
  const auto score = score_of(nine(), {run_of({0, 1, 2, 3, 4})});
  ASSERT_TRUE(score);
  EXPECT_DOUBLE_EQ(score->value, 1);
  EXPECT_EQ(score->deviation, 0);  // of one run there is no other sample
}

TEST(Score, IsTheMeanGainOverTheBaseline) {
  // After 1: found 9, baseline 4: (9 - 4) / (1 - 4) = -5/3. After 2: found 4, baseline 2: -2.
  // After 3 and 4 the baseline is the optimum: nothing to gain, left out. (-5/3 - 2) / 2 = -11/6.
  const auto score = score_of(nine(), {run_of({8, 3, 0, 1, 2})});
  ASSERT_TRUE(score);
  EXPECT_DOUBLE_EQ(score->value, -11.0 / 6);
}

TEST(Score, AveragesPlacesAndNotCosts) {
  // Places 8, 8 and 0, 5. After 1: mean 4, cost 5: (5 - 4) / (1 - 4) = -1/3. After 2: mean 6.5,
  // the even neighbour 6, cost 3: (3 - 2) / (1 - 2) = -1. Their mean is -2/3.
  const std::vector<ReplayedRun> runs{run_of({0, 1, 2, 3}), run_of({8, 3, 0, 1})};
  const auto score = score_of(nine(), runs);
  ASSERT_TRUE(score);
  EXPECT_DOUBLE_EQ(score->value, -2.0 / 3);
  // Resampled: twice the first 1, both -2/3, twice the second -11/6, at 1 : 2 : 1. The mean is
  // -13/24, that of squares 1.3125, so the deviation is sqrt(1.3125 - 0.2934) = 1.0095.
  EXPECT_NEAR(score->deviation, 1.0095, 0.1);
}

TEST(Score, AFailureCostsAnEvaluationAndRanksLast) {
  // After 1: nothing, as bad as 9: -5/3. After 2: the optimum: 1. (-5/3 + 1) / 2 = -1/3.
  auto costs = std::vector<std::optional<double>>{1, 2, 3, 4, 5, 6, 7, 8, 9, std::nullopt};
  const auto score = score_of(line_space(costs), {run_of({9, 0, 1, 2})});
  ASSERT_TRUE(score);
  EXPECT_DOUBLE_EQ(score->value, -1.0 / 3);
}

TEST(Score, NeedsRunsThatGoAsFarAsItDoes) {
  EXPECT_FALSE(score_of(nine(), {run_of({0, 1, 2})}));
  EXPECT_FALSE(score_of(nine(), {run_of({0, 1, 2, 3}), run_of({0, 1, 2})}));
  EXPECT_TRUE(score_of(nine(), {run_of({0, 1, 2, 3})}));
}

TEST(Score, IsNoneWhereNothingCanBeGained) {
  EXPECT_FALSE(score_of(line_space({2, 2, 2, 2}), {run_of({0, 1, 2, 3})}));
}

TEST(Score, LooksFurtherWhereRandomSearchIsSoonDone) {
  const RecordedSpace space = nine();
  EXPECT_EQ(window_of(Scale(space), 0.95).percentile, 0.99);
  EXPECT_EQ(window_of(Scale(space), 0.9).percentile, 0.9);  // asked for by name
  const RecordedSpace large = noise_space();
  const Scale scale(large);
  const Window window = window_of(scale, 0.95);
  EXPECT_EQ(window.percentile, 0.95);
  EXPECT_EQ(window.last, scale.budget(0.95));
  EXPECT_GE(window.last, 30u);
}

TEST(Score, InSecondsAnExpensiveEvaluationCounts) {
  RecordedSpace space = nine();
  for (Record& record : space.records) record.seconds = 1;
  space.records[4].seconds = 10;  // the mean of all is 2
  const Scale scale(space);
  const Scorer scorer(space, scale, {0.95, 1, 4}, CostUnit::seconds);
  EXPECT_DOUBLE_EQ(scorer.mean_seconds(), 2);
  const auto cheap = scorer.score(std::vector<ReplayedRun>{run_of({5, 0, 1, 2, 3, 6, 7, 8, 4})}, 1);
  const auto costly =
      scorer.score(std::vector<ReplayedRun>{run_of({4, 0, 1, 2, 3, 6, 7, 8, 5})}, 1);
  ASSERT_TRUE(cheap && costly);
  // The cheap one has the optimum after 2 s, which is where scoring begins; the other spends more
  // than the 8 s to its end on its first.
  EXPECT_DOUBLE_EQ(cheap->value, 1);
  EXPECT_LT(costly->value, -1);
}

TEST(FoundShare, IsOptimumOverBestMeanOverRuns) {
  const RecordedSpace space = nine();
  const Scale scale(space);
  const std::vector<ReplayedRun> runs{run_of({3, 1, 0}), run_of({7, 8, 4})};
  EXPECT_DOUBLE_EQ(found_share(space, scale, runs, 1).value(), (1.0 / 4 + 1.0 / 8) / 2);
  EXPECT_DOUBLE_EQ(found_share(space, scale, runs, 2).value(), (1.0 / 2 + 1.0 / 8) / 2);
  EXPECT_DOUBLE_EQ(found_share(space, scale, runs, 3).value(), (1.0 + 1.0 / 5) / 2);
  EXPECT_FALSE(found_share(space, scale, runs, 4));  // the runs do not tell
}

TEST(FoundShare, KeepsItsLastValueBehindTheEndOfASpace) {
  const RecordedSpace space = line_space({2, 1, std::nullopt});
  const std::vector<ReplayedRun> runs{run_of({2, 0, 1})};
  EXPECT_DOUBLE_EQ(found_share(space, Scale(space), runs, 1).value(), 0);  // a failure only
  EXPECT_DOUBLE_EQ(found_share(space, Scale(space), runs, 200).value(), 1);
}

}  // namespace
}  // namespace redtune::search
