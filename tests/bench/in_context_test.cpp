// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What in_context makes of options and times; the timing itself is tried on the host device.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/in_context/options.hpp"
#include "bench/in_context/ranks.hpp"
#include "bench/in_context/report.hpp"
#include "bench/in_context/verdict.hpp"
#include "redtune/error.hpp"

namespace redtune::bench {
namespace {

using Ranks = std::vector<double>;

Ranks ranks_of(const std::vector<double>& values, double noise) {
  std::vector<Noisy> noisy;
  for (const double value : values) noisy.push_back({value, noise});
  return tied_ranks(noisy);
}

TEST(Ranks, AreThoseOfTheValuesWithoutNoise) {
  EXPECT_EQ(ranks_of({3, 1, 2}, 0), (Ranks{3, 1, 2}));
  EXPECT_EQ(ranks_of({}, 0), Ranks{});
}

TEST(Ranks, AreSharedByEquals) {
  EXPECT_EQ(ranks_of({5, 1, 5, 9}, 0), (Ranks{2.5, 1, 2.5, 4}));
}

TEST(Ranks, AreSharedWithinTheNoiseOfADifference) {
  // The root of 0.3 squared and 0.4 squared is 0.5.
  EXPECT_EQ(tied_ranks(std::vector<Noisy>{{1, 0.3}, {1.49, 0.4}}), (Ranks{1.5, 1.5}));
  EXPECT_EQ(tied_ranks(std::vector<Noisy>{{1, 0.3}, {1.51, 0.4}}), (Ranks{1, 2}));
}

TEST(Ranks, OfAChainOfNearOnesAreNotOneGroup) {
  EXPECT_EQ(ranks_of({1, 2, 3, 4}, 1), (Ranks{1.5, 1.5, 3.5, 3.5}));
}

TEST(Ranks, AreCountedOnce) {
  EXPECT_EQ(distinct(Ranks{1.5, 1.5, 3}), 2U);
  EXPECT_EQ(distinct(Ranks{}), 0U);
}

TEST(RankCorrelation, IsOneForTheSameOrderAndMinusOneForTheOther) {
  EXPECT_DOUBLE_EQ(rank_correlation(Ranks{1, 2, 3}, Ranks{1, 2, 3}).value_or(0), 1);
  EXPECT_DOUBLE_EQ(rank_correlation(Ranks{1, 2, 3}, Ranks{3, 2, 1}).value_or(0), -1);
}

TEST(RankCorrelation, IsSpearmansWithoutTies) {
  // 1 - 6 * (0 + 1 + 1 + 0 + 0) / (5 * 24)
  EXPECT_DOUBLE_EQ(rank_correlation(Ranks{1, 2, 3, 4, 5}, Ranks{1, 3, 2, 4, 5}).value_or(0), 0.9);
}

TEST(RankCorrelation, TakesTiesForWhatTheyAre) {
  // Deviations -1, 0, 0, 1 and -1.5, -0.5, 0.5, 1.5 of the averages: 4.5 / sqrt(4.5 * 5).
  EXPECT_NEAR(rank_correlation(Ranks{1, 2.5, 2.5, 4}, Ranks{1, 2, 3, 4}).value_or(0),
              4.5 / std::sqrt(4.5 * 5), 1e-12);
}

TEST(RankCorrelation, IsNoneWhereOneSideHasNoOrder) {
  EXPECT_FALSE(rank_correlation(Ranks{2, 2, 2}, Ranks{1, 2, 3}).has_value());
  EXPECT_FALSE(rank_correlation(Ranks{1}, Ranks{1}).has_value());
  EXPECT_FALSE(rank_correlation(Ranks{}, Ranks{}).has_value());
}

TEST(Regret, IsTheTimeOfTheChosenOverTheBest) {
  const auto found = regret({{2, 2, 2, 2}, {3, 3, 3, 3}}, 1);
  EXPECT_DOUBLE_EQ(found.value_or(Regret{0}).ratio, 1.5);
  EXPECT_DOUBLE_EQ(found.value_or(Regret{0, 1}).noise, 0);
  EXPECT_DOUBLE_EQ(regret({{2, 2}, {3, 3}}, 0).value_or(Regret{0}).ratio, 1);
}

TEST(Regret, FindsTheBestInOddRoundsAndComparesInEvenOnes) {
  // The first is the best in the odd rounds, and was lucky.
  const auto found = regret({{4, 1, 4, 1}, {2, 3, 2, 3}}, 1);
  EXPECT_DOUBLE_EQ(found.value_or(Regret{0}).ratio, 0.5);
}

TEST(Regret, IsNoneWhereNoiseIsLargerThanATime) {
  EXPECT_FALSE(regret({{1, 1}, {-0.1, 2}}, 1).has_value());
}

/// A config with the same times in all rounds.
ContestantTimes contestant(std::string name, double score, double row, double own) {
  const auto each = [](double us) { return Times(6, us); };
  return {.settings = {{"name", std::move(name)}},
          .origin = "random",
          .score_us = each(score),
          .uncharged_us = each(score),
          .share_us = {{"producer", each(score)}},
          .row_us = each(row),
          .patterns = {{.own_us = each(own), .step_us = each(own + 10)}}};
}

/// The score has the pattern's order; the row would take the one that is slowest there.
ProblemFindings findings() {
  return {.problem = make_problem(Op::sum, DType::f32, 4096, CacheMode::warm),
          .rounds = 6,
          .patterns = {{.name = "producer", .steps = 64, .alone_us = Times(6, 10)}},
          .contestants = {contestant("a", 2, 3, 2.2), contestant("b", 1, 2, 1.1),
                          contestant("c", 5, 1, 4.4), contestant("d", 1.5, 4, 1.6)},
          .left_out_as_slow = 3,
          .left_out = {"x is wrong"},
          .warnings = {"the clock fell"}};
}

TEST(InContextVerdict, SaysHowWellEachScoreTellsThePattern) {
  const ProblemVerdict verdict = judge(findings());
  EXPECT_EQ(verdict.score.winner, 1U);
  EXPECT_EQ(verdict.row.winner, 2U);
  EXPECT_DOUBLE_EQ(verdict.row.worst_us, 4);
  const PatternVerdict& pattern = verdict.patterns.at(0);
  EXPECT_DOUBLE_EQ(pattern.alone_us, 10);
  EXPECT_DOUBLE_EQ(pattern.best_own_us, 1.1);
  EXPECT_EQ(pattern.ranks, 4U);
  EXPECT_EQ(pattern.near, 2U);  // 1.1 and 1.6
  EXPECT_DOUBLE_EQ(pattern.itself.value_or(0), 1);
  EXPECT_DOUBLE_EQ(pattern.by_score.correlation.value_or(0), 1);
  EXPECT_DOUBLE_EQ(pattern.by_score.own_regret.value_or(Regret{0}).ratio, 1);
  EXPECT_DOUBLE_EQ(pattern.by_row.own_regret.value_or(Regret{0}).ratio, 4);
  EXPECT_NEAR(pattern.by_row.step_regret.value_or(Regret{0}).ratio, 14.4 / 11.1, 1e-12);
  EXPECT_LT(pattern.by_row.correlation.value_or(1), 0);
}

TEST(InContextVerdict, ChargesNobodyForASecondLaunchInAGraph) {
  ProblemFindings charged = findings();
  for (ContestantTimes& one : charged.contestants) {
    if (one.settings.at(0).value == "b") one.score_us = Times(6, 10);
  }
  const auto by_score = [&](bool is_graph) {
    charged.patterns.at(0).is_graph = is_graph;
    return judge(charged).patterns.at(0).by_score;
  };
  EXPECT_DOUBLE_EQ(by_score(true).correlation.value_or(0), 1);
  EXPECT_LT(by_score(false).correlation.value_or(1), 1);
  EXPECT_NEAR(by_score(true).own_regret.value_or(Regret{0}).ratio, 1.6 / 1.1, 1e-12)
      << "who is chosen is charged";
}

TEST(InContextVerdict, IsSummedUpOverCounts) {
  ProblemFindings other = findings();
  std::swap(other.contestants[1].row_us, other.contestants[2].row_us);  // now it is right as well
  const auto summaries = summary_of({judge(findings()), judge(other)});
  ASSERT_EQ(summaries.size(), 1U);
  EXPECT_DOUBLE_EQ(summaries[0].by_score.own_regret.value_or(0), 1);
  EXPECT_DOUBLE_EQ(summaries[0].by_row.own_regret.value_or(0), 2);  // the root of 4 and 1
  EXPECT_DOUBLE_EQ(summaries[0].by_row.worst_own_regret.value_or(0), 4);
  EXPECT_TRUE(summary_of({}).empty());
}

TEST(InContextReport, ShowsAPatternByBothScores) {
  const std::string text = text_of(findings(), judge(findings()));
  EXPECT_NE(text.find("4 configs, 6 rounds"), std::string::npos) << text;
  EXPECT_NE(text.find("left out: 3 as slow, 1 for other reasons"), std::string::npos) << text;
  EXPECT_NE(text.find("score: 1.00 to 5.00 us, noise 0.00 us, 4 ranks; best: name=b (random)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("warning: the clock fell\n"), std::string::npos) << text;
  EXPECT_NE(text.find("producer     10.00     1.10      0.00      4    1.00     2  score   1.00"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("4.000 +-0.000"), std::string::npos) << text;
}

TEST(InContextReport, ShowsAllCountsTogether) {
  const ProblemVerdict verdict = judge(findings());
  const std::string text = text_of(summary_of({verdict, verdict}), 2);
  EXPECT_TRUE(text.starts_with("all 2 counts: ")) << text;
  EXPECT_NE(text.find("  row    "), std::string::npos) << text;
}

TEST(InContextReport, HasEverythingInJson) {
  DeviceIdentity device;
  device.name = "a device";
  const auto json = nlohmann::json::parse(json_of(device, {findings()}, {judge(findings())}));
  EXPECT_EQ(json["device"], "a device");
  const auto& problem = json["problems"].at(0);
  EXPECT_EQ(problem["count"], 4096);
  EXPECT_EQ(problem["contestants"].size(), 4U);
  EXPECT_EQ(problem["contestants"][1]["patterns"]["producer"]["own_us"].size(), 6U);
  EXPECT_EQ(problem["contestants"][1]["share_us"]["producer"][0], 1);
  EXPECT_EQ(problem["patterns"][0]["row"]["own_regret"]["ratio"], 4);
  EXPECT_EQ(json["all_counts"][0]["score"]["own_regret"], 1);
}

std::optional<Options> read(std::vector<const char*> words) {
  words.insert(words.begin(), "in_context");
  return read_options(static_cast<int>(words.size()), words.data());
}

std::string refusal_of(const std::vector<const char*>& words) {
  try {
    (void)read(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(InContextOptions, HaveAProblemForEachCount) {
  const auto options = read({"--op", "min", "--type", "u8", "--count", "2^12", "--count", "100"});
  ASSERT_TRUE(options.has_value());
  const auto problems = options->problems();
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0], make_problem(Op::min, DType::u8, 4096, CacheMode::warm));
  EXPECT_EQ(problems[1].count, 100);
}

TEST(InContextOptions, AreRefusedInOneClearLine) {
  EXPECT_EQ(refusal_of({"--rounds", "1"}), "--rounds is 1; it goes from 2 to 10000");
  EXPECT_EQ(refusal_of({"--configs", "-4"}), "--configs is -4; it goes from 2 to 1000");
  EXPECT_EQ(refusal_of({"--count", "0"}), "--count starts at 1");
  EXPECT_NE(refusal_of({"--type", "f99"}).find("unknown type 'f99'"), std::string::npos);
  EXPECT_NE(refusal_of({"--warm"}).find("'--warm'"), std::string::npos);
  for (const char* word : {"--rounds", "what"}) {
    EXPECT_FALSE(refusal_of({word}).empty()) << word;
    EXPECT_EQ(refusal_of({word}).find('\n'), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace redtune::bench
