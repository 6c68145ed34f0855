// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a workload comes to before it is tuned: the table, the sum, and where times come from.
#include "cli/report/workload_list.hpp"

#include <gmock/gmock.h>

namespace redtune::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

WorkloadItem sum(std::int64_t count, const std::string& budget = "128,90s",
                 CacheMode mode = CacheMode::cold) {
  return {make_problem(Op::sum, DType::f32, count, mode), budget};
}

cache::RunTime ran(const WorkloadItem& item, double seconds) {
  return {item.problem, item.budget, seconds};
}

TEST(LikelyTime, IsTheMedianOfRunsLikeIt) {
  const std::vector<cache::RunTime> past{ran(sum(1 << 20), 3), ran(sum(1 << 22), 10),
                                         ran(sum(1 << 18), 2)};
  const auto likely = likely_time(sum(1 << 20), past);
  ASSERT_TRUE(likely);
  EXPECT_EQ(likely->seconds, 3);
  EXPECT_EQ(likely->runs, 3u);
}

TEST(LikelyTime, TakesNoRunOfAnotherSizeBudgetOrCacheMode) {
  const std::vector<cache::RunTime> past{ran(sum((1 << 22) + 1), 1), ran(sum((1 << 18) - 1), 1),
                                         ran(sum(1 << 20, "6"), 1),
                                         ran(sum(1 << 20, "128,90s", CacheMode::warm), 1)};
  const auto likely = likely_time(sum(1 << 20), past);
  ASSERT_TRUE(likely);
  EXPECT_EQ(likely->seconds, 90);
  EXPECT_EQ(likely->runs, 0u);
}

TEST(LikelyTime, ComparesBytesAndTakesAnyOperator) {
  const WorkloadItem max{make_problem(Op::max, DType::u8, 1 << 22), "128,90s"};
  EXPECT_EQ(likely_time(sum(1 << 20), std::vector{ran(max, 7)})->seconds, 7);
  const WorkloadItem few{make_problem(Op::max, DType::u8, 1 << 17), "128,90s"};
  EXPECT_EQ(likely_time(sum(1 << 20), std::vector{ran(few, 7)})->seconds, 90);
}

TEST(LikelyTime, IsNotKnownWhereABudgetBoundsNoTime) {
  EXPECT_FALSE(likely_time(sum(1 << 20, "200"), {}));
  EXPECT_FALSE(likely_time(sum(1 << 20, "unlimited"), {}));
  EXPECT_EQ(likely_time(sum(1 << 20, "500ms"), {})->seconds, 0.5);
  const WorkloadItem counted = sum(1 << 20, "200");
  EXPECT_EQ(likely_time(counted, std::vector{ran(counted, 4)})->seconds, 4);
}

TEST(LikelyTime, IsWhatIsUsualWhereASearchEndsOnceItIsSettled) {
  const auto likely = likely_time(sum(1 << 20, "auto"), {});
  ASSERT_TRUE(likely);
  EXPECT_LT(likely->seconds, likely_time(sum(1 << 20), {})->seconds) << "not all that it may take";
  EXPECT_EQ(likely->runs, 0u);
}

TEST(LikelyTime, IsOfWholeArraysOrOfOtherShapes) {
  const WorkloadItem whole = sum(1 << 20);
  WorkloadItem rows = whole;
  rows.problem = make_problem(Op::sum, DType::f32, Shape::rows(1 << 10, 1 << 10));
  WorkloadItem columns = whole;
  columns.problem = make_problem(Op::sum, DType::f32, Shape::columns(1 << 10, 1 << 10));
  const std::vector past{ran(whole, 2), ran(rows, 9)};
  EXPECT_EQ(likely_time(whole, past)->seconds, 2);
  EXPECT_EQ(likely_time(rows, past)->seconds, 9);
  EXPECT_EQ(likely_time(columns, past)->seconds, 9);
}

TEST(LikelyTime, IsOfNothingToo) {
  EXPECT_EQ(likely_time(sum(0), std::vector{ran(sum(0), 5), ran(sum(1), 7)})->seconds, 6);
}

TEST(WorkloadList, TellsWhatIsUsualFromWhatABudgetAllows) {
  const std::vector<WorkloadItem> items{sum(1 << 10, "auto"), sum(1 << 20)};
  const auto to_tune = [](const WorkloadItem&) -> ItemState { return ToTune{}; };
  const WorkloadList list{"a list", "Some GPU", list_of(items, to_tune, {})};
  EXPECT_THAT(text_of(list), HasSubstr("  what is usual\n"));
  EXPECT_THAT(text_of(list),
              HasSubstr("likely 95 s, 1 problem by what is usual, 1 problem by budget"));
  EXPECT_EQ(json_of(list).at("likely_by_what_is_usual"), 1);
  EXPECT_EQ(json_of(list).at("likely_by_budget"), 1);
}

/// A list of four problems, one in each state.
WorkloadList sample_list(std::vector<cache::RunTime> past = {}) {
  const std::vector<WorkloadItem> items{sum(1 << 10), sum(1 << 20), sum(1 << 28), sum(1 << 30)};
  const auto state_of = [&](const WorkloadItem& item) -> ItemState {
    if (item == items[0]) return KnownSince{"2026-11-22T07:00:03.720Z"};
    if (item == items[1]) return GoesOn{cache::RunId{12}};
    if (item == items[2]) return ToTune{};
    return DoesNotFit{};
  };
  return {"the command line", "Some GPU", list_of(items, state_of, past)};
}

