// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The whole way of a person: tune, ask, use, look back.
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

#include "cache/files/paths.hpp"
#include "cache/store/store.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

std::string file_of_floats(const Home& home, const std::vector<float>& values) {
  const auto file = home / "numbers.bin";
  cache::testing::write_text(
      file, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
  return file.string();
}

/// The toolchain is part of the question, so it must seem to be the same.
std::string compiler_that_only_tells_its_version(const Home& home) {
  const auto script = home / "c++.sh";
  const char* const compiler = std::getenv("REDTUNE_HOST_CXX");
  cache::testing::write_text(script, fmt::format("#!/bin/sh\ntest \"$1\" = --version && exec '{}' "
                                                 "--version\n",
                                                 compiler != nullptr ? compiler : "c++"));
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  return script.string();
}

TEST(RoundTrip, TunesOnceAndRemembers) {
  const Home home;
  const Said tuned = home.run(quick_tune({"--json"}));
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const json result = tuned.document();
  EXPECT_EQ(result.at("trials"), 6);

  const json answer =
      home.run({"query", "--device", "host", "--count", "1000", "--min-match", "exact", "--json"})
          .document();
  EXPECT_EQ(answer.at("match"), "exact");
  EXPECT_EQ(answer.at("settings"), result.at("winner"));
  EXPECT_EQ(answer.at("time_us"), result.at("time_us"));

  const Said again = home.run(quick_tune({"--json"}),
                              {"REDTUNE_HOST_CXX=" + compiler_that_only_tells_its_version(home)});
  ASSERT_EQ(again.code, 0) << "compiles again: " << again.err;
  EXPECT_EQ(again.document().at("known"), true);
  EXPECT_EQ(again.document().at("winner"), result.at("winner"));
  EXPECT_TRUE(home.run(quick_tune()).says("was tuned on"));
  EXPECT_EQ(home.logs().size(), 1u) << "a run was begun";
}

TEST(RoundTrip, TunesAnewWhatIsStoredAndCannotRun) {
  const Home home;
  ASSERT_EQ(home.run(quick_tune()).code, 0);
  {
    cache::Store store =
        cache::Store::open(home / ("data/redtune/" + std::string(cache::store_name)));
    const cache::RunStart start = store.runs().at(0).start;
    cache::Best best = store.best(cache::question_of(start)).value().best;
    best.settings = parse_settings("finish=slots slot_wait=pause");
    const cache::RunId run = store.begin(start);
    store.publish(run, best);
    store.finish(run, cache::RunState::done);
  }
  const Words query{"query", "--device", "host", "--count", "1000", "--json"};
  EXPECT_EQ(home.run(query).document().at("match"), "default");
  const Said anew = home.run(quick_tune({"--json"}));
  ASSERT_EQ(anew.code, 0) << anew.err;
  ASSERT_FALSE(anew.document().contains("known")) << anew.out;
  const json answer = home.run(query).document();
  EXPECT_EQ(answer.at("match"), "exact");
  EXPECT_EQ(answer.at("settings"), anew.document().at("winner"));
}

TEST(RoundTrip, KeepsALineForEveryTrialAndShowsThem) {
  const Home home;
  ASSERT_EQ(home.run(quick_tune()).code, 0);
  ASSERT_EQ(home.logs().size(), 1u);
  std::map<std::string, int> kinds;
  std::set<int> sequences;
  for (const json& line : lines_of(home.logs()[0])) {
    ASSERT_FALSE(line.is_discarded());
    ++kinds[line.at("kind")];
    if (line.at("kind") != "trial") continue;
    EXPECT_EQ(line.at("phase"), "search");
    sequences.insert(line.at("sequence").get<int>());
  }
  EXPECT_EQ(kinds, (std::map<std::string, int>{{"start", 1},
                                               {"calibration", 1},
                                               {"guides", 1},
                                               {"trial", 6},
                                               {"result", 1},
                                               {"worker", 2},
                                               {"time", 1}}));
  EXPECT_EQ(sequences, (std::set{0, 1, 2, 3, 4, 5}));

  const json runs = home.run({"log", "--json"}).document().at("runs");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].at("state"), "done");
  EXPECT_EQ(runs[0].at("trials"), 6);
  const std::string id = std::to_string(runs[0].at("run").get<int>());
  EXPECT_EQ(home.run({"log", id, "--json"}).document().at("all_trials").size(), 6u);
  const Said shown = home.run({"log", id});
  EXPECT_EQ(shown.code, 0);
  EXPECT_TRUE(shown.says("the fastest of 6 trials"));
  EXPECT_TRUE(home.run({"log"}).says("sum f32 1000 cold"));
}

