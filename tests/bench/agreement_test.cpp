// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the benchmark of agreement makes of words, kept tunes and times; that it times side by side.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/agreement/kept_file.hpp"
#include "bench/agreement/report.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::bench {
namespace {

using cache::testing::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Settings slow = parse_settings("finish=last_block block_size=64");
const Settings fast = parse_settings("finish=slots block_size=128");
const Settings usual = parse_settings("finish=last_block block_size=256");

Tune tune_of(std::uint64_t seed, const Settings& settings, double seconds = 10) {
  return {.seed = seed,
          .seconds = seconds,
          .device = "some device",
          .settings = settings,
          .reason = "winner",
          .told_us = {1.9, 2 + static_cast<double>(seed) / 10, 2.5}};
}

Tune failed_tune(std::uint64_t seed) {
  return {.seed = seed, .seconds = 1, .went_wrong = "exit status 5: too noisy"};
}

/// The default, slow and fast take 4, 2.2 and 2 us, a little more in every other round.
Timing timing_of_three() {
  Timing timing{.device = "some device", .settings = {usual, slow, fast}, .executions = 64};
  for (int round = 0; round < 40; ++round) {
    const double now = round % 2 == 0 ? 1.1 : 1;
    timing.rounds.push_back({4 * now, 2.2 * now, 2 * now});
  }
  return timing;
}

std::optional<AgreementOptions> read(std::vector<const char*> words) {
  words.insert(words.begin(), "agreement");
  return read_options(static_cast<int>(words.size()), words.data());
}

TEST(AgreementWords, AProblemIsReadAsItIsDescribed) {
  for (const Problem& problem : default_problems()) {
    EXPECT_EQ(parse_problem(describe(problem)), problem) << describe(problem);
  }
  EXPECT_EQ(parse_problem("sum u8 2^20").cache_mode, CacheMode::cold);
  EXPECT_EQ(default_problems().size(), 12);
}

TEST(AgreementWords, RefusesWhatIsNoProblem) {
  for (const char* text : {"", "sum f32", "sum f32 2^18 warm 3", "som f32 2^18", "sum f99 2^18",
                           "sum f32 x", "sum f32 0", "sum f32 2^18 hot", "bit_or f32 2^18"}) {
    EXPECT_THROW((void)parse_problem(text), UsageError) << text;
  }
}

TEST(AgreementWords, RefusesOptionsThatLeaveNothingToDo) {
  EXPECT_THROW((void)read({"--only-time"}), UsageError);
  EXPECT_THROW((void)read({"--only-tune", "--only-time", "--keep", "x"}), UsageError);
  EXPECT_THROW((void)read({"--seeds", "0"}), UsageError);
  EXPECT_THROW((void)read({"--rounds", "5"}), UsageError);
  EXPECT_EQ(read({"--only-time", "--keep", "x"})->steps, Steps::time);
  EXPECT_THROW((void)read({"--store", "/nonexistent"}), UsageError);
  EXPECT_EQ(read({"--problem", "max i8 2^16", "--problem", "sum f32 8"})->problems.size(), 2);
}

/// A copy of a store alone answers nothing: defaults would be timed for what it knows.
TEST(AgreementWords, TakesNoStoreWithoutItsAnswers) {
  const ScratchFolder folder;
  const auto store = folder / "results-v1.db";
  const auto options = [&] { return read({"--store", store.c_str()}); };
  std::ofstream(store) << "results";
  EXPECT_THROW((void)options(), UsageError);
  std::ofstream(folder / "best-v1.snap") << "answers";
  EXPECT_EQ(options()->store, store);
}

TEST(AgreementWords, ATuneIsWhatAPersonWouldType) {
  const auto options = read({"--device", "host", "--budget", "9"});
  EXPECT_THAT(words_of(*options, parse_problem("max i8 2^16 warm"), 3),
              ElementsAre("tune", "--device", "host", "--op", "max", "--type", "i8", "--count",
                          "65536", "--cache-mode", "warm", "--seed", "3", "--budget", "9"));
}

class KeptTunes : public testing::Test {
 protected:
  /// As a tune leaves it, but for the store.
  void keep_tune(std::uint64_t seed, const AgreementOptions& options) const {
    const auto own = folder_ / "tunes" / ("seed-" + std::to_string(seed));
    std::filesystem::create_directories(own);
    write_text(own / "tune.json", nlohmann::json{{"words", words_of(options, problem_, seed)},
                                                 {"seed", seed},
                                                 {"seconds", 12.5},
                                                 {"device", "some device"},
                                                 {"settings", to_string(fast)},
                                                 {"reason", "winner"},
                                                 {"told_us", json_of(Interval{1, 2, 3})}}
                                      .dump());
  }

