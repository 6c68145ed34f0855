// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What budgets mean, and the texts people type for them.
#include "search/budget.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <limits>

#include "redtune/error.hpp"

namespace redtune::search {
namespace {

using namespace std::chrono_literals;

TEST(Budget, IsNeverSpentWithoutALimit) {
  const Budget budget;
  EXPECT_FALSE(budget.spent(1'000'000'000, 10000h));
  EXPECT_EQ(budget.remaining_evaluations(5), std::numeric_limits<std::size_t>::max());
}

TEST(Budget, IsSpentByTheLastEvaluation) {
  const Budget budget{.evaluations = 10};
  EXPECT_FALSE(budget.spent(9, 10000h));
  EXPECT_TRUE(budget.spent(10, 0s));
  EXPECT_TRUE(budget.spent(11, 0s));
}

TEST(Budget, IsSpentWhenTheTimeIsUp) {
  const Budget budget{.time = 2s};
  EXPECT_FALSE(budget.spent(1'000'000, 1999ms));
  EXPECT_TRUE(budget.spent(0, 2s));
}

TEST(Budget, IsSpentByWhicheverLimitComesFirst) {
  const Budget budget{.evaluations = 10, .time = 2s};
  EXPECT_FALSE(budget.spent(9, 1s));
  EXPECT_TRUE(budget.spent(10, 1s));
  EXPECT_TRUE(budget.spent(9, 3s));
}

TEST(Budget, CountsRemainingEvaluationsDownToZeroAndNoFurther) {
  const Budget budget{.evaluations = 10};
  EXPECT_EQ(budget.remaining_evaluations(0), 10U);
  EXPECT_EQ(budget.remaining_evaluations(7), 3U);
  EXPECT_EQ(budget.remaining_evaluations(12), 0U);
}

TEST(BudgetText, ReadsWhatIsUsual) {
  const Budget usual{.evaluations = 128, .time = 90s, .until_settled = true};
  EXPECT_EQ(parse_budget("auto"), usual);
  EXPECT_EQ(to_string(usual), "auto");
  EXPECT_EQ(to_string(Budget{.evaluations = 128, .time = 90s}), "128,90s");
}

TEST(BudgetText, ReadsWhatIsBrief) {
  const Budget brief{.evaluations = 64, .time = 20s, .until_settled = true, .is_brief = true};
  EXPECT_EQ(parse_budget("brief"), brief);
  EXPECT_EQ(to_string(brief), "brief");
  EXPECT_EQ(to_string(Budget{.evaluations = 64, .time = 20s}), "64,20s");
}

std::size_t evaluations_until_settled(Settled settled,
                                      const std::function<double(std::size_t)>& cost) {
  for (std::size_t i = 0;; ++i) {
    if (settled.share() >= 1) return i;
    settled.add(cost(i));
  }
}

TEST(Settled, HasPatienceAndMoreWhereNobodyGuidesTheSearch) {
  const auto best_at_20 = [](std::size_t i) { return i == 20 ? 5.0 : 10.0; };
  EXPECT_EQ(evaluations_until_settled(Settled(true), best_at_20), 21 + 24U);
  EXPECT_EQ(evaluations_until_settled(Settled(false), best_at_20), 21 + 64U);
  EXPECT_EQ(evaluations_until_settled(Settled(true), [](std::size_t) { return 10.0; }), 32U);
}

TEST(Settled, IsSoonContentWhereItIsBrief) {
  const auto best_at_20 = [](std::size_t i) { return i == 20 ? 5.0 : 10.0; };
  const auto alike = [](std::size_t) { return 10.0; };
  EXPECT_EQ(evaluations_until_settled(Settled(true, true), alike), 1 + 12U);
  EXPECT_EQ(evaluations_until_settled(Settled(true, true), best_at_20), 1 + 12U);
  EXPECT_EQ(evaluations_until_settled(Settled(false, true), best_at_20), 21 + 32U);
}

TEST(Settled, TakesNoNoiseForABetterOne) {
  const auto a_little_better_each_time = [](std::size_t i) {
    return 10 - 0.0001 * static_cast<double>(i);
  };
  EXPECT_EQ(evaluations_until_settled(Settled(true), a_little_better_each_time), 32U);
  const auto better_each_time = [](std::size_t i) {
    return i < 50 ? 10 - 0.05 * static_cast<double>(i) : 10;
  };
  EXPECT_EQ(evaluations_until_settled(Settled(true), better_each_time), 50 + 24U);
}

TEST(Settled, IsSettledWhereNothingRuns) {
  Settled settled(true);
  for (int i = 0; i < 32; ++i) {
    EXPECT_LT(settled.share(), 1);
    settled.add(std::nullopt);
  }
  EXPECT_EQ(settled.share(), 1);
}

TEST(BudgetText, ReadsEvaluationsTimesAndBoth) {
  EXPECT_EQ(parse_budget("200"), (Budget{.evaluations = 200}));
  EXPECT_EQ(parse_budget("500ms"), (Budget{.time = 500ms}));
  EXPECT_EQ(parse_budget("30s"), (Budget{.time = 30s}));
  EXPECT_EQ(parse_budget("2m"), (Budget{.time = 2min}));
  EXPECT_EQ(parse_budget("1h"), (Budget{.time = 1h}));
  EXPECT_EQ(parse_budget("200,30s"), (Budget{.evaluations = 200, .time = 30s}));
  EXPECT_EQ(parse_budget("30s,200"), (Budget{.evaluations = 200, .time = 30s}));
  EXPECT_EQ(parse_budget("unlimited"), Budget{});
}

TEST(BudgetText, RefusesAnythingElseInOneLineThatSaysWhatIsAccepted) {
  for (const char* bad : {"",
                          "0",
                          "0s",
                          "-1",
                          "+1",
                          "1.5s",
                          "ten",
                          "s",
                          "30 s",
                          "30x",
                          "30sm",
                          ",",
                          "200,",
                          ",30s",
                          "200,300",
                          "1s,2s",
                          "1,2s,3",
                          "99999999999999999999",
                          "9999999999999h",
                          " 200",
                          "200 "}) {
    try {
      (void)parse_budget(bad);
      ADD_FAILURE() << "accepted '" << bad << "'";
    } catch (const UsageError& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with("'" + std::string(bad) + "' is not a budget")) << text;
      EXPECT_NE(text.find("200,30s"), std::string::npos) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
  }
}

TEST(BudgetText, WritesWhatItReads) {
  for (const char* text :
       {"200", "500ms", "30s", "90s", "2m", "1h", "36h", "200,30s", "unlimited"}) {
    EXPECT_EQ(to_string(parse_budget(text)), text);
  }
}

TEST(BudgetText, RoundsOddTimesUpToAMillisecondSoThatTheyReadBack) {
  EXPECT_EQ(to_string(Budget{.time = 1500us}), "2ms");
  EXPECT_EQ(to_string(Budget{.time = 1ns}), "1ms");
}

}  // namespace
}  // namespace redtune::search
