// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The formats of exchange: what is written is what is read, and what nobody measured is refused.
#include "cache/exchange/exchange.hpp"

#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "cache/exchange/json.hpp"
#include "cache/exchange/results.hpp"
#include "cache/exchange/t4.hpp"
#include "cache/keys/described_best.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;
using nlohmann::json;

constexpr std::string_view all_statuses[] = {
    "ok",        "slow",         "compile_failed", "launch_failed", "crashed",
    "timed_out", "wrong_result", "flaky",          "implausible"};

SharedRun sample_run() {
  SharedRun run{.start = sample_start(),
                .started_at = "2026-01-02T03:00:00.000Z",
                .finished_at = "2026-01-02T03:04:06.000Z",
                .note = "winner"};
  run.start.command_line.clear();  // stays at home, as does
  run.start.device.address.clear();
  Best best = sample_best();
  best.measurement = R"({"a":[1,2.50,true,null],"b":"\u00e4"})";
  run.results = {{"2026-01-02T03:04:05.678Z", best}};
  for (const std::string_view status : all_statuses) {
    Trial trial = sample_trial(static_cast<std::int64_t>(run.trials.size()));
    trial.status = status;
    if (status != "ok" && status != "slow") trial.time_us.reset();
    trial.detail = status == "ok" ? "" : "line 1\nline 2 \xc3\xa4";
    run.trials.push_back({trial, "2026-01-02T03:04:05.000Z"});
  }
  return run;
}

SharedRun without_trials(SharedRun run) {
  run.trials.clear();
  return run;
}

TEST(ResultsText, IsReadAsItWasWritten) {
  const std::string text = results_text({sample_run()});
  const Incoming incoming = read_exchange(text);
  EXPECT_TRUE(incoming.skipped.empty());
  ASSERT_EQ(incoming.runs.size(), 1U);
  EXPECT_EQ(incoming.runs[0].results, sample_run().results);
  EXPECT_EQ(question_of(incoming.runs[0].start), question_of(sample_run().start));
  EXPECT_EQ(incoming.runs[0].start.seed, sample_run().start.seed) << "64 bits without a sign";
  EXPECT_EQ(incoming.runs[0].note, "winner");
  EXPECT_EQ(results_text(incoming.runs), text);
}

TEST(ResultsText, DoesNotDependOnTheOrderOfItsResults) {
  SharedRun other = sample_run();
  other.start.problem.count = 5;
  EXPECT_EQ(results_text({sample_run(), other}), results_text({other, sample_run()}));
}

TEST(ResultsText, IsTheSameFromTheStoreThatImportedIt) {
  Store store = Store::in_memory();
  SharedRun custom = sample_run();
  custom.start.problem = make_problem(
      CustomOp{"twice", "struct custom {\n\tstatic float identity();\n};\n"}, DType::f32, 100);
  const std::string text = results_text({sample_run(), without_trials(custom)});
  store.adopt(read_exchange(text).runs, "a file");
  EXPECT_EQ(results_text(store.share()), text);
}

TEST(ResultsText, KeepsProcessAndCommandLineAtHome) {
  SharedRun run = sample_run();
  run.start.command_line = "/home/somebody/redtune tune";
  run.start.device.address = "0000:03:00.0";
  const std::string text = results_text({run}) + t4_text(run);
  EXPECT_EQ(text.find("somebody"), std::string::npos);
  EXPECT_EQ(text.find("0000:03"), std::string::npos);
}

TEST(ResultsText, OfNothingIsADocumentToo) {
  EXPECT_EQ(json::parse(results_text({})).at("results"), json::array());
  EXPECT_TRUE(read_exchange(results_text({})).runs.empty());
}

TEST(ResultsText, CutShortIsRefused) {
  const std::string text = results_text({without_trials(sample_run())});
  for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
    EXPECT_THROW((void)read_exchange(text.substr(0, size)), UsageError) << size;
  }
}

TEST(ResultsText, OfAnotherVersionIsRefused) {
  std::string text = results_text({});
  text.replace(text.find("results 1"), 9, "results 2");
  try {
    (void)read_exchange(text);
    FAIL() << "it was read";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("'redtune results 2'"), std::string::npos);
  }
  EXPECT_THROW((void)read_exchange("{}"), UsageError);
  EXPECT_THROW((void)read_exchange("[]"), UsageError);
  EXPECT_THROW((void)read_exchange(R"({"format":"redtune results 1"})"), UsageError);
}

