// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What people and programs read: tables, log lines, the verdict.
#include "cli/tune_report.hpp"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "tests/cache/samples.hpp"
#include "tuner/session/run_log.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

using cache::testing::ScratchFolder;

TEST(Table, AlignsNumbersToTheRightAndWordsToTheLeft) {
  EXPECT_EQ(table({{"us", "name"}, {"1.5", "a"}, {"-", "long"}, {"100.25", ""}}),
            "    us  name\n"
            "   1.5  a\n"
            "     -  long\n"
            "100.25\n");
}

TEST(Table, TakesRowsOfDifferentLengthsAndNone) {
  EXPECT_EQ(table({}), "");
  EXPECT_EQ(table({{"only", "header"}}), "only  header\n");
  EXPECT_EQ(table({{"a"}, {"x", "more"}, {}}), "a\nx  more\n\n");
}

TuneResult sample_result() {
  TuneResult result;
  result.default_settings = parse_settings("block_size=256");
  result.finalists = {result.default_settings, parse_settings("block_size=512"),
                      parse_settings("block_size=64")};
  result.decision.times_us = {{19, 20, 21}, {9, 10, 11}, {9.5, 10.1, 11}};
  result.decision.fastest = 1;
  result.decision.winner = 1;
  result.decision.significant = true;
  result.decision.gain = {1.9, 2, 2.1};
  result.decision.ties = {2};
  result.trials = 7;
  result.space_size = 100;
  result.statuses = {{"ok", 6}, {"wrong_result", 1}};
  return result;
}

const Problem problem = make_problem(Op::sum, DType::f32, 1 << 20);

bool says(const TuneResult& result, const std::string& what) {
  return text_of(result, problem).find(what) != std::string::npos;
}

TEST(TuneReport, NamesNoWinnerWhereTheStoredAnswerStays) {
  TuneResult result = sample_result();
  result.interrupted = result.is_undecided = result.had_standing = true;
  result.decision.winner = 0;
  result.decision.significant = false;
  EXPECT_TRUE(says(result, "the stored answer stays")) << text_of(result, problem);
  EXPECT_FALSE(says(result, "winner")) << text_of(result, problem);
  EXPECT_FALSE(says(result, "kept")) << text_of(result, problem);
  EXPECT_EQ(json_of(result, problem).at("leaves_standing"), true);
}

TEST(TuneReport, SaysHowMuchFasterTheWinnerIs) {
  const TuneResult result = sample_result();
  EXPECT_TRUE(says(result, "2.00x as fast as the default (95 % sure of 1.90x to 2.10x)"));
  EXPECT_TRUE(says(result, "tried 7 of 100 configs (6 ok, 1 wrong_result)"));
  EXPECT_TRUE(says(result, "winner"));
  EXPECT_TRUE(says(result, "ties"));
  EXPECT_FALSE(says(result, "interrupted"));
}

TEST(TuneReport, FitsAScreenByWhatDiffersFromTheDefault) {
  TuneResult result = sample_result();
  for (Settings* settings : {&result.default_settings, &result.finalists[0], &result.finalists[1],
                             &result.finalists[2]}) {
    for (int i = 0; i < 12; ++i) settings->push_back({fmt::format("tunable_{}", i), "the_same"});
  }
  const std::string text = text_of(result, problem);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_TRUE(says(result, "winner   block_size=512\n")) << text;
  EXPECT_LT(text.find("20.0 us"), text.find("10.0 us")) << "the default comes first";
}

TEST(TuneReport, SaysWhyTheWinnerIsNotTheFastest) {
  TuneResult result = sample_result();
  EXPECT_FALSE(says(result, "cannot be told from the fastest"));
  result.decision.winner = 2;
  EXPECT_TRUE(says(result, "the winner cannot be told from the fastest"));
}

TEST(TuneReport, OfAShareThatCannotBeSaysSo) {
  const std::string text = text_of(sample_result(), problem, {200, "cache"});
  EXPECT_NE(text.find("419.43 GB/s are more than the 200.00 GB/s this device reads from cache: "),
            text.npos)
      << text;
  EXPECT_EQ(text.find("210 %"), text.npos);
}

TEST(TuneReport, SaysWhyTheDefaultIsKept) {
  TuneResult result = sample_result();
  result.decision.significant = false;
  result.decision.winner = 0;
  result.decision.gain = {0.99, 1.004, 1.02};
  EXPECT_TRUE(says(result, "no significant gain over the default (1.004x"));
  EXPECT_TRUE(says(result, "fastest, not significantly"));
  EXPECT_TRUE(says(result, "winner, default"));
  result.decision.fastest = 0;
  EXPECT_TRUE(says(result, "the default is the fastest found: kept"));
}

