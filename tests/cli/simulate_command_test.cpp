// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune simulate from the outside: table, document, drawing, what it refuses, and that what
// 'redtune cache export' writes of a run can be replayed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "search/registry.hpp"
#include "tests/cli/made_store.hpp"

namespace redtune::cli {
namespace {

/// 1600 configurations, smooth but for some noise; in every 17th nothing runs.
std::string bowl() {
  std::string text = R"({"schema_version": "1.0.0", "results": [)";
  for (int a = 0; a < 40; ++a) {
    for (int b = 0; b < 40; ++b) {
      const int number = 40 * a + b;
      const double cost = 10 + (a - 11) * (a - 11) + 2 * (b - 23) * (b - 23) + number * 37 % 11;
      const bool fails = number % 17 == 0;
      text += fmt::format(
          R"({}{{"configuration": {{"a": {}, "b": {}}}, "invalidity": "{}",
             "times": {{"compilation": 500, "runtimes": [{}, {}]}},
             "measurements": [{{"name": "time", "value": {}}}]}})",
          number == 0 ? "" : ",", a, b, fails ? "runtime" : "correct", cost, cost + 1, cost);
    }
  }
  return text + "]}";
}

class SimulateCommand : public ::testing::Test {
 protected:
  SimulateCommand() { cache::testing::write_text(file("bowl.t4.json"), bowl()); }
  [[nodiscard]] std::string file(const std::string& name) const { return home_ / name; }
  /// redtune simulate on the bowl.
  [[nodiscard]] Said simulate(const Words& more) const {
    return home_.run(with({"simulate", "--space", file("bowl.t4.json"), "--runs", "5"}, more));
  }
  /// hint: what the only line of the refusal names.
  void expect_refused(const Said& said, const std::string& hint) const {
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_EQ(count_of(said.err, "\n"), 1u) << said.err;
    EXPECT_TRUE(said.says(hint)) << said.err;
  }

  StoreHome home_;
};

/// Without what a clock measured.
json without_times(json document) {
  for (const char* list : {"results", "means"}) {
    for (json& one : document.at(list)) one.erase("ask_tell_us");
  }
  return document;
}

TEST_F(SimulateCommand, ScoresEveryStrategyUnlessSomeAreNamed) {
  const Said all = simulate({});
  ASSERT_EQ(all.code, 0) << all.err;
  EXPECT_TRUE(all.out.starts_with("strategy")) << all.out;
  EXPECT_TRUE(all.says("\nbowl.t4: 1600 configs, ")) << all.out;
  for (const search::StrategyRow& row : search::strategies()) {
    EXPECT_TRUE(all.says(fmt::format("\n{} ", row.name))) << all.out;
  }
  const Said some = simulate({"--strategy", "random", "--strategy", "grid"});
  EXPECT_EQ(count_of(some.out, "\n"), 5u) << some.out;  // header, blank, space, two strategies
  EXPECT_FALSE(some.says("hill_climbing")) << some.out;
}

TEST_F(SimulateCommand, TakesMoreSpacesBehindTheFirst) {
  cache::testing::write_text(file("other.json"), bowl());
  const Said said = simulate({file("other.json"), "--strategy", "random"});
  EXPECT_EQ(count_of(said.out, "\n"), 10u) << said.out;  // header; of two spaces and mean three
  EXPECT_TRUE(said.says("\nmean of 2 spaces\nrandom ")) << said.out;
}

TEST_F(SimulateCommand, FitsAScreenAndSaysHowSureItsScoresAre) {
  cache::testing::write_text(file(std::string(120, 'n') + ".json"), bowl());
  const Said said = simulate({file(std::string(120, 'n') + ".json")});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.err, "") << "in a pipe nothing moves";
  const json document = simulate({"--json", "--strategy", "random"}).document();
  const json& random = document.at("results").at(0);
  const double score = random.at("score");
  const double side = 1.96 * random.at("score_deviation").get<double>();
  EXPECT_TRUE(said.says(fmt::format("{:.3f} to {:.3f}", score - side, score + side))) << said.out;
  for (const std::string& line : lines_in(said.out)) {
    EXPECT_TRUE(line.size() <= 100 || line.starts_with("nnn")) << line;
  }
}

