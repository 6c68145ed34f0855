// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How long the rest of a run takes: what is known counts nothing, and the run corrects its own
// estimates.
#include "cli/report/time_left.hpp"

#include <gtest/gtest.h>

#include "cli/run_workload.hpp"

namespace redtune::cli {
namespace {

/// A problem of which this is likely: seconds, of so many runs or of its budget.
ListedItem to_tune(std::optional<LikelyTime> likely) {
  return {{make_problem(Op::sum, DType::f32, 1000), "8"}, ToTune{}, likely};
}
ListedItem known() {
  return {{make_problem(Op::max, DType::f32, 1000), "8"}, KnownSince{"2026-11-22"}, std::nullopt};
}
constexpr LikelyTime by_runs(double seconds) {
  return {seconds, 3};
}
constexpr LikelyTime by_budget(double seconds) {
  return {seconds, 0};
}

TEST(TimeLeft, IsOfWhatIsToBeTuned) {
  const std::vector items{known(), to_tune(by_runs(2)), known(), known(), to_tune(by_budget(3))};
  const TimeLeft left(items);
  EXPECT_EQ(left.seconds_from(0), 5);
  EXPECT_EQ(left.seconds_from(2), 3);
  EXPECT_EQ(left.seconds_from(5), 0);
}

TEST(TimeLeft, IsNothingWhereAllIsKnown) {
  const std::vector items{known(), known()};
  EXPECT_EQ(TimeLeft(items).seconds_from(0), 0);
}

TEST(TimeLeft, TakesARunThatGoesOnForOneToBeDone) {
  std::vector items{to_tune(by_runs(2))};
  items[0].state = GoesOn{cache::RunId{7}};
  EXPECT_EQ(TimeLeft(items).seconds_from(0), 2);
}

TEST(TimeLeft, IsCorrectedByWhatTheRunTook) {
  const std::vector items{to_tune(by_runs(2)), known(), to_tune(by_runs(4)), to_tune(by_runs(8))};
  TimeLeft left(items);
  left.add(0, 6);  // thrice as long
  EXPECT_EQ(left.seconds_from(1), 36);
  left.add(2, 3);  // 9 instead of 6 together
  EXPECT_EQ(left.seconds_from(3), 12);
}

TEST(TimeLeft, CorrectsBudgetsByBudgetsAlone) {
  const std::vector items{to_tune(by_budget(10)), to_tune(by_runs(4)), to_tune(by_budget(20))};
  TimeLeft left(items);
  left.add(0, 1);
  EXPECT_EQ(left.seconds_from(1), 4 + 2);
}

TEST(TimeLeft, IsTheMeanOfTheRunWhereNothingElseIsKnown) {
  const std::vector items{to_tune({}), to_tune({}), known(), to_tune({})};
  TimeLeft left(items);
  EXPECT_EQ(left.seconds_from(0), std::nullopt);
  left.add(0, 3);
  EXPECT_EQ(left.seconds_from(1), 6);
  left.add(1, 5);
  EXPECT_EQ(left.seconds_from(2), 4);
}

TEST(RunProgress, CountsWhatIsToBeTuned) {
  RunProgress progress;
  progress.begin({known(), known(), to_tune(by_runs(4)), to_tune(by_runs(4))});
  progress.begin_problem(2);
  EXPECT_EQ(progress.share(0), 0);
  EXPECT_EQ(progress.share(0.5), 0.25);
  EXPECT_EQ(progress.name(), "3/4 sum f32 1000 cold: ");
  EXPECT_EQ(progress.name_and_time_left(), "3/4 sum f32 1000 cold, about 8.0 s left: ");
  progress.end_tuned(std::chrono::seconds(2));
  progress.begin_problem(3);
  EXPECT_EQ(progress.share(0.5), 0.75);
  EXPECT_EQ(progress.name_and_time_left(), "4/4 sum f32 1000 cold, about 2.0 s left: ");
}

/// What is tuned between two problems is none of them.
TEST(RunProgress, NamesABorderBehindAllProblems) {
  RunProgress progress;
  progress.begin({known(), to_tune(by_runs(4))});
  progress.begin_problem(1);
  progress.end_tuned(std::chrono::seconds(2));
  progress.begin_border("border 1/2 sum f32 1000 cold to 2000");
  EXPECT_EQ(progress.share(0.5), 1);
  EXPECT_EQ(progress.name(), "border 1/2 sum f32 1000 cold to 2000: ");
  EXPECT_EQ(progress.name_and_time_left(), progress.name());
  progress.end_border();
  EXPECT_EQ(progress.name(), "");
}

TEST(RunProgress, OfOneProblemIsItsSearch) {
  RunProgress progress;
  EXPECT_EQ(progress.share(0.25), 0.25);
  EXPECT_EQ(progress.name_and_time_left(), "");
  progress.begin({to_tune(by_runs(4))});
  EXPECT_EQ(progress.share(0.25), 0.25);
  EXPECT_EQ(progress.name(), "");
}

}  // namespace
}  // namespace redtune::cli
