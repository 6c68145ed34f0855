// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune tune --record: a file with every trial, timed in full, that can be replayed.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "cli/exit_code.hpp"
#include "redtune/error.hpp"
#include "search/replay/gzip.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

Words recording(const Words& more = {}) {
  Words words = quick_tune({"--strategy", "grid", "--record", "--budget", "12"});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

json read_recording(const std::string& file) {
  return json::parse(search::unpacked(cache::testing::read_text(file), std::size_t{1} << 24));
}

TEST(Record, WritesEveryTrialForSimulate) {
  const Home home;
  const Said said = home.run(recording({"--json"}));
  ASSERT_EQ(said.code, 0) << said.err;
  const std::string file = said.document().at("recording");
  EXPECT_TRUE(said.says("recording of 12 trials: " + file)) << said.err;
  const json recorded = read_recording(file);
  EXPECT_EQ(recorded.at("metadata").at("redtune").at("run").at("strategy"), "grid");
  ASSERT_EQ(recorded.at("results").size(), 12U);
  for (const json& one : recorded.at("results")) EXPECT_NE(one.at("redtune").at("status"), "slow");
  const Said replayed = home.run({"simulate", "--space", file, "--runs", "2"});
  EXPECT_EQ(replayed.code, 0) << replayed.err;
}

TEST(Record, TriesThingsAlsoWhereTheAnswerIsKnown) {
  const Home home;
  ASSERT_EQ(home.run(quick_tune()).code, 0);
  const Said said = home.run(recording());
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("recording of ")) << said.err;
}

Words grid(const Words& more) {
  Words words{"tune",   "--device", "host",          "--count",    "1000",
              "--jobs", "2",        "--force-noisy", "--strategy", "grid"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Record, IsOfTheWholeSpaceAndKeepsWhatThereIsWhenInterrupted) {
  const Home home;
  Running running(home, grid({"--record"}));
  ASSERT_TRUE(await_trials(home, 2));
  const Said said = running.end_with(SIGINT);
  EXPECT_EQ(said.code, 130) << said.err;
  EXPECT_TRUE(said.says("budget unlimited")) << said.err;
  EXPECT_TRUE(said.says("recording of ")) << said.err;
  const Said later = home.run(recording());
  EXPECT_EQ(later.code, 0) << later.err;
  EXPECT_TRUE(later.says("continuing")) << later.err;
}

TEST(Record, TimesInFullWhatTheRunItContinuesGaveUp) {
  const Home home;
  Running running(home, grid({"--budget", "2000"}));
  ASSERT_TRUE(await_trials(home, 16));
  EXPECT_EQ(running.end_with(SIGINT).code, 130);
  const Said said = home.run(grid({"--budget", "32", "--record", "--json"}));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("continuing")) << said.err;
  std::set<json> seen;
  const json recorded = read_recording(said.document().at("recording"));
  for (const json& one : recorded.at("results")) {
    EXPECT_NE(one.at("redtune").at("status"), "slow");
    EXPECT_TRUE(seen.insert(one.at("configuration")).second) << one;
  }
  EXPECT_GE(seen.size(), 32U);
}

TEST(Record, WithoutAPlaceForItSaysWhereTheTrialsAre) {
  const Home home;
  const Said said = home.run(recording({"--json"}), {"XDG_STATE_HOME=/proc/nope"});
  EXPECT_EQ(said.code, static_cast<int>(ExitCode::io)) << said.err;
  EXPECT_FALSE(said.document().contains("recording"));
  EXPECT_TRUE(said.says("redtune cache export --format t4 --run 1")) << said.err;
  const Said exported = home.run({"cache", "export", "--format", "t4", "--run", "1"});
  EXPECT_EQ(json::parse(exported.out).at("results").size(), 12U);
}

/// The trials are in memory, and the file has a place of its own.
TEST(Record, IsWrittenAlsoWhereNoStoreCanBe) {
  const Home home;
  const Said said = home.run(recording({"--json"}), {"XDG_DATA_HOME=/proc/nope"});
  EXPECT_EQ(said.code, static_cast<int>(ExitCode::io)) << said.err;
  EXPECT_EQ(read_recording(said.document().at("recording")).at("results").size(), 12U);
}

}  // namespace
}  // namespace redtune::cli