  ScratchFolder folder_;
  Problem problem_ = parse_problem("sum f32 2^10 warm");
  AgreementOptions options_ =
      *read({"--device", "host", "--seeds", "2", "--redtune", "/bin/false", "--keep", "x"});
};

TEST_F(KeptTunes, AreNotMadeAgain) {
  keep_tune(1, options_);
  keep_tune(2, options_);
  const auto tunes = tunes_of(options_, problem_, folder_ / "tunes", -1);
  ASSERT_EQ(tunes.size(), 2);
  EXPECT_EQ(tunes[1].seed, 2);
  EXPECT_EQ(tunes[1].settings, fast);
  EXPECT_EQ(tunes[1].seconds, 12.5);
  EXPECT_EQ(tunes[1].told_us, (Interval{1, 2, 3}));
}

TEST_F(KeptTunes, ATuneThatFailsIsToldAndTriedAgain) {
  keep_tune(1, options_);
  for (int i = 0; i < 2; ++i) {
    const auto tunes = tunes_of(options_, problem_, folder_ / "tunes", -1);
    ASSERT_EQ(tunes.size(), 2);
    EXPECT_EQ(tunes[0].went_wrong, "");
    EXPECT_THAT(tunes[1].went_wrong, HasSubstr("exit status 1"));
  }
}

TEST_F(KeptTunes, OfAnotherCommandAreRefused) {
  keep_tune(1, options_);
  options_.jobs = 3;  // does not change what is tuned
  options_.seeds = 1;
  EXPECT_EQ(tunes_of(options_, problem_, folder_ / "tunes", -1).size(), 1);
  options_.budget = "7";
  EXPECT_THROW((void)tunes_of(options_, problem_, folder_ / "tunes", -1), UsageError);
}

TEST_F(KeptTunes, AreMissedWhereNothingIsToBeTuned) {
  keep_tune(1, options_);
  options_.steps = Steps::time;
  EXPECT_THROW((void)tunes_of(options_, problem_, folder_ / "tunes", -1), UsageError);
}

TEST(AgreementSummary, SeedsThatChoseTheSameStandTogether) {
  const std::vector tunes{tune_of(1, slow), tune_of(2, fast, 14), failed_tune(3),
                          tune_of(4, slow, 12)};
  EXPECT_THAT(distinct_winners(tunes), ElementsAre(slow, fast));
  const Timing timing = timing_of_three();
  const Agreement found = summarized(parse_problem("sum f32 2^18"), tunes, &timing);
  ASSERT_EQ(found.winners.size(), 2);
  EXPECT_EQ(found.winners[0].settings, fast);
  EXPECT_THAT(found.winners[1].seeds, ElementsAre(1, 4));
  EXPECT_THAT(found.winners[1].told_us, ElementsAre(2.1, 2.4));
  EXPECT_EQ(found.tune_seconds, (Interval{10, 12, 14}));
  EXPECT_NEAR(found.default_us.median, 4.2, 1e-9);
  EXPECT_NEAR(found.slowest_to_fastest->median, 1.1, 1e-9) << "rounds are compared with themselves";
}

TEST(AgreementSummary, OneWinnerAgreesWithItself) {
  const Timing timing = timing_of_three();
  const auto found =
      summarized(parse_problem("sum f32 2^18"), {tune_of(1, fast), tune_of(2, fast)}, &timing);
  EXPECT_EQ(found.winners.size(), 1);
  EXPECT_EQ(found.slowest_to_fastest, (Interval{1, 1, 1}));
}

TEST(AgreementSummary, AStoresAnswerIsComparedWithTheFastestTune) {
  const Timing timing = timing_of_three();
  const Problem problem = parse_problem("sum f32 2^18");
  const StoredAnswer known{.settings = slow, .match = Match::near};
  std::vector all{summarized(problem, {tune_of(1, fast)}, &timing, known)};
  EXPECT_NEAR(all[0].stored->to_fastest->median, 1.1, 1e-9);
  EXPECT_EQ(all[0].winners.size(), 1) << "it is no tune's";
  const std::string text = text_of(all[0]) + text_of_all(all);
  EXPECT_THAT(text, HasSubstr("stored / fastest 1.1000 (1.1000 to 1.1000; near)"));
  EXPECT_THAT(text, HasSubstr("stored / fastest of 1 problem: geometric mean 1.1000"));
  const auto document = nlohmann::json::parse(json_text(all));
  EXPECT_EQ(document["problems"][0]["stored"]["match"], "near");
  EXPECT_NEAR(document["stored_to_fastest"]["largest"], 1.1, 1e-9);

  const StoredAnswer same{.settings = fast, .match = Match::exact};
  const auto found = summarized(problem, {tune_of(1, fast)}, &timing, same);
  EXPECT_EQ(found.stored->to_fastest, (Interval{1, 1, 1}));
}

TEST(AgreementSummary, WithoutAStoreNothingIsSaidOfOne) {
  const Timing timing = timing_of_three();
  const std::vector all{summarized(parse_problem("sum f32 2^18"), {tune_of(1, fast)}, &timing)};
  EXPECT_THAT(text_of(all[0]) + text_of_all(all) + json_text(all), Not(HasSubstr("stored")));
  EXPECT_FALSE(overall_stored(all));
}

/// Equals: whoever seems slower by the rounds that choose must not by those that tell.
TEST(AgreementSummary, LuckIsNotTakenForADifference) {
  Timing timing{.device = "some device", .settings = {usual, slow, fast}};
  for (int round = 0; round < 40; ++round) {
    timing.rounds.push_back(round % 2 == 1 ? std::vector{4.0, 2.2, 2.0}
                                           : std::vector{4.0, 2.1, 2.1});
  }
  const auto found =
      summarized(parse_problem("sum f32 2^18"), {tune_of(1, slow), tune_of(2, fast)}, &timing);
  EXPECT_EQ(found.slowest_to_fastest, (Interval{1, 1, 1}));
}

TEST(AgreementSummary, TheWholeIsAGeometricMean) {
  std::vector<Agreement> all(3);
  all[0].problem = parse_problem("sum f32 2^18");
  all[0].slowest_to_fastest = Interval{1, 1, 1};
  all[1].problem = parse_problem("max i8 2^16");
  all[1].slowest_to_fastest = Interval{1.2, 1.21, 1.22};
  const auto result = overall(all);  // the third was not timed
  EXPECT_NEAR(result->geometric_mean, 1.1, 1e-9);
  EXPECT_EQ(result->largest, 1.21);
  EXPECT_EQ(result->largest_of, "max i8 2^16 cold");
  EXPECT_FALSE(overall(std::span(all).last(1)));
}

TEST(AgreementReport, TellsWinnersSeedsAndFailures) {
  const Timing timing = timing_of_three();
  const std::vector all{summarized(parse_problem("sum f32 2^18"),
                                   {tune_of(1, slow), tune_of(2, fast), failed_tune(3)}, &timing)};
  const std::string text = text_of(all[0]) + text_of_all(all);
  const std::vector<std::string> parts{
      "2 winners of 3 tunes", "1.1000 (1.1000 to 1.1000)",    to_string(fast),
      "the default",          "seed 3 failed: exit status 5", "geometric mean 1.1000"};
  for (const std::string& part : parts) EXPECT_THAT(text, HasSubstr(part));
  const auto document = nlohmann::json::parse(json_text(all));
  EXPECT_EQ(document["problems"][0]["winners"].size(), 2);
  EXPECT_EQ(document["problems"][0]["tunes"][2]["went_wrong"], "exit status 5: too noisy");
  EXPECT_NEAR(document["slowest_to_fastest"]["largest"], 1.1, 1e-9);
}

TEST(AgreementReport, SaysNothingOfTimesThatWereNotTaken) {
  const auto found = summarized(parse_problem("sum f32 2^18"), {tune_of(1, slow)}, nullptr);
  EXPECT_THAT(text_of(found), Not(HasSubstr("slowest")));
  EXPECT_EQ(text_of_all({&found, 1}), "");
}

TEST(AgreementTiming, IsKeptForTheSameWinners) {
  const ScratchFolder folder;
  const Timing timing = timing_of_three();
  const auto file = folder / "timing.json";
  EXPECT_FALSE(kept_timing(file, {slow, fast}, 40));
  keep(timing, file);
  EXPECT_EQ(kept_timing(file, {slow, fast}, 40), timing);
  EXPECT_FALSE(kept_timing(file, {slow}, 40));
  EXPECT_FALSE(kept_timing(file, {slow, fast}, 41));
}

TEST(AgreementTiming, TimesEverybodyInEveryRound) {
  const Problem problem = parse_problem("sum f32 2^10 warm");
  const kernels::Family& family = kernels::family_of(problem);
  const ScratchFolder leases;
  setenv("XDG_RUNTIME_DIR", (leases / "").c_str(), 1);  // the user's may be held by a tune
  TimingSite site("host", {"/nonexistent"}, 1);
  const Settings usual_here =
      family.default_settings(problem, runtime::limits_of(identify_device("host")));
  Settings other = usual_here;
  std::ranges::find(other, "block_size", &Setting::name)->value = "8";
  const Timing timing = site.time(problem, {other, usual_here}, 12);
  EXPECT_THAT(timing.settings, ElementsAre(usual_here, other));
  const Answer answer = site.answer(problem, leases / "no_results.db");
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_EQ(answer.settings, usual_here);
  ASSERT_EQ(timing.rounds.size(), 12);
  for (const auto& round : timing.rounds) {
    EXPECT_THAT(round, testing::Each(testing::Gt(0)));
    EXPECT_EQ(round.size(), 2);
  }
}

}  // namespace
}  // namespace redtune::bench
