// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Many problems in one run: each is tuned once, what goes wrong with one costs no other, and what
// was broken off is gone on with.
#include <chrono>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <thread>
#include <vector>

#include "tests/reliability/simulated_home.hpp"

namespace redtune::cli {
namespace {

const std::string counts = "1000,270000,300000";

Words many(const Words& more = {}) {
  return SimulatedHome::words(
      with(with({"--count", counts, "--budget", "8", "--json"}, same_points), more));
}

/// The winner of each count.
std::map<std::int64_t, json> winners_of(const Said& said) {
  std::map<std::int64_t, json> winners;
  const json document = said.document();
  for (const json& one : document.at("problems")) {
    winners[one.at("problem").at("count").get<std::int64_t>()] = one.at("winner");
  }
  return winners;
}

TEST(ManyProblems, AreTunedOnceAndKnownAfterwards) {
  const SimulatedHome home;
  const Said first = home.home().run(many(), home.environment());
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(states_of(first), (States{{"tuned", 3}}));
  // Simulated GPUs cannot be probed: that is so of all problems, and said once.
  EXPECT_EQ(count_of(first.err, "how fast this device can read is not known"), 1U) << first.err;
  EXPECT_EQ(count_of(first.err, "error: ") + warnings_in(first.err), 1U) << first.err;
  const json document = first.document();
  for (const json& one : document.at("problems")) {
    EXPECT_TRUE(one.at("stored")) << one;
    const std::string count = std::to_string(one.at("problem").at("count").get<std::int64_t>());
    const Said asked = home.run(
        {"query", "--device", "hip:0", "--count", count, "--min-match", "exact", "--json"});
    ASSERT_EQ(asked.code, 0) << asked.err;
    EXPECT_EQ(asked.document().at("settings"), one.at("winner"));
  }
  const Said again = home.home().run(many(), home.environment());
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(states_of(again), (States{{"known", 3}}));
  EXPECT_EQ(winners_of(again), winners_of(first));
  EXPECT_EQ(home.home().logs().size(), 3U) << "nothing was tuned again";
}

TEST(ManyProblems, ShareTheDevice) {
  const SimulatedHome home;
  const Words words = many({"--count", "1000,2000,3000"});
  ASSERT_EQ(home.home().run(words, home.environment()).code, 0);
  int opened = 0;
  for (const auto& log : home.home().logs()) {
    for (const json& line : lines_of(log)) {
      if (line.at("kind") != "worker") continue;
      opened += line.at("requests").value("/open/count"_json_pointer, 0);
    }
  }
  EXPECT_EQ(opened, 2) << "one is at a search, one at a final, and they change places";
}

/// Simulated GPUs add f32 only: the second fails, once its default was compiled.
TEST(ManyProblems, FindTheirFirstKernelsCompiled) {
  const SimulatedHome home;
  const Words words = many({"--type", "f32,f64", "--count", "1000", "--budget", "3"});
  const Said said = home.home().run(words, home.environment());
  EXPECT_EQ(states_of(said), (States{{"failed", 1}, {"tuned", 1}})) << said.err;
  std::vector<bool> was_compiled;  // when the default of a problem was tried
  for (const auto& log : home.home().logs()) {
    for (const json& line : lines_of(log)) {
      if (line.at("kind") != "trial" || line.at("sequence") != 0) continue;
      was_compiled.push_back(line.at("compile_ms") == 0);
    }
  }
  EXPECT_THAT(was_compiled, testing::ElementsAre(true, true));
}

/// The first is guided by nobody, the second by the first, the third by both.
TEST(ManyProblems, LearnOfTheOnesBeforeBeforeTheirSearchBegins) {
  const SimulatedHome home;
  const Words words = SimulatedHome::words({"--count", counts, "--budget", "16"});
  const Said said = home.home().run(words, home.environment());
  ASSERT_EQ(said.code, 0) << said.err;
  std::vector<std::pair<int, int>> guides;
  for (const auto& log : home.home().logs()) {
    for (const json& line : lines_of(log)) {
      if (line.at("kind") != "guides") continue;
      guides.emplace_back(line.at("sources"), line.at("learned_ahead"));
    }
  }
  using testing::Pair;
  EXPECT_THAT(guides, testing::ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, 2)));
}