TEST(TuneReport, SaysWhatWasPassedOverForTimesOffTheAlignmentOfVectors) {
  TuneResult result = sample_result();
  Decision& decision = result.decision;
  decision.displaced_us = {10, 20, 8};
  decision.passed_over = std::exchange(decision.winner, 2);
  EXPECT_TRUE(
      says(result, "one element off the alignment of vectors the winner takes 0.40 times as"));
  EXPECT_TRUE(says(result, "slow off the alignment of vectors"));
  decision.winner = 0;
  decision.significant = false;
  decision.gain = {1.006, 1.008, 1.009};
  EXPECT_TRUE(
      says(result,
           "the default takes 1.008 times as long as who would have won otherwise, and off the "
           "alignment of vectors 0.50 times: kept"));
  decision.passed_over = 2;
  EXPECT_TRUE(says(result, "fastest")) << text_of(result, problem);
  EXPECT_FALSE(says(result, "not significantly")) << text_of(result, problem);
}

TEST(TuneReport, SaysHowNearToThePeakTheWinnerCameWhereThatIsKnown) {
  const TuneResult result = sample_result();
  EXPECT_EQ(text_of(result, problem).find("this device reads"), std::string::npos);
  const std::string text = text_of(result, problem, {838.86, "memory"});
  EXPECT_NE(text.find("419.43 GB/s are 50 % of the 838.86 GB/s this device reads from memory"),
            std::string::npos)
      << text;
  EXPECT_FALSE(json_of(result, problem).contains("peak"));
  EXPECT_EQ(json_of(result, problem, {838.86, "memory"}).at("peak").at("of"), "memory");
}

/// Zeros would look measured.
TEST(TuneReport, SaysWhyTheWinnersFiguresAreNotKnown) {
  TuneResult result = sample_result();
  result.figures.unknown = "a batch took no time";
  EXPECT_TRUE(says(result, "not known: a batch took no time")) << text_of(result, problem);
  EXPECT_EQ(json_of(result, problem).at("figures").dump(), R"({"unknown":"a batch took no time"})");
}

TEST(TuneReport, SaysThatItWasInterrupted) {
  TuneResult result = sample_result();
  result.interrupted = true;
  EXPECT_TRUE(says(result, ", interrupted"));
}

TEST(TuneReport, HasTheSameFactsAsJson) {
  const Json document = json_of(sample_result(), problem);
  EXPECT_EQ(document.at("winner").at("block_size"), "512");
  EXPECT_EQ(document.at("time_us").at("median"), 10);
  EXPECT_EQ(document.at("default_us").at("median"), 20);
  EXPECT_EQ(document.at("statuses").at("wrong_result"), 1);
  EXPECT_EQ(document.at("finalists").size(), 3u);
  EXPECT_NEAR(document.at("gigabytes_per_second").get<double>(), 419.43, 0.01);
}

std::vector<Json> lines_of(const std::filesystem::path& file) {
  std::vector<Json> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST(RunLog, WritesOneJsonDocumentALine) {
  const ScratchFolder folder;
  RunLog log(folder / "deep/er");
  log.write("start", {{"run", 1}});
  const std::vector<Outcome> outcomes{Measured{{9, 10, 11}, 9}, Slow{30},
                                      CompileFailed{"a\n\xff\"b\""}};
  for (const Outcome& outcome : outcomes) {
    log.write(Trial{.sequence = 1,
                    .settings = parse_settings("block_size=256"),
                    .evaluation = {outcome, 5, 6},
                    .replayed = true});
  }
  log.write(sample_result());
  ASSERT_EQ(log.problem(), "");
  const auto lines = lines_of(log.file());
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0].at("kind"), "start");
  EXPECT_EQ(lines[1].at("time_us").at("median"), 10);
  EXPECT_EQ(lines[2].at("time_so_far_us"), 30);
  EXPECT_EQ(lines[3].at("status"), "compile_failed");
  EXPECT_TRUE(lines[3].at("detail").is_string());
  EXPECT_EQ(lines[3].at("replayed"), true);
  EXPECT_EQ(lines[4].at("kind"), "result");
  for (const Json& line : lines) EXPECT_EQ(line.at("at").get<std::string>().back(), 'Z');
}

TEST(RunLog, OfEachProcessIsAFileOfItsOwnThatOthersMayReadWhileItGrows) {
  const ScratchFolder folder;
  RunLog log(folder / "");
  log.write("start", Json::object());
  EXPECT_EQ(lines_of(log.file()).size(), 1u) << "a killed run would leave nothing";
}

TEST(RunLog, WithoutAFolderSaysWhyAndTakesLinesAnyway) {
  RunLog nowhere(std::nullopt);
  EXPECT_NE(nowhere.problem(), "");
  nowhere.write("start", Json::object());
  RunLog refused("/proc/nope");
  EXPECT_NE(refused.problem().find("/proc/nope"), std::string::npos);
  refused.write("start", Json::object());
}

}  // namespace
}  // namespace redtune::cli