TEST(WorkloadList, IsATableWithTheSum) {
  EXPECT_EQ(text_of(sample_list(std::vector{ran(sum(1 << 20), 2.25)})),
            "problem            state                         likely  by\n"
            "sum f32 2^10 cold  known since 2026-11-22T07:00       -\n"
            "sum f32 2^20 cold  goes on (run 12)               2.2 s  1 run like it\n"
            "sum f32 2^28 cold  to tune                         90 s  its budget\n"
            "sum f32 2^30 cold  does not fit into the memory       -\n"
            "the command line, 4 problems on Some GPU: 1 known, 1 goes on, 1 to tune, 1 does not "
            "fit\n"
            "likely 92 s, 1 problem by budget alone\n");
}

TEST(WorkloadList, EstimatesOnlyWhatIsToBeDone) {
  const WorkloadList list = sample_list();
  EXPECT_FALSE(list.items[0].likely);
  EXPECT_TRUE(list.items[1].likely);
  EXPECT_TRUE(list.items[2].likely);
  EXPECT_FALSE(list.items[3].likely);
}

TEST(WorkloadList, SaysWhenNothingIsLeft) {
  const std::vector<WorkloadItem> items{sum(1), sum(2)};
  const auto known = [](const WorkloadItem&) -> ItemState { return KnownSince{"2026-11-22"}; };
  const std::string text = text_of({"w.toml", "Some GPU", list_of(items, known, {})});
  EXPECT_THAT(text, EndsWith("w.toml, 2 problems on Some GPU: 2 known\nnothing is left to tune\n"));
  EXPECT_THAT(text_of({"w.toml", "Some GPU", {}}), HasSubstr("0 problems on Some GPU\nnothing"));
}

TEST(WorkloadList, SaysWhatTheSumIsWithout) {
  const auto open = [](const WorkloadItem&) -> ItemState { return ToTune{}; };
  const std::vector<WorkloadItem> both{sum(1, "200"), sum(2, "10s")};
  EXPECT_THAT(text_of({"w", "g", list_of(both, open, {})}),
              HasSubstr("likely 10 s, 1 problem by budget alone, without 1 problem whose budget "
                        "bounds no time\n"));
  const std::vector<WorkloadItem> unbounded{sum(1, "200")};
  EXPECT_THAT(text_of({"w", "g", list_of(unbounded, open, {})}),
              EndsWith("1 to tune\nhow long that takes is not known\n"));
}

TEST(WorkloadList, ShowsNamesOfOthersOnTheirLine) {
  const std::string text = text_of({"a\nb.toml", "c\nd", {}});
  EXPECT_THAT(text, HasSubstr("a\\nb.toml, 0 problems on c\\nd"));
}

TEST(WorkloadList, IsADocument) {
  const Json document = json_of(sample_list(std::vector{ran(sum(1 << 20), 2.5)}));
  EXPECT_EQ(document.at("workload"), "the command line");
  EXPECT_EQ(document.at("device"), "Some GPU");
  for (const char* count : {"known", "goes_on", "to_tune", "does_not_fit", "likely_by_budget"}) {
    EXPECT_EQ(document.at(count), 1) << count;
  }
  EXPECT_EQ(document.at("likely_s"), 92.5);
  EXPECT_EQ(document.at("likely_unknown"), 0);
  const Json& problems = document.at("problems");
  EXPECT_EQ(problems.at(0).at("state"), "known");
  EXPECT_EQ(problems.at(0).at("since"), "2026-11-22T07:00:03.720Z");
  EXPECT_FALSE(problems.at(0).contains("likely_s"));
  EXPECT_EQ(problems.at(1).at("state"), "goes_on");
  EXPECT_EQ(problems.at(1).at("run"), 12);
  EXPECT_EQ(problems.at(1).at("runs_like_it"), 1);
  EXPECT_EQ(problems.at(2).at("state"), "to_tune");
  EXPECT_EQ(problems.at(2).at("runs_like_it"), 0);
  EXPECT_EQ(problems.at(2).at("budget"), "128,90s");
  EXPECT_EQ(problems.at(2).at("problem").at("count"), 1 << 28);
  EXPECT_EQ(problems.at(3).at("state"), "does_not_fit");
}

TEST(WallTimes, AreSaidInTheUnitsThatFit) {
  EXPECT_EQ(wall_time_text(0), "0.0 s");
  EXPECT_EQ(wall_time_text(9.94), "9.9 s");
  EXPECT_EQ(wall_time_text(9.96), "10 s");
  EXPECT_EQ(wall_time_text(119.4), "119 s");
  EXPECT_EQ(wall_time_text(119.6), "2 min 0 s");
  EXPECT_EQ(wall_time_text(400), "6 min 40 s");
  EXPECT_EQ(wall_time_text(7199.4), "119 min 59 s");
  EXPECT_EQ(wall_time_text(7500), "2 h 5 min");
}

}  // namespace
}  // namespace redtune::cli
