// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune log RUN --time: all seconds of a tune, each of them once.
#include <chrono>
#include <fstream>
#include <gtest/gtest.h>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

json time_of(const Home& home, const std::string& run = "1") {
  return home.run({"log", run, "--time", "--json"}).document().at("time");
}

double sum_of(const json& seconds) {
  double sum = 0;
  for (const auto& [activity, s] : seconds.items()) sum += s.get<double>();
  return sum;
}

void drop_records_of_time(const std::filesystem::path& log) {
  const std::vector<json> lines = lines_of(log);
  std::ofstream file(log);
  for (const json& line : lines) {
    if (line.at("kind") != "time") file << line.dump() << '\n';
  }
}

TEST(LogTime, AddsUpToTheWallTimeOfTheRun) {
  const Home home;
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(home.run(quick_tune({"--count", "300000"})).code, 0);
  const double outside =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const json time = time_of(home);
  const auto wall = time.at("wall_seconds").get<double>();
  const json& seconds = time.at("seconds");
  EXPECT_NEAR(sum_of(seconds), wall, 1e-6);
  EXPECT_LE(wall, outside);
  for (const auto& [activity, s] : seconds.items()) EXPECT_GT(s.get<double>(), 0) << activity;
  const auto measuring = time.at("measuring_seconds").get<double>();
  EXPECT_GT(measuring, 0);
  EXPECT_LT(measuring, wall);
  EXPECT_NEAR(time.at("measuring_share").get<double>(), measuring / wall, 1e-9);
  EXPECT_EQ(time.at("sessions").size(), 1U);
  EXPECT_FALSE(time.contains("unknown"));
  // A trial says by itself how long it took to compile, load, verify and time it.
  double trials = 0;
  for (const json& line : lines_of(home.logs().back())) {
    if (line.at("kind") == "trial") trials += line.at("wall_ms").get<double>() / 1e3;
  }
  EXPECT_LT(trials, wall);

  const Said said = home.run({"log", "1", "--time"});
  EXPECT_EQ(said.code, 0) << said.err;
  for (const auto& [activity, s] : seconds.items()) {
    EXPECT_TRUE(said.says('\n' + activity + ' ')) << said.out;
  }
  EXPECT_TRUE(said.says(fmt::format("took samples for {:.3f} s", measuring))) << said.out;
  EXPECT_TRUE(said.says(fmt::format(" {:.3f}    100.0  1 session", wall))) << said.out;
}

TEST(LogTime, OfARunWithoutARecordIsOneLine) {
  const Home home;
  ASSERT_EQ(home.run(quick_tune()).code, 0);
  drop_records_of_time(home.logs().back());  // as a version before left them
  const Said said = home.run({"log", "1", "--time"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(count_of(said.out, "\n"), 1U) << said.out;
  EXPECT_TRUE(said.says("no log here says where the time of run 1 went")) << said.out;
  const json time = time_of(home);
  EXPECT_FALSE(time.contains("seconds"));
  EXPECT_NE(time.at("unknown").get<std::string>().find("no log here"), std::string::npos);
  std::filesystem::remove_all(home / "state");
  EXPECT_EQ(home.run({"log", "1", "--time"}).out, said.out);
}

TEST(LogTime, OfARunThatWasGoneOnWithIsOfAllSessions) {
  const Home home;
  Running first(home, quick_tune({"--budget", "2000"}));
  ASSERT_TRUE(await_trials(home, 2));
  ASSERT_EQ(first.end_with(SIGINT).code, 130);
  const auto of_first = time_of(home).at("wall_seconds").get<double>();
  ASSERT_EQ(home.run(quick_tune({"--budget", "12"})).code, 0);
  const json time = time_of(home);
  ASSERT_EQ(time.at("sessions").size(), 2U);
  const json& sessions = time.at("sessions");
  EXPECT_EQ(sessions[0].at("wall_seconds"), of_first);
  for (const char* name : {"wall_seconds", "measuring_seconds"}) {
    EXPECT_NEAR(time.at(name).get<double>(),
                sessions[0].at(name).get<double>() + sessions[1].at(name).get<double>(), 1e-6);
  }
  EXPECT_NEAR(sum_of(time.at("seconds")), time.at("wall_seconds").get<double>(), 1e-6);
  EXPECT_TRUE(home.run({"log", "1", "--time"}).says("2 sessions"));

  drop_records_of_time(home.logs().front());  // as if the first had been killed
  EXPECT_EQ(time_of(home).at("sessions").size(), 1U);
  const Said said = home.run({"log", "1", "--time"});
  EXPECT_TRUE(said.says("1 of the run's 2 sessions left no record of its time")) << said.out;
}

TEST(LogTime, IsWrittenWhenARunFails) {
  const Home home;
  // Nothing was measured when it was stopped.
  Running first(home, quick_tune({"--budget", "2000"}));
  for (int turn = 0; turn < 600 && home.logs().empty(); ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(first.end_with(SIGTERM).code, 130);
  EXPECT_GT(time_of(home).at("wall_seconds").get<double>(), 0);
}

TEST(LogTime, IsOfOneRun) {
  const Said said = Home().run({"log", "--time"});
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("--time is of one run")) << said.err;
}

}  // namespace
}  // namespace redtune::cli
