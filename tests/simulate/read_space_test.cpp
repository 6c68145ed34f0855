// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The formats of recorded spaces, from small samples, and what is refused in which words.
#include "search/replay/read_space.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "redtune/error.hpp"
#include "tests/cache/samples.hpp"
#include "tests/simulate/made_space.hpp"

namespace redtune::search {
namespace {

/// A T4 result; time: as JSON.
std::string result(const std::string& configuration, const std::string& time,
                   const std::string& more = R"("invalidity": "correct")") {
  return fmt::format(
      R"({{"configuration": {}, "measurements": [{{"name": "time", "value": {}}}], {}}})",
      configuration, time, more);
}

std::string t4(const std::vector<std::string>& results) {
  std::string text;
  for (const std::string& one : results) text += (text.empty() ? "" : ",") + one;
  return R"({"schema_version": "1.0.0", "metadata": {}, "results": [)" + text + "]}";
}

/// Two axes, a constant, a failure.
std::string sample_t4() {
  return t4({result(R"({"size": 16, "mode": "fast", "fixed": 3})", "2.5",
                    R"("invalidity": "correct",
                       "times": {"compilation": 900, "framework": 50, "runtimes": [40, 60]})"),
             result(R"({"size": 8, "mode": "slow", "fixed": 3})", "\"CompilationFailedConfig\"",
                    R"("invalidity": "compile", "times": {"compilation": 100, "framework": 7})"),
             result(R"({"size": 128, "mode": "slow", "fixed": 3})", "1.5")});
}

/// The same space.
std::string sample_kernel_tuner() {
  return R"({"tune_params_keys": ["size", "mode", "fixed"],
    "tune_params": {"size": [16, 8, 128], "mode": ["fast", "slow"], "fixed": [3]},
    "cache": {
      "16,fast,3": {"size": 16, "mode": "fast", "fixed": 3, "time": 2.5, "times": [40, 60],
                    "compile_time": 900, "framework_time": 50},
      "8,slow,3": {"size": 8, "mode": "slow", "fixed": 3, "time": "CompilationFailedConfig",
                   "compile_time": 100, "framework_time": 7},
      "128,slow,3": {"size": 128, "mode": "slow", "fixed": 3, "time": 1.5}}})";
}

/// What a refusal says; empty when nothing is refused.
std::string refusal(const std::string& bytes) {
  try {
    (void)read_space(bytes);
    return {};
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
}

void expect_refused(const std::string& bytes, const std::string& hint) {
  EXPECT_NE(refusal(bytes).find(hint), std::string::npos) << bytes << ": " << refusal(bytes);
}

void expect_sample(const RecordedSpace& space) {
  ASSERT_EQ(space.axes.size(), 2u);  // "fixed" is no axis
  EXPECT_EQ(space.axes[0].name, "mode");
  EXPECT_EQ(space.axes[0].values, (std::vector<AxisValue>{"fast", "slow"}));
  EXPECT_FALSE(space.axes[0].is_ordered);
  EXPECT_EQ(space.axes[1].name, "size");
  EXPECT_EQ(space.axes[1].values, (std::vector<AxisValue>{8.0, 16.0, 128.0}));  // as numbers
  EXPECT_TRUE(space.axes[1].is_ordered);
  EXPECT_EQ(space.points, (std::vector<search::Point>{{0, 1}, {1, 0}, {1, 2}}));
  EXPECT_EQ(space.records[0].cost, 2.5);
  EXPECT_EQ(space.records[0].launches, (std::vector<double>{40, 60}));
  EXPECT_EQ(space.records[0].seconds, 1.0);  // 900 + 40 + 60 ms
  EXPECT_EQ(space.records[1].cost, std::nullopt);
  EXPECT_EQ(space.records[1].seconds, 0.107);  // without launches: the rest of what it took
  EXPECT_EQ(space.records[2].cost, 1.5);
  EXPECT_EQ(space.records[2].seconds, std::nullopt);
}

TEST(ReadSpace, T4) {
  expect_sample(read_space(sample_t4()));
}

TEST(ReadSpace, CacheOfKernelTuner) {
  expect_sample(read_space(sample_kernel_tuner()));
}

TEST(ReadSpace, PackedAsWellAsPlain) {
  expect_sample(read_space(packed(sample_t4())));
  expect_sample(read_space(packed(sample_kernel_tuner())));
}

TEST(ReadSpace, IsTheSameSpaceInEveryFormat) {
  EXPECT_EQ(read_space(sample_t4()).fingerprint(), read_space(sample_kernel_tuner()).fingerprint());
  EXPECT_NE(read_space(sample_t4()).fingerprint(), nine().fingerprint());
}

TEST(ReadSpace, TruthValuesAndMixedOnesAreCategories) {
  const RecordedSpace space = read_space(t4(
      {result(R"({"on": true, "odd": 1})", "1"), result(R"({"on": false, "odd": "one"})", "2")}));
  EXPECT_EQ(space.axes[0].name, "odd");
  EXPECT_FALSE(space.axes[0].is_ordered);
  EXPECT_EQ(space.axes[1].values, (std::vector<AxisValue>{false, true}));
  EXPECT_FALSE(space.axes[1].is_ordered);
}

TEST(ReadSpace, OfRepeatedConfigurationsTheFirstCounts) {
  const RecordedSpace space = read_space(
      t4({result(R"({"a": 2})", "7"), result(R"({"a": 1})", "5"), result(R"({"a": 2.0})", "3")}));
  EXPECT_EQ(space.repeated, 1u);
  EXPECT_EQ(space.records[1].cost, 7);
}

TEST(ReadSpace, OfOurOwnTrialsWhatWasFoundOutLaterCounts) {
  const RecordedSpace space =
      read_space(t4({result(R"({"a": 1})", "5"), result(R"({"a": 2})", "7"),
                     result(R"({"a": 1})", "5",
                            R"("invalidity": "correctness", "redtune": {"phase": "confirm"})")}));
  EXPECT_EQ(space.repeated, 0u);
  EXPECT_EQ(space.records[0].cost, std::nullopt);
  EXPECT_EQ(space.records[1].cost, 7);
}

TEST(ReadSpace, NullAndAnyWordInvalidityAreFailures) {
  const RecordedSpace space =
      read_space(t4({result(R"({"a": 1})", "null"), result(R"({"a": 2})", "5"),
                     result(R"({"a": 3})", "6", R"("invalidity": "timeout")")}));
  EXPECT_EQ(space.records[0].cost, std::nullopt);
  EXPECT_EQ(space.records[2].cost, std::nullopt);
}

TEST(ReadSpace, TakesTheObjectiveThatIsNamed) {
  const std::string measured = R"({"configuration": {"a": 1}, "objectives": ["energy"],
    "measurements": [{"name": "time", "value": 1}, {"name": "energy", "value": 7}]})";
  EXPECT_EQ(read_space(t4({measured, result(R"({"a": 2})", "5")})).records[0].cost, 7);
  expect_refused(R"({"tune_params": {}, "cache": {}, "objective": "GFLOP/s"})", "more is better");
}