TEST_F(SimulateCommand, ShowsItsProgressOnATerminal) {
  const std::string drawn =
      home_.home().on_terminal({"simulate", "--space", file("bowl.t4.json"), "--runs", "20"});
  EXPECT_NE(drawn.find(" of 140 runs"), std::string::npos) << drawn;
  EXPECT_NE(drawn.find("bowl.t4: 1600 configs"), std::string::npos) << drawn;
}

TEST_F(SimulateCommand, WritesTheSameDocumentForTheSameSeed) {
  const json first = simulate({"--json", "--strategy", "random"}).document();
  const json again = simulate({"--json", "--strategy", "random"}).document();
  const json other = simulate({"--json", "--strategy", "random", "--seed", "2"}).document();
  EXPECT_EQ(without_times(first), without_times(again));
  EXPECT_NE(first.at("results"), other.at("results"));
  EXPECT_EQ(first.at("format"), "redtune simulation 1");
  ASSERT_EQ(first.at("results").at(0).at("runs").size(), 5u);
  for (const json& run : first.at("results").at(0).at("runs")) {
    EXPECT_EQ(run.at("indices").size(), run.at("cost").size());
    EXPECT_GE(run.at("best").size(), 200u);
  }
}

TEST_F(SimulateCommand, WritesDocumentAndDrawingIntoFiles) {
  const Said said = simulate({"--out", file("all.json"), "--plot", file("all.svg")});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.out.starts_with("strategy")) << said.out;
  EXPECT_TRUE(json::accept(cache::testing::read_text(file("all.json"))));
  const std::string svg = cache::testing::read_text(file("all.svg"));
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  for (const search::StrategyRow& row : search::strategies()) {
    EXPECT_EQ(count_of(svg, fmt::format(">{}<", row.name)), 1u) << row.name;
  }
}

TEST_F(SimulateCommand, CountsSecondsAndReplaysNoiseWhenAsked) {
  const json document = simulate({"--json", "--strategy", "grid", "--cost", "seconds", "--noise",
                                  "replay", "--budget", "20", "--batch", "8"})
                            .document();
  for (const json& run : document.at("results").at(0).at("runs")) {
    double before = 0;
    const json& seconds = run.at("seconds");
    for (std::size_t i = 0; i + 1 < seconds.size(); ++i) before += seconds.at(i).get<double>();
    // Asking ends when 20 s are spent, after at most a whole batch more of about 2 s each.
    EXPECT_LT(before, 80);
    EXPECT_GE(before + seconds.back().get<double>(), 20);
    EXPECT_NE(run.at("told"), run.at("cost"));
  }
}

/// What a strategy hears late it cannot use: up to then it asks as if it heard nothing.
TEST_F(SimulateCommand, AsksAheadOfWhatItIsTold) {
  const auto asked = [&](const char* batch, const char* ahead) {
    const json document = simulate({"--json", "--strategy", "hill_climbing", "--runs", "1",
                                    "--budget", "12", "--batch", batch, "--ahead", ahead})
                              .document();
    EXPECT_EQ(document.at("terms").at("ahead"), std::stoi(ahead));
    EXPECT_EQ(document.at("terms").at("first"), (std::stoi(ahead) + 1) * std::stoi(batch));
    return document.at("results").at(0).at("runs").at(0).at("cost");
  };
  EXPECT_EQ(asked("4", "2"), asked("12", "0"));
  EXPECT_NE(asked("4", "2"), asked("4", "0"));
  EXPECT_EQ(asked("4", "1").size(), 12u);
  const json document = simulate({"--json", "--strategy", "hill_climbing", "--runs", "1",
                                  "--budget", "12", "--batch", "4", "--first", "12"})
                            .document();
  EXPECT_EQ(document.at("terms").at("first"), 12);
  EXPECT_EQ(document.at("results").at(0).at("runs").at(0).at("cost"), asked("12", "0"));
}