TEST(ManyProblems, OneThatFailsCostsNoOther) {
  const SimulatedHome home;
  const Said said = home.home().run(many({"--count", "1000,2^45,20000"}), home.environment());
  EXPECT_EQ(said.code, 2) << said.err;
  EXPECT_EQ(states_of(said), (States{{"tuned", 2}, {"failed", 1}}));
  const json document = said.document();
  for (const json& one : document.at("problems")) {
    if (one.at("state") != "failed") continue;
    EXPECT_NE(one.at("why").get<std::string>().find("GiB"), std::string::npos) << one;
  }
  const Said shown =
      home.home().run(SimulatedHome::words({"--count", "1000,2^45,20000"}), home.environment());
  EXPECT_TRUE(shown.says("3 problems: 0 tuned, 2 known before, 1 failed, 0 not reached"))
      << shown.out;
}

TEST(ManyProblems, ARunThatIsInterruptedIsGoneOnWithToTheSameAnswers) {
  const SimulatedHome whole;
  const Said expected = whole.home().run(many(), whole.environment());
  ASSERT_EQ(expected.code, 0) << expected.err;

  const SimulatedHome home;
  Running running(home.home(), many(), home.environment("real_time:0.2"));
  ASSERT_TRUE(await_trials(home.home(), 3, 2)) << "of the second problem";
  const Said broken = running.end_with(SIGTERM);
  EXPECT_EQ(broken.code, 130) << broken.err;
  EXPECT_EQ(states_of(broken), (States{{"tuned", 1}, {"not_reached", 2}}));
  EXPECT_EQ(count_of(broken.err, "error: "), 1U) << broken.err;
  expect_no_processes(home);
  const Said rest = home.home().run(many(), home.environment());
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(states_of(rest), (States{{"known", 1}, {"tuned", 2}}));
  EXPECT_EQ(winners_of(rest), winners_of(expected));
}

TEST(ManyProblems, ThatAreKnownOrAskedAboutLeaveTheDeviceAlone) {
  const SimulatedHome home;
  const Said asked = home.home().run(many({"--list"}), home.environment());
  ASSERT_EQ(asked.code, 0) << asked.err;
  EXPECT_EQ(asked.document().at("to_tune"), 3);
  EXPECT_EQ(home.kept("opened"), 0);
  ASSERT_EQ(home.home().run(many(), home.environment()).code, 0);
  const int opened = home.kept("opened");
  EXPECT_GT(opened, 0);
  const Said again = home.home().run(many(), home.environment());
  EXPECT_EQ(states_of(again), (States{{"known", 3}})) << again.err;
  EXPECT_EQ(home.home()
                .run(SimulatedHome::words({"--count", "1000", "--budget", "8"}), home.environment())
                .code,
            0);
  EXPECT_EQ(home.kept("opened"), opened);
}

/// One error that says why the run ended, and that it can be gone on with.
void expect_ended_by(const Said& said, const std::string& why) {
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_EQ(count_of(said.err, "error: "), 1U) << said.err;
  const auto begin = said.err.find("error: ");
  const std::string line = said.err.substr(begin, said.err.find('\n', begin) - begin);
  EXPECT_NE(line.find(why), std::string::npos) << line;
  EXPECT_NE(line.find("the same command goes on from here"), std::string::npos) << line;
}

