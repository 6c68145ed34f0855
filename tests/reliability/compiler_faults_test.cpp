// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a run-time compiler can do to the process that calls it. The numbers are those of
// docs/explanation/reliability.md.
#include "tests/reliability/simulated_home.hpp"

namespace redtune::cli {
namespace {

TEST(Fault12, ACompilerThatDiesOfAConfigCostsThatConfigAndIsAskedOnceMore) {
  const json expected = winner_without_some_kernels();
  const SimulatedHome home;
  const Said said = home.tune(std::string("compile_abort:") + some_kernels, same_points);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_GT(home.count("crashed"), 0U);
  EXPECT_EQ(home.count("compile_failed"), 0U);
  EXPECT_EQ(home.winner(), expected);
}

TEST(Fault12, ACompilerThatDiesOnceCostsNothing) {
  const SimulatedHome undisturbed;
  EXPECT_EQ(undisturbed.tune("", same_points).code, 0);
  const SimulatedHome home;
  const Said said = home.tune(std::string("compile_abort_once:") + some_kernels, same_points);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(home.count("crashed"), 0U);
  EXPECT_EQ(home.winner(), undisturbed.winner());
}

TEST(Fault14, ACompilerThatEatsMemoryIsStoppedByItsLimit) {
  const json expected = winner_without_some_kernels();
  const SimulatedHome home;
  // A lower limit than redtune's own, so that this machine has no trouble.
  const Said said =
      home.home().run_in_shell("ulimit -d 600000; exec \"$@\"", SimulatedHome::words(same_points),
                               home.environment(std::string("compile_eat:") + some_kernels));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_GT(home.count("crashed") + home.count("compile_failed"), 0U);
  EXPECT_EQ(home.winner(), expected);
}

TEST(Fault15, ACompilerThatNeverStopsTalkingIsCutShortAndDoesNotBlock) {
  const SimulatedHome home;
  // One config: each costs 200 MB of talk, several times.
  const Said said = home.tune(std::string("compile_talk:") + few_kernels, same_points);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(home.count("compile_failed") + home.count("crashed"), 1U);
  for (const json& trial : home.trials()) {
    EXPECT_LE(trial.at("detail").get<std::string>().size(), 65U * 1024);
  }
}

TEST(Compiling, IsDoneOnceForAMachine) {
  const SimulatedHome home;
  EXPECT_EQ(home.tune("", same_points).code, 0);
  const int compiled = home.kept("compiled");
  EXPECT_GT(compiled, 0);
  const Said again = home.tune("", {"--strategy", "random", "--fresh"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(home.kept("compiled"), compiled) << "compiled again";
  const Said other = home.tune("compiler:2", {"--strategy", "random", "--fresh"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_GT(home.kept("compiled"), compiled) << "another compiler's binaries were used";
}

TEST(Supervisor, NeverLoadsWhatTouchesADevice) {
  const SimulatedHome home;
  Running running(home.home(), SimulatedHome::words({"--budget", "200"}),
                  home.environment("real_time:1"));
  ASSERT_TRUE(await_trials(home.home(), 2));
  std::set<std::string> processes;
  std::ifstream file(home.home() / "simulated" / "loaded_by");
  for (std::string line; std::getline(file, line);) processes.insert(line);
  EXPECT_GT(processes.size(), 1U) << "no worker has loaded it";
  EXPECT_FALSE(processes.contains(std::to_string(running.id())));
  (void)running.end_with(SIGKILL);
}

}  // namespace
}  // namespace redtune::cli
