// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a run of many finds out beside its problems: borders between tuned counts, and predictions
// for what was not tuned.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/reliability/simulated_home.hpp"

namespace redtune::cli {
namespace {

/// On a device whose every kernel is another one from so many elements on.
constexpr std::int64_t changes_at = 30'000;
const std::string changing = fmt::format("changes_at:{}", changes_at);

Words two_sizes(const Words& more = {}) {
  return SimulatedHome::words(
      with(with({"--count", "10000,640000", "--budget", "24", "--json"}, same_points), more));
}

/// On a device where kernels for whole tiles are the fastest, wherever there are any.
const std::string whole_tiles = "fast:_exact";

Words sizes(const char* counts) {
  return two_sizes({"--count", counts, "--budget", "60"});
}

json asked(const SimulatedHome& home, std::int64_t count) {
  const Said said = home.run({"query", "--device", "hip:0", "--count", std::to_string(count),
                              "--min-match", "near", "--json"});
  EXPECT_EQ(said.code, 0) << said.err;
  return said.document();
}

void expect_border_found(const SimulatedHome& home, const json& border) {
  EXPECT_EQ(border.at("state"), "measured") << border;
  const auto first = border.at("first").get<std::int64_t>();
  EXPECT_GE(first, changes_at / 1.2);
  EXPECT_LE(first, changes_at * 1.2);
  const json below = asked(home, first - 1);
  const json above = asked(home, first);
  EXPECT_EQ(below.at("settings"), asked(home, 10'000).at("settings"));
  EXPECT_EQ(above.at("settings"), asked(home, 640'000).at("settings"));
  EXPECT_NE(below.at("settings"), above.at("settings"));
  EXPECT_EQ(above.at("border").at("first"), first);
  EXPECT_NE(above.at("explanation").get<std::string>().find("measured"), std::string::npos);
}

TEST(BordersBetweenProblems, AreMeasuredOnceAndAnswer) {
  const SimulatedHome home;
  const Said first = home.home().run(two_sizes(), home.environment(changing));
  ASSERT_EQ(first.code, 0) << first.err;
  const json document = first.document();
  ASSERT_EQ(document.at("borders_measured"), 1) << document;
  expect_border_found(home, document.at("borders").at(0));
  EXPECT_TRUE(first.says("border 1/1 sum f32 10000")) << first.err;

  const json list = home.home().run(two_sizes({"--list"}), home.environment(changing)).document();
  EXPECT_EQ(list.at("borders_to_measure"), 0);
  const Said again = home.home().run(two_sizes(), home.environment(changing));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.document().at("borders_known"), 1);
  EXPECT_EQ(again.document().at("borders"), json::array());

  for (const char* run : {"1", "2"}) {
    const Said log = home.run({"log", run});
    EXPECT_TRUE(log.says("measured between")) << log.out;
  }
  EXPECT_EQ(home.run({"cache", "show", "1", "--json"}).document().at("borders").size(), 1U);
  const Said verified = home.run({"cache", "verify"});
  EXPECT_EQ(verified.code, 0) << verified.out;

  const std::string file = (home.home() / "exported.json").string();
  ASSERT_EQ(home.run({"cache", "export", "--out", file}).code, 0);
  const auto place = (home.home() / "data/redtune/results-v1.db").string();
  const auto first_count = document.at("borders").at(0).at("first").get<std::int64_t>();
  for (const Words& words : {Words{"cache", "import", file}, Words{"cache", "merge", place}}) {
    const std::string other = (home.home() / (words[1] + ".db")).string();
    const Said taken = home.run(with(words, {"--cache", other, "--json"}));
    ASSERT_EQ(taken.code, 0) << taken.err;
    EXPECT_EQ(taken.document().at("taken_over").at(0).at("borders"), 1) << taken.out;
    const json there = home.run({"query", "--device", "hip:0", "--json", "--cache", other,
                                 "--count", std::to_string(first_count)})
                           .document();
    EXPECT_EQ(there.at("border").at("first"), first_count);
  }
}

TEST(BordersBetweenProblems, ThatWereBrokenOffAreMeasuredByTheNextRun) {
  const SimulatedHome home;
  for (const char* count : {"10000", "640000"}) {
    ASSERT_EQ(home.home().run(two_sizes({"--count", count}), home.environment(changing)).code, 0);
  }
  const auto missing = [&] {
    return home.home()
        .run(two_sizes({"--list"}), home.environment(changing))
        .document()
        .at("borders_to_measure");
  };
  EXPECT_EQ(missing(), 1) << "a run of one problem measures none";
  // A border takes hundreds of these samples: it is not found before it is broken off.
  Running running(home.home(), two_sizes(), home.environment(changing + ";real_time:50"));
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const Said broken = running.end_with(SIGTERM);
  EXPECT_EQ(broken.code, 130) << broken.err;
  expect_no_processes(home);
  EXPECT_EQ(missing(), 1);
  const Said rest = home.home().run(two_sizes(), home.environment(changing));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(states_of(rest), (States{{"known", 2}}));
  expect_border_found(home, rest.document().at("borders").at(0));
  EXPECT_EQ(missing(), 0);
}

/// What won for whole tiles answers its count alone: between two counts another is tuned.
TEST(BordersBetweenProblems, HaveACountTunedBetweenThemWhereWholeTilesWon) {
  const SimulatedHome home;
  const Words words = sizes("32768,65536");
  const Said first = home.home().run(words, home.environment(whole_tiles));
  ASSERT_EQ(first.code, 0) << first.err;
  const json document = first.document();
  ASSERT_EQ(document.at("borders_measured"), 1) << document;
  const json& border = document.at("borders").at(0);
  const std::int64_t between = 46'081;
  EXPECT_EQ(border.at("tuned_between"), between) << border;
  EXPECT_EQ(border.at("first"), 65'536);
  EXPECT_TRUE(first.says("46081 tuned between them, answers up to 65535")) << first.err;
  const auto tiles_of = [&](std::int64_t count) {
    return asked(home, count).at("settings").at("exact_tiles");
  };
  EXPECT_EQ(tiles_of(65'536), "on");
  EXPECT_EQ(asked(home, 65'535).at("settings"), asked(home, between).at("settings"));
  EXPECT_EQ(tiles_of(between), "off");
  EXPECT_EQ(asked(home, between).at("match"), "exact");

  const json list =
      home.home().run(with(words, {"--list"}), home.environment(whole_tiles)).document();
  EXPECT_EQ(list.at("borders_to_measure"), 0);
  const Said again = home.home().run(words, home.environment(whole_tiles));
  EXPECT_EQ(again.document().at("borders_known"), 2) << "on both of its sides";
  EXPECT_EQ(again.document().at("borders"), json::array());
  EXPECT_EQ(home.run({"cache", "verify"}).code, 0);
}

TEST(BordersBetweenProblems, HaveTheCountBetweenThemTunedAnewOnce) {
  const SimulatedHome home;
  const Words words = sizes("32768,65536");
  const std::int64_t between = 46'081;
  ASSERT_EQ(home.home().run(words, home.environment(whole_tiles)).code, 0);
  const Said anew = home.home().run(with(words, {"--fresh"}), home.environment(whole_tiles));
  EXPECT_EQ(anew.document().at("borders").at(0).at("tuned_between"), between) << anew.out;
  EXPECT_EQ(anew.code, 0) << anew.err;
  const auto runs_between = [&] {
    const json runs = home.run({"log", "--json"}).document().at("runs");
    return std::ranges::count_if(
        runs, [&](const json& run) { return run.at("problem").at("count") == between; });
  };
  EXPECT_EQ(runs_between(), 2) << "once more";
  const Words asks = with(sizes("32768,46081,65536"), {"--fresh"});
  EXPECT_EQ(home.home().run(asks, home.environment(whole_tiles)).code, 0);
  EXPECT_EQ(runs_between(), 3) << "once, as it was asked for";
}

TEST(BordersBetweenProblems, AreNotMeasuredWhereTheCountBetweenHasTheWinnerOfTheLarger) {
  const SimulatedHome home;
  const Words words = sizes("32768,65536");
  const std::int64_t between = 46'081;
  ASSERT_EQ(home.home().run(words, home.environment(whole_tiles)).code, 0);
  const Said alike = home.home().run(with(words, {"--fresh"}),
                                     home.environment(std::string("fast:") + few_kernels));
  EXPECT_EQ(alike.code, 0) << alike.err;
  ASSERT_EQ(asked(home, between).at("settings"), asked(home, 65'536).at("settings"));
  EXPECT_EQ(alike.document().at("borders").at(0).at("tuned_between"), between) << alike.out;
  EXPECT_EQ(alike.document().at("borders").at(0).at("first"), 65'536) << "nothing to measure";
}

TEST(BordersBetweenProblems, HaveOneCountTunedBetweenThemHoweverFarApartTheyAre) {
  const SimulatedHome home;
  const Words words = sizes("16384,65536");
  const Said first = home.home().run(words, home.environment(whole_tiles));
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.document().at("borders").at(0).at("tuned_between"), 32'769) << first.out;
  const Said again = home.home().run(words, home.environment(whole_tiles));
  EXPECT_EQ(again.document().at("borders"), json::array());
  EXPECT_EQ(again.document().at("borders_known"), 2);
}

/// What a run that is broken off has seen of the count between is published; the next run goes on
/// with it, and predicts by it.
TEST(BordersBetweenProblems, FinishACountBetweenThatWasBrokenOff) {
  const SimulatedHome home;
  const Said smaller = home.home().run(sizes("30000,40000"), home.environment(whole_tiles));
  ASSERT_GT(smaller.document().at("predicted"), 0) << smaller.out;
  ASSERT_EQ(home.home().run(sizes("65536"), home.environment(whole_tiles)).code, 0);
  const Words words = sizes("40000,65536");
  const auto newest = [&] {
    const json run = home.run({"log", "--json"}).document().at("runs").at(0);
    EXPECT_EQ(run.at("problem").at("count"), 51'201) << run;
    return run.at("state").get<std::string>();
  };
  Running running(home.home(), words, home.environment(whole_tiles + ";real_time:5"));
  ASSERT_TRUE(await_trials(home.home(), 4, 4));
  const Said broken = running.end_with(SIGINT);
  EXPECT_EQ(broken.code, 130) << broken.err;
  expect_no_processes(home);
  EXPECT_EQ(newest(), "interrupted");
  EXPECT_EQ(asked(home, 51'201).at("match"), "exact") << "of what was tried";
  const Words list = with(words, {"--list"});
  EXPECT_EQ(
      home.home().run(list, home.environment(whole_tiles)).document().at("borders_to_measure"), 1);

  const Said rest = home.home().run(words, home.environment(whole_tiles));
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(rest.document().at("borders").at(0).at("tuned_between"), 51'201) << rest.out;
  EXPECT_GT(rest.document().at("predicted"), 0) << "something is new";
  EXPECT_EQ(newest(), "done");
  EXPECT_EQ(
      home.home().run(list, home.environment(whole_tiles)).document().at("borders_to_measure"), 0);
}

/// As they are where a run was broken off behind the count between, or one at a time was tuned.
TEST(BordersBetweenProblems, ArePredictedByWhereOnlyTheyWereMissing) {
  const SimulatedHome home;
  const auto tune = [&](const char* counts) {
    const Said said = home.home().run(sizes(counts), home.environment(whole_tiles));
    EXPECT_EQ(said.code, 0) << said.err;
    return said;
  };
  ASSERT_GT(tune("30000,40000").document().at("predicted"), 0);
  for (const char* count : {"65536", "51201"}) (void)tune(count);
  const Said rest = tune("40000,65536");
  EXPECT_EQ(states_of(rest), (States{{"known", 2}}));
  EXPECT_FALSE(rest.document().at("borders").empty()) << rest.out;
  for (const json& border : rest.document().at("borders")) {
    EXPECT_FALSE(border.contains("tuned_between")) << border;
  }
  EXPECT_GT(rest.document().at("predicted"), 0) << rest.out;
}

TEST(ProblemsThatAreNotTuned, ArePredictedFromThoseThatAre) {
  const SimulatedHome home;
  const auto ask = [&](const Words& words) {
    return home.run(with({"query", "--device", "hip:0", "--json"}, words));
  };
  const Words of_max{"--op", "max", "--count", "10000"};
  EXPECT_EQ(ask(of_max).document().at("match"), "default");
  const Said tuned = home.home().run(two_sizes(), home.environment(changing));
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_GT(tuned.document().at("predicted"), 0);

  const json found = ask(of_max).document();
  EXPECT_EQ(found.at("match"), "predicted");
  EXPECT_NE(found.at("explanation").get<std::string>().find("what a model expects from"),
            std::string::npos);
  EXPECT_FALSE(found.contains("time_us")) << "nobody has measured it";
  EXPECT_EQ(ask(with(of_max, {"--min-match", "near"})).code, 4);
  EXPECT_EQ(ask(with(of_max, {"--min-match", "predicted"})).code, 0);
  EXPECT_EQ(ask({"--count", "10000"}).document().at("match"), "exact");
  EXPECT_EQ(ask({"--count", "100"}).document().at("match"), "predicted");
  EXPECT_EQ(home.run({"cache", "list", "--json"}).document().at("results").size(), 2U);
  EXPECT_EQ(home.run({"cache", "verify"}).code, 0);

  const Said again = home.home().run(two_sizes(), home.environment(changing));
  EXPECT_EQ(again.document().at("predicted"), 0) << "nothing is new";
  const Said now = home.home().run(two_sizes({"--op", "max"}), home.environment(changing));
  EXPECT_EQ(ask(of_max).document().at("match"), now.code == 0 ? "exact" : "predicted");
}

}  // namespace
}  // namespace redtune::cli