TEST(ResultsText, LeavesOutWhatLacksAMember) {
  const json whole = json::parse(results_text({without_trials(sample_run())}));
  std::set<std::string_view> may_lack;
  for_each_row<Best>([&](const auto& row) {
    if (row.kept == Kept::in_later_stores) may_lack.insert(row.name);
  });
  for (const auto& member : whole.at("results")[0].items()) {
    if (may_lack.contains(member.key())) continue;
    json without = whole;
    without["results"][0].erase(member.key());
    const Incoming incoming = read_exchange(without.dump());
    EXPECT_TRUE(incoming.runs.empty()) << member.key();
    EXPECT_EQ(incoming.skipped.size(), 1U) << member.key();
  }
}

TEST(T4Text, IsReadAsItWasWritten) {
  const std::string text = t4_text(sample_run());
  const Incoming incoming = read_exchange(text);
  EXPECT_TRUE(incoming.skipped.empty());
  ASSERT_EQ(incoming.runs.size(), 1U);
  EXPECT_EQ(incoming.runs[0].trials, sample_run().trials);
  EXPECT_EQ(t4_text(incoming.runs[0]), text);
}

TEST(T4Text, HasTheFormThatOtherToolsRead) {
  const json document = json::parse(t4_text(sample_run()));
  EXPECT_EQ(document.at("schema_version"), "1.0.0");
  EXPECT_EQ(document.at("metadata").at("timeunit"), "miliseconds") << "their spelling";
  const json first = document.at("results")[0];
  EXPECT_EQ(first.at("configuration").at("block_size"), 256) << "a number";
  EXPECT_EQ(first.at("configuration").at("finish"), "last_block");
  EXPECT_EQ(first.at("measurements")[0].at("name"), "time");
  EXPECT_DOUBLE_EQ(first.at("measurements")[0].at("value"), 0.0105);
  EXPECT_EQ(first.at("objectives"), json::parse(R"(["time"])"));
  EXPECT_EQ(first.at("times").at("compilation"), 120.5);
  for (const json& result : document.at("results")) {
    const bool is_correct = result.at("invalidity") == "correct";
    EXPECT_EQ(result.at("correctness"), is_correct ? 1 : 0);
    EXPECT_EQ(result.at("measurements")[0].at("value").is_number(), is_correct);
  }
}

TEST(T4Text, HasAWordOfItsOwnForEachStatus) {
  const std::vector<std::string_view> words{"timeout",     "compile", "runtime",
                                            "correctness", "correct", "constraints"};
  for (const std::string_view status : all_statuses) {
    EXPECT_NE(std::ranges::find(words, invalidity_of(status)), words.end()) << status;
  }
  EXPECT_EQ(invalidity_of("timed_out"), "timeout");
  EXPECT_EQ(invalidity_of("flaky"), "correctness");
}

TEST(T4Text, OfAnotherTunerIsRefused) {
  EXPECT_THROW(
      (void)read_exchange(
          R"({"schema_version":"1.0.0","metadata":{"timeunit":"miliseconds"},"results":[]})"),
      UsageError);
}

/// So many levels, one in the other.
std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

std::string object_of(int members) {
  std::string text = "{";
  for (int i = 0; i < members; ++i) text += fmt::format("{}\"{}\":{}", i == 0 ? "" : ",", i, i);
  return text + "}";
}

TEST(JsonOfStrangers, IsNoDeeperAndNoWiderThanOursMayBe) {
  EXPECT_TRUE(parse_json(nested(64)));
  EXPECT_FALSE(parse_json(nested(65)));
  EXPECT_FALSE(parse_json(std::string(1'000'000, '[')));
  EXPECT_TRUE(parse_json("[" + object_of(1024) + "," + object_of(1024) + "]"));
  EXPECT_FALSE(parse_json("[" + object_of(1025) + "]"));
}

TEST(JsonOfStrangers, HasNoNumberThatNothingHolds) {
  EXPECT_FALSE(parse_json("[1e999]"));
  const auto read =
      parse_json("[9223372036854775807,-9223372036854775808,9223372036854775808,1.0,true]");
  ASSERT_TRUE(read);
  EXPECT_EQ(integer_from((*read)[0]), INT64_MAX);
  EXPECT_EQ(integer_from((*read)[1]), INT64_MIN);
  for (std::size_t i = 2; i < read->size(); ++i) EXPECT_FALSE(integer_from((*read)[i])) << i;
}

TEST(JsonOfStrangers, HasTheLastOfMembersWithTheSameName) {
  const auto read = parse_json(R"({"a":[1],"b":"2","a":"3"})");
  ASSERT_TRUE(read);
  EXPECT_EQ(fields_from(*read), (Fields{{"a", "3"}, {"b", "2"}}));
}

struct Unfit {
  std::string_view name;
  std::string_view why;  ///< what is said of it, or a part
  std::function<void(SharedRun&)> spoil;
};

