// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a tune tells programs while it runs, and what a person may ask of it and of reduce.
#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <thread>

#include "tests/cli/run_redtune.hpp"
#include "tests/tuner/lease_holder.hpp"

namespace redtune::cli {
namespace {

TEST(TuneProgress, IsWrittenAsEvents) {
  const Home home;
  const std::string file = (home / "events.jsonl").string();
  const Said said = home.run(quick_tune({"--events", file, "--json"}));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.document().contains("winner")) << "the document stays alone";
  std::map<std::string, std::size_t> counts;
  json last;
  for (const json& line : lines_of(file)) {
    ++counts[line.at("event")];
    EXPECT_TRUE(line.contains("at"));
    if (line.at("event") == "trial") last = line;
  }
  EXPECT_EQ(counts["trial"], 6U);
  EXPECT_EQ(counts["candidate"], 6U);
  EXPECT_EQ(counts["final"], 1U);
  EXPECT_GE(counts["stage"], 2U);
  EXPECT_EQ(last.at("trials"), 6);
  EXPECT_EQ(last.at("of"), 6);
  EXPECT_GT(last.at("best_us"), 0);
  EXPECT_TRUE(last.at("settings").contains("block_size"));
}

TEST(TuneProgress, RefusesAPlaceThatCannotBeWritten) {
  const Said said = Home().run(quick_tune({"--events", "/nowhere/events"}));
  EXPECT_EQ(said.code, 74);
  EXPECT_TRUE(said.says("cannot write events to /nowhere/events")) << said.err;
}

TEST(TuneProgress, EndsWhenItIsGoodEnough) {
  const Home home;
  const Said said = home.run(quick_tune({"--good-enough", "1s"}));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("tried 1 of ")) << said.out;
  const Said wrong = home.run(quick_tune({"--good-enough", "fast"}));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(wrong.says("write a time or a speed")) << wrong.err;
}

TEST(TuneProgress, RestrictedTunesAreShownAndLoggedAndNotPublished) {
  const Home home;
  const auto results = [&] {
    return home.run({"cache", "list", "--all", "--json"}).document().at("results");
  };
  const Said said = home.run(quick_tune({"--set", "block_size=64", "--json"}));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("not published")) << said.err;
  EXPECT_EQ(said.document().at("winner").at("block_size"), "64");
  EXPECT_EQ(said.document().at("only"), "block_size=64");
  const std::string run = home.run({"log", "1"}).out;
  EXPECT_NE(run.find("auto with block_size=64"), std::string::npos) << run;
  EXPECT_TRUE(results().empty());
  // Nor is it known now, or gone on with.
  const Said whole = home.run(quick_tune({"--json"}));
  ASSERT_EQ(whole.code, 0) << whole.err;
  EXPECT_TRUE(whole.says("run 2: ")) << whole.err;
  EXPECT_FALSE(whole.says("continuing")) << whole.err;
  const json before = results();
  EXPECT_EQ(before.size(), 1U);
  ASSERT_EQ(home.run(quick_tune({"--set", "block_size=64", "--set", "block_size=128"})).code, 0);
  EXPECT_EQ(results(), before);
  EXPECT_TRUE(home.run(quick_tune()).says("was tuned on"));
}

TEST(TuneProgress, RefusesValuesThatThereAreNot) {
  const Home home;
  const auto refuse = [&](const Words& more, const std::string& hint) {
    const Said said = home.run(quick_tune(more));
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_TRUE(said.says(hint)) << said.err;
    EXPECT_EQ(std::ranges::count(said.err, '\n'), 1) << said.err;
  };
  refuse({"--set", "blocksize=64"}, "did you mean 'block_size'?");
  refuse({"--set", "block_size=65"}, "one of 1, 2, 4");
  refuse({"--set", "block_size"}, "name=value");
  refuse({"--set", "finish=single_block", "--set", "blocks_per_unit=4"}, "no config");
  EXPECT_TRUE(home.logs().empty());
}

TEST(TuneProgress, WaitsForADeviceThatAnotherTuneHas) {
  const Home home;
  const tuner::LeasePlaces places{{home / "run/redtune"}};
  auto holder = std::make_unique<tuner::testing::LeaseHolder>(
      "", tuner::LeaseNote{.user = "ann", .command = "redtune tune"}, places);
  ASSERT_TRUE(holder->is_holding());
  EXPECT_EQ(home.run(quick_tune()).code, 75);
  const Said reduced = home.run({"reduce", "--device", "host", "--count", "100"});
  EXPECT_EQ(reduced.code, 0);
  EXPECT_TRUE(reduced.says("is being tuned on, by process ")) << reduced.err;
  Running waiting(home, quick_tune({"--wait"}));
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  EXPECT_TRUE(home.logs().empty());
  holder.reset();
  const Said said = waiting.wait();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("waiting: ")) << said.err;
}

TEST(Reduce, TimesAConfigurationThatIsGiven) {
  const Home home;
  const Words reduce{"reduce", "--device", "host", "--count", "5000"};
  const Said said = home.run(with(reduce, {"--set", "block_size=64", "--set", "vector_width=1"}));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("block_size=64")) << said.out;
  EXPECT_TRUE(said.says("vector_width=1 ")) << said.out;
  EXPECT_TRUE(said.says("with block_size=64 vector_width=1 as given")) << said.out;
  const auto expect_refused = [&](const std::string& set, const std::string& what) {
    const Said refused = home.run(with(reduce, {"--set", set}));
    EXPECT_EQ(refused.code, 2) << set;
    EXPECT_TRUE(refused.says(what)) << refused.err;
  };
  expect_refused("blok_size=64", "has no tunable 'blok_size' (did you mean 'block_size'?)");
  expect_refused("block_size=63", "block_size cannot be '63'; it is one of");
  expect_refused("finish=cluster", "cannot run here");
  expect_refused("block_size", "block_size");
}

}  // namespace
}  // namespace redtune::cli