TEST(ManyProblems, ADeviceThatIsTunedOnByOthersIsLeftToThem) {
  const SimulatedHome home;
  const Words few = many({"--count", "270000"});
  const Said known = home.home().run(few, home.environment());
  ASSERT_EQ(known.code, 0) << known.err;
  Running other(home.home(), SimulatedHome::words({"--budget", "unlimited"}),
                home.environment("real_time:0.2"));
  ASSERT_TRUE(await_trials(home.home(), 2, 2));
  EXPECT_EQ(home.home().run(few, home.environment()).code, 0) << "what is known";
  EXPECT_EQ(home.home().run(many({"--list"}), home.environment()).code, 0);
  // The known one comes first: problems of a class begin with the memory-bound sizes.
  const Said said = home.home().run(many({"--count", "270000,1000"}), home.environment());
  EXPECT_EQ(states_of(said), (States{{"known", 1}, {"not_reached", 1}})) << said.out;
  expect_ended_by(said, "is being tuned by process " + std::to_string(other.id()));
  EXPECT_EQ(other.end_with(SIGTERM).code, 130);
  const Said rest = home.home().run(many({"--count", "270000,1000"}), home.environment());
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(states_of(rest), (States{{"known", 1}, {"tuned", 1}}));
}

TEST(ManyProblems, OthersWhoComeBetweenTwoEndTheRun) {
  const SimulatedHome home;
  const Said said = home.home().run(many(), home.environment("users_behind:python"));
  EXPECT_EQ(states_of(said), (States{{"tuned", 1}, {"not_reached", 2}})) << said.out;
  expect_ended_by(said, "other processes use Simulated GPU: 4714 (python)");
  const Said rest = home.home().run(many(), home.environment());
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(states_of(rest), (States{{"known", 1}, {"tuned", 2}}));
}