TEST(RoundTrip, ComparesWithWhatTheDeviceCanRead) {
  const Home home;
  const Words size{"--device", "host", "--count", "2^20"};
  Words tune{"tune", "--budget", "3", "--json", "--force-noisy"};
  tune.insert(tune.end(), size.begin(), size.end());
  const Said tuned = home.run(tune);
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_EQ(tuned.document().at("peak").at("of"), "memory");
  int probes = 0;
  for (const json& line : lines_of(home.logs().at(0))) {
    if (line.at("kind") == "probe") ++probes;
  }
  EXPECT_EQ(probes, 1);
  EXPECT_TRUE(home.run({"log", "1"}).says("this device reads from memory"));
  EXPECT_EQ(home.run({"log", "1", "--json"}).document().at("peak"), tuned.document().at("peak"));

  Words reduce{"reduce"};
  reduce.insert(reduce.end(), size.begin(), size.end());
  EXPECT_TRUE(home.run(reduce).says("GB/s this device reads from "));
  EXPECT_FALSE(Home().run(reduce).says("this device reads")) << "of a device never tuned for";
}

TEST(RoundTrip, TunesAgainWhenAskedAfresh) {
  const Home home;
  const Words words = quick_tune({"--budget", "1"});
  ASSERT_EQ(home.run(words).code, 0);
  Words fresh = words;
  fresh.emplace_back("--fresh");
  ASSERT_EQ(home.run(fresh).code, 0);
  EXPECT_EQ(home.run({"log", "--json"}).document().at("runs").size(), 2u);
  EXPECT_EQ(home.logs().size(), 2u);
  for (const char* run : {"1", "2"}) {
    const Said log = home.run({"log", run});
    EXPECT_TRUE(log.says("x the default (")) << log.out;
    EXPECT_TRUE(home.run({"log", run, "--json"}).document().contains("winner")) << run;
  }
}

TEST(RoundTrip, CountsOneAsOne) {
  const Home home;
  const Said said = home.run(quick_tune({"--budget", "1"}));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("tried 1 of ")) << said.out;
  for (const char* wrong : {"1 trials", "1 finalists", "1 configs"}) {
    EXPECT_FALSE(said.says(std::string(" ") + wrong)) << wrong << said.err << said.out;
  }
  EXPECT_TRUE(home.run({"log", "1"}).says("the fastest of 1 trial ("));
}

TEST(RoundTrip, ShowsWhatIsNoNumberWithoutASign) {
  const Home home;
  constexpr float inf = std::numeric_limits<float>::infinity();
  const std::string file = file_of_floats(home, {inf, -inf, 1, 2});
  for (const char* op : {"sum", "mean", "max"}) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::string input = op == std::string("max") ? file_of_floats(home, {1, -nan}) : file;
    const Words words{"reduce", input, "--device", "host", "--op", op};
    const Said said = home.run(words);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(said.says(" f32 = nan\n")) << op << said.out;
    EXPECT_EQ(home.run(with(words, {"--json"})).document().at("value"), "nan") << op;
  }
}

TEST(RoundTrip, ReducesAFileOfNumbersToTheRightValue) {
  const Home home;
  const std::string file = file_of_floats(home, {1.5f, -2, 4, 0.25f, 100});
  const auto value = [&](const std::string& op, const std::string& type) {
    const Said said =
        home.run({"reduce", file, "--device", "host", "--op", op, "--type", type, "--json"});
    EXPECT_EQ(said.code, 0) << said.err;
    return said.document().at("value").get<std::string>();
  };
  EXPECT_EQ(value("sum", "f32"), "103.75");
  EXPECT_EQ(value("min", "f32"), "-2");
  EXPECT_EQ(value("max", "f32"), "100");
  EXPECT_EQ(value("min", "i32"), "-1073741824") << "-2.0f, read as an integer";
  EXPECT_TRUE(home.run({"reduce", file, "--device", "host"}).says("sum of 5 f32 = 103.75"));
}

TEST(RoundTrip, ReducesWhatComesThroughPipes) {
  const Home home;
  const std::string file = file_of_floats(home, std::vector<float>(600000, 0.5f));
  const Words words{"reduce", "-", "--device", "host"};
  const auto piped = [&](const std::string& script, const Words& more = {}) {
    return home.run_in_shell("cd '" + (home / "").string() + "'; " + script, with(words, more));
  };
  EXPECT_TRUE(piped("cat '" + file + "' | \"$@\"").says("sum of 600000 f32 = 300000"));
  EXPECT_TRUE(piped("\"$@\" < '" + file + "'").says("sum of 600000 f32 = 300000"));
  EXPECT_TRUE(piped("\"$@\" < /dev/null").says("sum of 0 f32 = 0"));
  const Said fifo = home.run_in_shell(
      "cd '" + (home / "").string() + "'; mkfifo pipe; cat '" + file + "' > pipe & \"$@\"",
      {"reduce", (home / "pipe").string(), "--device", "host"});
  EXPECT_TRUE(fifo.says("sum of 600000 f32 = 300000")) << fifo.err;
  const Said keyed = piped("head -c 12 '" + file + "' > keys.bin; head -c 12 /dev/zero | \"$@\"",
                           {"--keys", (home / "keys.bin").string()});
  EXPECT_TRUE(keyed.says("sum of 3 in 1 segments f32 by key = 1056964608: 0")) << keyed.out;
  const Said odd = piped("head -c 7 '" + file + "' | \"$@\"");
  EXPECT_EQ(odd.code, 2);
  EXPECT_TRUE(odd.says("standard input has 7 bytes, which is not a whole number of f32"))
      << odd.err;
  for (const Words& again : {Words{"--keys", "-"}, Words{"--keys", "/dev/stdin"}}) {
    const Said twice = piped("cat /dev/null | \"$@\"", again);
    EXPECT_EQ(twice.code, 2);
    EXPECT_TRUE(twice.says("can be read once; name files for the others")) << twice.err;
  }
  const std::string pipe = (home / "pipe").string();  // that nobody writes
  const Said both = home.run({"reduce", pipe, "--offsets", pipe, "--device", "host"});
  EXPECT_TRUE(both.says(pipe + " can be read once")) << both.err;
  const Said wrong = home.run({"reduce", pipe, "--keys", pipe, "--segments", "5"});
  EXPECT_TRUE(wrong.says("leave one of them out")) << "before a pipe is waited for: " << wrong.err;
}

