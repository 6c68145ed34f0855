// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Pages of runs of every kind: nothing on them is of anybody else's making, whatever a device, a
// compiler or a store says.
#include "cli/report/run_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/keys/sha256.hpp"
#include "cli/report/page_assets.hpp"
#include "cli/report/trial_rows.hpp"
#include "tests/cache/samples.hpp"
#include "tests/cli/page_checks.hpp"

namespace redtune::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Settings settings_of(int block_size, const std::string& finish = "last_block") {
  return {{"finish", finish}, {"block_size", std::to_string(block_size)}};
}

cache::StoredTrial trial_of(std::int64_t sequence, int block_size, double time) {
  cache::Trial trial = cache::testing::sample_trial(sequence, block_size);
  trial.time_us = Interval{0.99 * time, time, 1.01 * time};
  return {trial,
          fmt::format("2026-01-02T03:{:02}:{:02}.500Z", 4 + sequence / 60 % 50, sequence % 60)};
}

/// A run with nothing in it.
RunStory empty_story() {
  RunStory story;
  story.run.id = cache::RunId{3};
  story.run.start = cache::testing::sample_start();
  story.run.state = cache::RunState::done;
  story.run.started_at = "2026-01-02T03:04:00.000Z";
  story.time.unknown = "no log here says";
  return story;
}

/// The usual: three trials that were timed, one given up, two that failed, three finalists.
RunStory usual_story() {
  RunStory story = empty_story();
  story.trials = {trial_of(0, 256, 20), trial_of(1, 64, 10), trial_of(2, 128, 10.2)};
  cache::StoredTrial slow = trial_of(3, 1024, 90);
  slow.trial.status = "slow";
  story.trials.push_back(slow);
  for (const std::int64_t sequence : {4, 5}) {
    cache::StoredTrial failed = trial_of(sequence, 512, 1);
    failed.trial.time_us.reset();
    failed.trial.status = "compile_failed";
    failed.trial.detail = "error: too many registers\nsecond line";
    story.trials.push_back(failed);
  }
  story.finalists = {
      {settings_of(256), {19, 20, 21}, true, false, false, false},
      {settings_of(64), {9.9, 10, 10.1}, false, true, true, false},
      {settings_of(128), {10, 10.1, 10.3}, false, false, false, true},
  };
  story.default_settings = settings_of(256);
  story.default_us = 20;
  cache::PastResult past;
  past.stored.run = story.run.id;
  past.stored.best = cache::testing::sample_best();
  past.stored.best.settings = settings_of(64);
  past.stored.best.time_us = {9.9, 10, 10.1};
  past.stored.best.default_us = 20;
  past.stored.best.gain = {1.95, 2, 2.05};
  story.result = past;
  story.conditions = {{"Temperature after the final", "61 °C"}};
  TimeSpent spent{.wall_seconds = 10, .measuring_seconds = 2};
  spent.of(Activity::measure) = 6;
  spent.of(Activity::compile) = 4;
  story.time = {{spent}, ""};
  return story;
}

TEST(RunPage, SaysWhichTrialsDotsAndRowsAre) {
  const std::string page = page_of(usual_story());
  for (std::size_t i = 0; i < usual_story().trials.size(); ++i) {
    EXPECT_EQ(occurrences(page, fmt::format(" data-trial=\"{}\">", i)), 1U) << i;
  }
  EXPECT_THAT(page, HasSubstr("<path class=\"dots\" d=\"M"));
  EXPECT_THAT(page, HasSubstr("data-trials=\"0 1 2 "));
}

TEST(RunPage, SaysWhatWonAndWhy) {
  const std::string page = page_of(usual_story());
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("The winner is 2 times as fast as the default (95 % interval "
                              "1.95 to 2.05): 10 µs instead of 20 µs."));
  EXPECT_THAT(page, HasSubstr("1 other finalist cannot be told from it."));
  EXPECT_EQ(occurrences(page, "class=\"tie\""), 2U) << "the winner and the one that ties with it";
  EXPECT_EQ(occurrences(page, "<tr class=\"winner\" "), 1U);
  EXPECT_THAT(page, HasSubstr("2: error: too many registers</summary>"));
  EXPECT_THAT(page, HasSubstr("6 s, 60.0 %"));
  EXPECT_THAT(page, HasSubstr("61 °C"));
}