TEST(ReadSpace, RefusesWhatIsNoSpace) {
  expect_refused("", "not a JSON object");
  expect_refused("[1]", "not a JSON object");
  expect_refused("{}", "not a recorded space");
  expect_refused(R"({"results": [1]})", "not a recorded space");
  expect_refused(R"({"format": "redtune results 1", "results": []})", "--format t4");
  expect_refused(std::string(100, '['), "too deeply");
  expect_refused(t4({}), "no configurations");
  expect_refused(t4({result(R"({"a": 1})", "5")}), "one configuration only");
  expect_refused(t4({result(R"({"a": 1})", "null"), result(R"({"a": 2})", "null")}),
                 "all its configurations failed");
}

TEST(ReadSpace, RefusesEveryCutFile) {
  for (const std::string& whole : {sample_t4(), sample_kernel_tuner()}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_NE(refusal(whole.substr(0, size)), "") << size;
    }
  }
}

TEST(ReadSpace, NamesTheConfigurationThatIsOdd) {
  const std::string good = result(R"({"a": 1})", "5");
  expect_refused(t4({good, result(R"({"a": null})", "5")}), "configuration 2 has nothing for 'a'");
  expect_refused(t4({good, result(R"({"a": [1]})", "5")}), "array for 'a'");
  expect_refused(t4({good, result(R"({"b": 1})", "5")}), "configuration 2 has nothing for 'a'");
  expect_refused(t4({good, result(R"({"a": 1, "b": 1})", "5")}),
                 "does not have the same parameters");
  expect_refused(t4({good, "7"}), "does not have the same parameters");
  expect_refused(t4({good, result(R"({"a": 2})", "-1")}), "time of configuration 2 is -1");
  expect_refused(t4({good, result(R"({"a": 2})", "0")}), "above 0");
  expect_refused(t4({good, result(R"({"a": 2})", "true")}), "boolean");
  expect_refused(t4({good, result(R"({"a": 2})", "1e999")}), "not a JSON object");
  expect_refused(R"({"tune_params": {"a": [1]}, "cache": {"1": 3}})", "configuration '1'");
}

TEST(ReadSpace, ShowsNothingThatMovesACursor) {
  const std::string odd = R"({"tune_params": {"a": [1]}, "cache": {"\u001b[2J": {"a": null}}})";
  expect_refused(odd, "'?[2J'");
}

TEST(ReadSpace, RefusesMoreAxesThanPointsHave) {
  std::string small;
  std::string large;
  for (int i = 0; i < 17; ++i) {
    small += fmt::format("{}\"p{}\": 1", i == 0 ? "" : ",", i);
    large += fmt::format("{}\"p{}\": 2", i == 0 ? "" : ",", i);
  }
  expect_refused(t4({result("{" + small + "}", "1"), result("{" + large + "}", "2")}),
                 "17 of its parameters vary");
}

TEST(ReadSpaceFile, NamesTheFileAndTheSpaceAfterIt) {
  const cache::testing::ScratchFolder folder;
  const auto file = folder / "made.t4.json.gz";
  cache::testing::write_text(file, packed(sample_t4()));
  EXPECT_EQ(read_space_file(file).name, "made.t4");
  cache::testing::write_text(file, "{}");
  try {
    (void)read_space_file(file);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(file.string() + ": ")) << error.what();
  }
  EXPECT_THROW((void)read_space_file(folder / "missing"), IoError);
  EXPECT_THROW((void)read_space_file(folder / "."), IoError);
}

}  // namespace
}  // namespace redtune::search