TEST(RoundTrip, ReducesNothingToTheIdentity) {
  const Home home;
  const std::string file = file_of_floats(home, {});
  const std::vector<std::pair<std::string, std::string>> identities{
      {"sum", "0"}, {"min", "inf"}, {"max", "-inf"}};
  for (const auto& [op, identity] : identities) {
    const Said said = home.run({"reduce", file, "--device", "host", "--op", op, "--json"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(said.document().at("value"), identity);
  }
}

TEST(RoundTrip, AnswersWithTheDefaultWhereNothingIsTuned) {
  const Home home;
  const Words query{"query", "--device", "host", "--count", "1000"};
  EXPECT_TRUE(home.run(query).says("nothing tuned yet; run: redtune tune"));
  for (const char* match : {"exact", "drift", "sibling", "near"}) {
    Words demanding = query;
    demanding.insert(demanding.end(), {"--min-match", match});
    EXPECT_EQ(home.run(demanding).code, 4) << match;
  }
}

/// What answers are read from is another file.
TEST(RoundTrip, SaysWhatIsMissingBesideACopiedStoreAndHowToMakeIt) {
  const Home home;
  const Words query{"query", "--device", "host", "--count", "0", "--min-match", "exact"};
  ASSERT_EQ(
      home.run({"tune", "--device", "host", "--count", "0", "--budget", "2", "--force-noisy"}).code,
      0);
  ASSERT_EQ(home.run(query).code, 0);
  std::size_t removed = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home / "")) {
    if (entry.path().extension() == ".snap")
      removed += std::filesystem::remove(entry.path()) ? 1 : 0;
  }
  ASSERT_GE(removed, 1U);
  const Said said = home.run(query);
  EXPECT_EQ(said.code, 4);
  EXPECT_TRUE(said.says("if results are in it, write that: redtune cache gc;"))
      << said.out << said.err;
  EXPECT_EQ(home.run({"cache", "gc"}).code, 0);
  EXPECT_EQ(home.run(query).code, 0);
  const auto elsewhere = home / "elsewhere";  // somebody names the snapshot that is not there
  std::filesystem::create_directory(elsewhere);
  std::ofstream(elsewhere / cache::store_name) << "anything";
  Words named = query;
  named.insert(named.end(), {"--cache", (elsewhere / cache::snapshot_name).string()});
  EXPECT_TRUE(
      home.run(named).says("redtune cache gc --cache " + (elsewhere / cache::store_name).string()));
}

TEST(RoundTrip, TunesAnEmptyProblemToo) {
  const Home home;
  const Said said =
      home.run({"tune", "--device", "host", "--count", "0", "--budget", "2", "--force-noisy"});
  EXPECT_EQ(said.code, 0) << said.err;
}

TEST(RoundTrip, CompilesTheSpaceOfTheHostWithoutRunningIt) {
  const Home home;
  const auto folder = home / "binaries";
  const json document =
      home.run({"kernels", "compile", "--target", "host:native", "--count", "100", "--set",
                "block_size=4", "--set", "items_per_thread=4", "--set", "finish=single_block",
                "--set", "block_size=8", "--out", folder.string(), "--json"})
          .document();
  const json& configs = document.at("targets").at(0).at("configs");
  std::map<std::string, int> of_size;
  for (const json& config : configs) {
    ++of_size[config.at("settings").at("block_size")];
    EXPECT_EQ(config.at("settings").at("items_per_thread"), "4");
  }
  EXPECT_EQ(of_size.size(), 2u);
  EXPECT_GE(of_size["4"], 2);
  EXPECT_EQ(of_size["4"], of_size["8"]);
  EXPECT_FALSE(std::filesystem::is_empty(folder));
}

}  // namespace
}  // namespace redtune::cli