TEST(RunPage, ShowsTheValuesOfATunableInTheirOrderWithWhatTheyCost) {
  const std::string page = page_of(usual_story());
  EXPECT_THAT(page,
              HasSubstr("The best time of each value of block_size: 64 (winner): 1.00×; 128: "
                        "1.02×; 256 (default): 2.00×; 512: not measured; 1024: about 9.00×;"));
  EXPECT_THAT(page, HasSubstr("The same in all trials: finish=last_block."));
}

TEST(RunPage, DrawsEachTwoTunablesAndShowsThoseThatMatterMost) {
  RunStory story = usual_story();
  for (std::size_t i = 0; i < story.trials.size(); ++i) {
    Settings& settings = story.trials[i].trial.settings;
    settings.push_back({"even", i % 2 == 0 ? "yes" : "no"});
    settings.push_back({"half", i < 3 ? "first" : "second"});
  }
  const std::string page = page_of(story);
  expect_sound(page);
  EXPECT_EQ(occurrences(page, "<div class=\"pair\""), 3U);
  EXPECT_EQ(occurrences(page, "<div class=\"pair\" id=\"map-0\">"), 1U) << "the others are hidden";
  EXPECT_EQ(occurrences(page, "<option value=\"map-"), 3U);
  EXPECT_THAT(page, HasSubstr("64: no, 1.00×;"));
}

/// Of thousands of trials: a browser takes seconds for a column of each tunable.
TEST(RunPage, HasTheSettingsOfManyTrialsInOneColumn) {
  RunStory story = usual_story();
  const auto heads = [](const std::string& page) {
    const auto begin = page.find("<thead>", page.find("<table id=\"rows\">"));
    return occurrences(page.substr(begin, page.find("</thead>", begin) - begin), "<th ");
  };
  while (story.trials.size() < 2000) story.trials.push_back(story.trials.front());
  EXPECT_THAT(page_of(story), Not(HasSubstr("have their settings in one column")));
  EXPECT_EQ(heads(page_of(story)), 11U);
  story.trials.push_back(story.trials.front());
  const std::string page = page_of(story);
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("have their settings in one column; redtune report --csv"));
  EXPECT_EQ(heads(page), 5U);
  EXPECT_THAT(page, HasSubstr("<td>block_size=64</td>"));
  EXPECT_EQ(occurrences(page, "<tr class=\"winner\" "), 1U);
}

TEST(RunPage, SetsTheSearchBesideTheSameTrialsInRandomOrder) {
  // Of 6 trials 4 have a time: 10, 10.2, 20, 90. Two of them, one with a time: (5 * 10 + 4 * 10.2 +
  // 3 * 20 + 2 * 90) / 14.
  const std::string page = page_of(usual_story());
  EXPECT_THAT(page, HasSubstr("in random order: 32.55 at 1. in random order: 23.63 at 2."));
  EXPECT_THAT(page, HasSubstr("class=\"expected\""));
}

TEST(RunPage, ShowsHowNoisyItsTrialsWere) {
  RunStory story = usual_story();
  story.noise_floor = 0.02;
  const std::string page = page_of(story);
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("± % of the time, 95 % over evaluations. From 1 to 1. when "
                              "calibrating: 2."));
}

TEST(RunPage, KnowsAValueByItsBestTrialEvenIfThatWasGivenUp) {
  RunStory story = usual_story();
  story.trials.push_back(trial_of(6, 256, 15));
  story.trials.back().trial.status = "slow";
  EXPECT_THAT(page_of(story), HasSubstr("256 (default): about 1.50×;"));
}

TEST(RunPage, SaysWhyTheDefaultStays) {
  RunStory story = usual_story();
  story.finalists[1].is_winner = false;
  story.finalists[0].is_winner = true;
  story.result->stored.best.reason = "no significant gain";
  const std::string page = page_of(story);
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("Nothing is certain to be faster than the default"));
  EXPECT_THAT(page, HasSubstr("The default stays: for no finalist it is certain"));
}

TEST(RunPage, SaysThatTheDefaultStaysForTimesOffTheAlignment) {
  RunStory story = usual_story();
  story.finalists[1].is_winner = false;
  story.finalists[0].is_winner = true;
  story.result->stored.best.reason = cache::kept_off_the_alignment;
  story.finalists[1].is_passed_over = true;
  const std::string page = page_of(story);
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("what would have won is faster by a hundredth at most"));
  EXPECT_THAT(page, HasSubstr("The default stays: off the alignment of vectors it is faster"));
  story.result.reset();
  EXPECT_THAT(page_of(story), HasSubstr("stays: off the alignment of vectors it is faster"))
      << "nor is another reason given where nothing was published";
}