TEST_F(SimulateCommand, BeginsAsATuneOnlyWhereItIsOurOwnSpace) {
  expect_refused(simulate({"--start", "shapes"}), "--record");
  expect_refused(simulate({"--start", "somewhere"}), "none, shapes, shipped, winners");
}

TEST_F(SimulateCommand, ReplaysWhatOurOwnRunsTried) {
  cache::Store store = cache::Store::open(home_.store_file());
  cache::RunStart start = made_start();
  start.seed = 7;
  const cache::RunId id = store.begin(start);
  for (int i = 0; i < 5; ++i) {
    cache::Trial trial = cache::testing::sample_trial(i);
    trial.settings = made_settings(start, std::to_string(64 << i));
    if (i == 4) trial.settings = made_settings(start, "64");  // tried again: left out
    store.record(id, trial);
  }
  store.finish(id, cache::RunState::done, "winner");
  const std::string number = std::to_string(static_cast<std::int64_t>(id));
  ASSERT_EQ(
      home_
          .run({"cache", "export", "--format", "t4", "--run", number, "--out", file("own.t4.json")})
          .code,
      0);
  const Said said = home_.run({"simulate", "--space", file("own.t4.json"), "--json"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("1 of its configurations repeat")) << said.err;
  const json space = said.document().at("spaces").at(0);
  EXPECT_EQ(space.at("configurations"), 4);
  EXPECT_EQ(space.at("axes").at(0).at("name"), "block_size");
  EXPECT_EQ(space.at("axes").at(0).at("values"), (json{64, 128, 256, 512}));
  const Said guided = home_.run({"simulate", "--space", file("own.t4.json"), "--start", "shipped"});
  EXPECT_EQ(guided.code, 2);
  EXPECT_TRUE(guided.says("use --start shapes"))
      << "nothing ships for this platform: " << guided.err;
}

TEST_F(SimulateCommand, SaysWhichExportToReplay) {
  ASSERT_EQ(home_.run({"cache", "export", "--out", file("results.json")}).code, 0);
  expect_refused(home_.run({"simulate", "--space", file("results.json")}), "--format t4");
}

TEST_F(SimulateCommand, RefusesWhatCannotBeMeant) {
  expect_refused(home_.run({"simulate"}), "--space FILE");
  expect_refused(simulate({"--strategy", "gird"}), "did you mean 'grid'");
  expect_refused(simulate({"--runs", "0"}), "--runs is 0");
  expect_refused(simulate({"--batch", "0"}), "--batch is 0");
  expect_refused(simulate({"--ahead", "1001"}), "--ahead is 1001");
  expect_refused(simulate({"--first", "0"}), "--first is 0");
  expect_refused(simulate({"--until-percentile", "2"}), "--until-percentile is '2'");
  expect_refused(simulate({"--noise", "some"}), "known: none, replay");
  expect_refused(simulate({"--cost", "joules"}), "known: evaluations, seconds");
  expect_refused(simulate({"--out", file("bowl.t4.json")}), "would overwrite");
  EXPECT_EQ(cache::testing::read_text(file("bowl.t4.json")), bowl());
  cache::testing::write_text(file("cut.json"), bowl().substr(0, 5000));
  expect_refused(home_.run({"simulate", "--space", file("cut.json")}), file("cut.json") + ": ");
}

TEST_F(SimulateCommand, SaysWhichFileItCannotReadOrWrite) {
  const Said missing = home_.run({"simulate", "--space", file("missing.json")});
  EXPECT_NE(missing.code, 0);
  EXPECT_TRUE(missing.says("cannot read " + file("missing.json"))) << missing.err;
  const Said unwritable = simulate({"--plot", file("no/such/folder.svg")});
  EXPECT_NE(unwritable.code, 0);
  EXPECT_TRUE(unwritable.says("cannot write")) << unwritable.err;
  EXPECT_EQ(unwritable.out, "");
}

}  // namespace
}  // namespace redtune::cli