const std::vector<Unfit> unfit{
    {"control characters", "a text that is too long, or not one line",
     [](SharedRun& run) { run.start.device.name = "\x1b[31mred"; }},
    {"a long name", "a text that is too long, or not one line",
     [](SharedRun& run) { run.note = std::string(5000, 'x'); }},
    {"a note of lines", "a text that is too long, or not one line",
     [](SharedRun& run) { run.note = "a\nb"; }},
    {"no device", "its device is not valid",
     [](SharedRun& run) { run.start.device.device_class.compute_units = 0; }},
    {"odd waves", "its device is not valid",
     [](SharedRun& run) { run.start.device.device_class.wave_size = 63; }},
    {"negative memory", "its device is not valid",
     [](SharedRun& run) { run.start.device.device_class.memory_bytes = -1; }},
    {"an op that does not take the type", "bit_and",
     [](SharedRun& run) { run.start.problem.op = Op::bit_and; }},
    {"too many elements", "more bytes than 64 bits can index",
     [](SharedRun& run) { run.start.problem.count = INT64_MAX; }},
    {"no start", "the time it began or ended at is not valid",
     [](SharedRun& run) { run.started_at.clear(); }},
    {"the 31st of February", "the time it began or ended at is not valid",
     [](SharedRun& run) {
       run.started_at[6] = '2', run.started_at[8] = '3', run.started_at[9] = '1';
     }},
    {"peaks that are not speeds", "its peak speeds are not valid",
     [](SharedRun& run) {
       run.peaks = ReadPeaks{-1, 0};
     }},
    {"a time to come",
     "it was published in the future, at 2999-01-01T00:00:00.000Z; is a clock wrong?",
     [](SharedRun& run) { run.results[0].at = "2999-01-01T00:00:00.000Z"; }},
    {"a time that is not valid", "the time it was published at is not valid",
     [](SharedRun& run) { run.results[0].at = "yesterday"; }},
    {"no settings", "its configuration is not valid",
     [](SharedRun& run) { run.results[0].best.settings.clear(); }},
    {"a negative time", "its times or other numbers cannot have been measured",
     [](SharedRun& run) { run.results[0].best.time_us.low = -1; }},
    {"an endless time", "its times or other numbers cannot have been measured",
     [](SharedRun& run) { run.results[0].best.default_us = INFINITY; }},
    {"a contended result", "its times or other numbers cannot have been measured",
     [](SharedRun& run) { run.results[0].best.contended = true; }},
    {"a measurement that is not an object", "is not a JSON object",
     [](SharedRun& run) { run.results[0].best.measurement = "[]"; }},
    {"a trial that took no time", "its trial 0 is not valid: its time is missing",
     [](SharedRun& run) { run.trials[0].trial.time_us.reset(); }},
    {"a trial with a time that is not valid",
     "its trial 0 is not valid: the time it was recorded at",
     [](SharedRun& run) { run.trials[0].at = "now"; }},
    {"a trial without a status", "its trial 1 is not valid: a text",
     [](SharedRun& run) { run.trials[1].trial.status.clear(); }},
    {"a trial of no attempts", "its trial 1 is not valid: a count",
     [](SharedRun& run) { run.trials[1].trial.attempts = 0; }},
    {"a bell in a log", "its trial 1 is not valid: a text",
     [](SharedRun& run) { run.trials[1].trial.detail = "\a"; }},
};

class UnfitRun : public ::testing::TestWithParam<Unfit> {};

TEST_P(UnfitRun, IsNotTakenOver) {
  SharedRun run = sample_run();
  EXPECT_EQ(why_unfit(run), "");
  GetParam().spoil(run);
  const std::string why = why_unfit(run);
  EXPECT_NE(why, "");
  EXPECT_NE(why.find(GetParam().why), std::string::npos) << why;
}

INSTANTIATE_TEST_SUITE_P(Spoiled, UnfitRun, ::testing::ValuesIn(unfit), [](const auto& one) {
  std::string name(one.param.name);
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(c & 0xff); }, '_');
  return name;
});

TEST(Times, AreThoseThatStoresWrite) {
  EXPECT_TRUE(is_time("2026-02-28T23:59:59.999Z"));
  EXPECT_TRUE(is_time("2024-02-29T00:00:00.000Z"));
  for (const char* text : {"", "2026-02-29T00:00:00.000Z", "2026-01-01T24:00:00.000Z",
                           "2026-01-01 00:00:00.000Z", "2026-01-01T00:00:00Z"}) {
    EXPECT_FALSE(is_time(text)) << text;
  }
  EXPECT_TRUE(is_time(time_in_days(-30)));
  EXPECT_LT(time_in_days(-1), time_in_days(0));
}

}  // namespace
}  // namespace redtune::cache