TEST(RunPage, SaysThatAResultWasTakenBack) {
  RunStory story = usual_story();
  story.result->revoked = cache::Revocation{"the fan stood still", "2026-02-03T04:05:06.000Z"};
  EXPECT_THAT(page_of(story),
              HasSubstr("; this result was taken back on 2026-02-03: the fan stood still</p>"));
}

TEST(RunPage, KeepsWhatOthersWroteAsText) {
  RunStory story = usual_story();
  story.run.start.device.name = hostile + '\xff';
  story.run.start.device.device_class.isa = hostile;
  story.run.start.device.toolchain = {hostile, hostile, hostile};
  story.run.start.strategy = story.run.start.budget = story.run.start.program_version = hostile;
  story.run.start.problem = make_problem(CustomOp{hostile, "text"}, DType::f32, 1 << 20);
  story.run.note = story.run.origin = story.run.started_at = hostile;
  story.result->stored.best.reason = hostile;
  story.result->revoked = cache::Revocation{hostile, hostile};
  story.conditions = {{hostile, hostile}};
  story.warnings = {hostile};
  story.time.unknown = hostile;
  for (cache::StoredTrial& row : story.trials) {
    row.trial.settings = {{hostile, hostile + std::to_string(row.trial.sequence)}};
    row.trial.detail = hostile;
  }
  story.trials.back().trial.status = story.trials.back().trial.phase = hostile;
  for (Finalist& finalist : story.finalists) finalist.settings = story.trials[0].trial.settings;
  const std::string page = page_of(story);
  expect_sound(page);
  for (const std::string piece : {"<script", "</script", "<style", "</style", "<title>"}) {
    EXPECT_EQ(occurrences(page, piece), 1U) << piece;
  }
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, Not(HasSubstr("\xff")));
  EXPECT_GT(occurrences(page, "&lt;script&gt;alert(1)&lt;/script&gt;"), 20U);
}