/// What the simulated GPU can do of its standard set: sums of f32 of whole arrays, and few enough
/// that it does not take minutes.
class StandardSet : public ::testing::Test {
 protected:
  void SetUp() override {
    const SimulatedHome asked;
    const Said said = asked.run({"tune", "--device", "hip:0", "--list", "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    const json document = said.document();
    std::ofstream file(folder_ / "w.toml");
    for (const json& one : document.at("problems")) {
      const json& problem = one.at("problem");
      if (problem.at("op") != "sum" || problem.at("in") != "f32") continue;
      if (problem.at("count") > 1 << 18) continue;
      if (problem.value("outer", 1) != 1 || problem.value("inner", 1) != 1) continue;
      file << "[[problem]]\nop = 'sum'\ntype = 'f32'\ncount = " << problem.at("count")
           << "\ncache_mode = " << problem.at("cache_mode") << '\n';
      ++problems_;
    }
    ASSERT_GE(problems_, 12U);
  }

  [[nodiscard]] Words words() const {
    return with({"tune", "--device", "hip:0", "--workload", (folder_ / "w.toml").string(),
                 "--budget", "3", "--jobs", "2", "--json"},
                same_points);
  }
  /// What is known at the end, by problem.
  [[nodiscard]] static std::map<std::string, json> answers_of(const Said& said) {
    std::map<std::string, json> answers;
    const json document = said.document();
    for (const json& one : document.at("problems")) {
      answers[one.at("problem").dump()] = one.value("winner", json());
    }
    return answers;
  }
  /// Signals a run when a third of the problems has begun.
  [[nodiscard]] Said end_at_a_third(const SimulatedHome& home, int signal) const {
    Running running(home.home(), words(), home.environment("real_time:0.05"));
    for (int turn = 0; turn < 12'000 && home.home().logs().size() <= problems_ / 3; ++turn) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return running.end_with(signal);
  }

  cache::testing::ScratchFolder folder_;
  std::size_t problems_ = 0;
};

TEST_F(StandardSet, ThatIsInterruptedOrKilledAtAThirdEndsAsIfItHadNeverBeen) {
  const SimulatedHome whole;
  const Said expected = whole.home().run(words(), whole.environment());
  ASSERT_EQ(expected.code, 0) << expected.err;
  ASSERT_EQ(states_of(expected), (States{{"tuned", problems_}}));
  for (const int signal : {SIGINT, SIGKILL}) {
    const SimulatedHome home;
    const Said broken = end_at_a_third(home, signal);
    EXPECT_EQ(broken.code, signal == SIGINT ? 130 : -SIGKILL) << broken.err;
    expect_no_processes(home);
    const Said rest = home.home().run(words(), home.environment());
    EXPECT_EQ(rest.code, 0) << rest.err;
    const States states = states_of(rest);
    EXPECT_GE(states.at("known"), problems_ / 3 - 1);
    EXPECT_EQ(states.at("known") + states.at("tuned"), problems_);
    EXPECT_EQ(answers_of(rest), answers_of(expected));
    const int opened = home.kept("opened");
    const Said again = home.home().run(words(), home.environment());
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(states_of(again), (States{{"known", problems_}}));
    EXPECT_EQ(answers_of(again), answers_of(expected));
    EXPECT_EQ(home.kept("opened"), opened);
  }
}

/// Runs where no file may grow beyond some bytes.
Said run_with_most_bytes(const SimulatedHome& home, int kibibytes) {
  // The shell counts blocks of 512 bytes.
  return home.home().run_in_shell(fmt::format("ulimit -f {}; exec \"$@\"", 2 * kibibytes), many(),
                                  home.environment());
}

TEST(ManyProblems, AStoreThatIsFullEndsTheRunAndKeepsWhatItHas) {
  bool was_full_between = false;
  for (int kibibytes = 128;; kibibytes += 256) {
    const SimulatedHome home;
    const Said said = run_with_most_bytes(home, kibibytes);
    if (said.code == 0) break;
    ASSERT_LT(kibibytes, 8192) << "no limit was enough";
    EXPECT_EQ(said.code, 74) << said.err;
    EXPECT_EQ(count_of(said.err, "error: "), 1U) << said.err;
    std::size_t stored = 0;
    const json document = said.document();
    for (const json& one : document.at("problems")) stored += one.value("stored", false) ? 1 : 0;
    was_full_between = was_full_between || (stored > 0 && states_of(said).contains("not_reached"));
    const Said rest = home.home().run(many(), home.environment());
    EXPECT_EQ(rest.code, 0) << rest.err;
    EXPECT_EQ(rest.document().at("known"), stored) << said.err << rest.err;
    EXPECT_EQ(rest.document().at("tuned"), 3 - stored);
  }
  EXPECT_TRUE(was_full_between);
}

TEST(ManyProblems, AStoreThatCannotBeWrittenIsToldFirstAndLast) {
  const SimulatedHome home;
  Words environment = home.environment();
  environment.insert(environment.end(), {"-uXDG_DATA_HOME", "HOME=/proc/self/fdinfo"});
  const Said said = home.home().run(many(), environment);
  EXPECT_EQ(said.code, 74) << said.err;
  EXPECT_EQ(states_of(said), (States{{"tuned", 3}}));
  EXPECT_EQ(count_of(said.err, "results will not be kept"), 1U) << said.err;
  EXPECT_EQ(count_of(said.err, "/proc/self/fdinfo"), 2U) << said.err;
  EXPECT_EQ(count_of(said.err, "error: "), 1U) << said.err;
}

TEST(ManyProblems, ADeviceThatDoesNotGoOnEndsTheRun) {
  const SimulatedHome home;
  const Words words = SimulatedHome::words({"--count", "10000,20000", "--budget", "100", "--json"});
  const Said said = home.home().run(
      words, home.environment("abort:last_wave<;abort:single_block;abort:second_pass"));
  EXPECT_EQ(said.code, 6) << said.err;
  EXPECT_EQ(states_of(said), (States{{"failed", 1}, {"not_reached", 1}}));
  EXPECT_TRUE(said.says("the device does not go on")) << said.err;
}

TEST(ManyProblems, AreNotRecordedTogether) {
  const SimulatedHome home;
  const Said said = home.home().run(many({"--record"}), home.environment());
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("--record is for one problem at a time")) << said.err;
}

}  // namespace
}  // namespace redtune::cli