TEST(RunPage, LetsNothingRunOrLoadButItsOwn) {
  const std::string page = page_of(usual_story());
  const std::string policy = between(page, "Content-Security-Policy\" content=\"", "\"");
  EXPECT_TRUE(policy.starts_with("default-src 'none'; style-src 'sha256-")) << policy;
  EXPECT_THAT(policy, HasSubstr("; script-src 'sha256-"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_LT(page.find("Content-Security-Policy"), page.find("<style>"));
  for (const std::string name : {"style", "script"}) {
    const std::string text = between(page, "<" + name + ">", "</" + name + ">");
    const std::string base64 = between(policy, name + "-src 'sha256-", "'");
    ASSERT_EQ(base64.size(), 44U);
    EXPECT_TRUE(base64.ends_with("="));
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bits;
    for (const char c : base64.substr(0, 43)) {
      for (int bit = 5; bit >= 0; --bit) bits += digits.find(c) >> bit & 1U ? '1' : '0';
    }
    std::string hex;
    for (std::size_t at = 0; at < 256; at += 4) {
      hex += "0123456789abcdef"[std::stoi(bits.substr(at, 4), nullptr, 2)];
    }
    EXPECT_EQ(hex, cache::sha256_hex(text)) << name;
  }
}

TEST(RunPage, CanBeMadeOfRunsThatCameToNothing) {
  using cache::RunState;
  for (const auto state :
       {RunState::running, RunState::done, RunState::interrupted, RunState::failed}) {
    for (const std::size_t trials : {0, 1, 6}) {
      RunStory story = usual_story();
      story.run.state = state;
      story.run.note = "why";
      story.result.reset();
      story.finalists.clear();
      story.default_settings.reset();
      story.default_us.reset();
      story.conditions.clear();
      story.time = {{}, "nobody knows"};
      story.trials.resize(trials, trial_of(0, 1, 1));
      const std::string page = page_of(story);
      expect_sound(page);
      EXPECT_THAT(page, HasSubstr("The run had no final"));
      EXPECT_THAT(page, HasSubstr("Not known: nobody knows."));
      EXPECT_THAT(page, HasSubstr(trials == 0 ? "Nothing was measured." : "The fastest of its"));
    }
  }
}

TEST(RunPage, CanBeMadeWhereEveryTrialFailed) {
  RunStory story = usual_story();
  story.result.reset();
  story.finalists.clear();
  story.trials.erase(story.trials.begin(), story.trials.begin() + 4);
  const std::string page = page_of(story);
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("compile_failed: 2 trials"));
  EXPECT_EQ(occurrences(page, "No trial was measured."), 2U);
}

TEST(RunPage, CanBeMadeOfAKernelThatOnlyItsFileKnows) {
  RunStory story = usual_story();
  story.run.start.family = "row_sum";
  story.run.start.problem.op = Op::kernel;
  story.run.start.problem.custom = {"row_sum", "key"};
  story.default_settings.reset();
  const std::string page = page_of(story);
  expect_sound(page);
  EXPECT_THAT(page, HasSubstr("row_sum"));
}

TEST(RunPage, OfTenThousandTrialsHasThemAllAndStaysSmall) {
  RunStory story = usual_story();
  story.trials.clear();
  for (int i = 0; i < 10'000; ++i) {
    story.trials.push_back(trial_of(i, 1 << (i % 11), 10 + i % 977));
    for (int tunable = 0; tunable < 10; ++tunable) {
      story.trials.back().trial.settings.push_back(
          {fmt::format("tunable_{}", tunable), std::to_string(i / (tunable + 1) % 100)});
    }
    if (i % 10 != 0) continue;
    story.trials.back().trial.status = "compile_failed";
    story.trials.back().trial.time_us.reset();
    story.trials.back().trial.detail = fmt::format("reason {}\n", i % 70) + std::string(5000, 'x');
  }
  const std::string page = page_of(story);
  expect_described_drawings(page);
  EXPECT_EQ(occurrences(page, "<tr>") + occurrences(page, "<tr "), 10'001U);
  EXPECT_LT(page.size(), 10'000U * 1'000U);
  EXPECT_THAT(page, HasSubstr("compile_failed: 1000 trials"));
  EXPECT_THAT(page, HasSubstr("; not shown: 60 slower values."));
}

/// By RFC 4180.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows{{""}};
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[++i];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && c == ',') {
      rows.back().emplace_back();
    } else if (!is_quoted && c == '\n') {
      rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  EXPECT_EQ(rows.back(), std::vector<std::string>{""}) << "the last line has no end";
  rows.pop_back();
  return rows;
}

TEST(TrialRows, AreOneLineATrialWhateverTheySay) {
  RunStory story = usual_story();
  const std::string odd = "a,\"b\"\r\n;c";
  story.trials[4].trial.detail = odd;
  story.trials[1].trial.settings.push_back({"odd,name", odd});
  const auto rows = read_csv(csv_of(story));
  ASSERT_EQ(rows.size(), 7U);
  const std::vector<std::string> heads{"run",
                                       "sequence",
                                       "phase",
                                       "status",
                                       "median_us",
                                       "low_us",
                                       "high_us",
                                       "samples",
                                       "compile_ms",
                                       "wall_ms",
                                       "attempts",
                                       "worker",
                                       "at",
                                       "settings.finish",
                                       "settings.block_size",
                                       "settings.odd,name",
                                       "detail"};
  EXPECT_EQ(rows[0], heads);
  for (const auto& row : rows) EXPECT_EQ(row.size(), heads.size());
  EXPECT_EQ(rows[2][15], odd);
  EXPECT_EQ(rows[5].back(), odd);
  EXPECT_EQ(rows[1][4], "20");
  EXPECT_EQ(rows[5][4], "") << "it has no time";
  EXPECT_EQ(rows[3][14], "128");
}

TEST(TrialRows, AreTheSameInJson) {
  const Json document = json_of(usual_story());
  EXPECT_EQ(document.at("run"), 3);
  ASSERT_EQ(document.at("trials").size(), 6U);
  EXPECT_EQ(document.at("trials")[1].at("settings").at("block_size"), "64");
  EXPECT_EQ(document.at("trials")[0].at("time_us").at("median"), 20);
  EXPECT_TRUE(document.at("trials")[5].at("time_us").is_null());
  EXPECT_EQ(document.at("finalists")[1].at("winner"), true);
  EXPECT_FALSE(document.at("device").contains("address"));
}

}  // namespace
}  // namespace redtune::cli
