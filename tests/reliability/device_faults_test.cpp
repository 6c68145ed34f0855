// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a config can do to the device and to the process that owns it. The numbers are those of
// docs/explanation/reliability.md.
#include "tests/reliability/simulated_home.hpp"

namespace redtune::cli {
namespace {

struct Fault {
  const char* directive;
  const char* status;
};

/// A search in which a few configs do this: what they are recorded as, and that others win as if
/// they did not compile.
void expect_cost_of_themselves(const Fault& fault) {
  const SimulatedHome without;
  EXPECT_EQ(without.tune(std::string("compile_refuse:") + few_kernels, same_points).code, 0);
  const SimulatedHome home;
  const Said said = home.tune(fault.directive + std::string(few_kernels), same_points);
  EXPECT_EQ(said.code, 0) << fault.directive << said.err;
  EXPECT_EQ(home.count(fault.status), without.count("compile_failed")) << fault.directive;
  EXPECT_GT(home.count(fault.status), 0U) << fault.directive;
  EXPECT_EQ(home.winner(), without.winner()) << fault.directive;
}

TEST(Faults, AreThoseOfTheConfigThatWouldWin) {
  const SimulatedHome home;
  EXPECT_EQ(home.tune("", same_points).code, 0);
  EXPECT_TRUE(is_culprit(home.winner())) << home.winner();
}

TEST(Fault16, AConfigThatTakesTheProcessDownCostsItself) {
  expect_cost_of_themselves({"abort:", "crashed"});
}

TEST(Fault16, AConfigThatCrashedIsNotTriedAgain) {
  const SimulatedHome home;
  EXPECT_EQ(home.tune(std::string("abort:") + few_kernels, same_points).code, 0);
  const int opened = home.kept("opened");
  Words once_more = same_points;
  once_more.emplace_back("--fresh");
  const Said again = home.tune(std::string("abort:") + few_kernels, once_more);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(again.says("left out")) << again.err;
  // One worker for the search and one for the final: nobody died.
  EXPECT_EQ(home.kept("opened"), opened + 2);
}

TEST(Fault17, AFaultThatComesToLightLaterIsThatOfTheOneBefore) {
  for (const char* what : {"fault_later:", "fault_at_end:"}) {
    const SimulatedHome home;
    const Said said = home.tune(what + std::string(few_kernels), same_points);
    EXPECT_EQ(said.code, 0) << what << said.err;
    EXPECT_FALSE(is_culprit(home.winner())) << what << home.winner();
    EXPECT_GT(home.count("crashed"), 0U) << what;
    for (const json& trial : home.trials()) {
      if (trial.at("status") != "crashed") continue;
      EXPECT_TRUE(is_culprit(trial.at("settings"))) << what << "an innocent was blamed: " << trial;
    }
  }
}

TEST(Fault18, AKernelThatNeverEndsIsKilledAndTheRunGoesOn) {
  expect_cost_of_themselves({"hang:", "timed_out"});
}

/// It is waited for, most of a minute.
TEST(FullFault20, ADeviceThatDoesNotRecoverEndsTheRunWhichCanBeResumed) {
  const SimulatedHome home;
  const Said said = home.tune(std::string("sick_for:99;abort:") + few_kernels, same_points);
  EXPECT_EQ(said.code, 6) << said.err;
  EXPECT_EQ(count_of(said.err, "error: "), 1U) << said.err;
  const Said later = home.tune(std::string("compile_refuse:") + "nothing", same_points);
  EXPECT_EQ(later.code, 0) << later.err;
  EXPECT_TRUE(later.says("continuing run 1")) << later.err;
}

TEST(Fault20, ADeviceThatRecoversAfterAWhileIsGoneOnWith) {
  const SimulatedHome home;
  const Said said = home.tune(std::string("sick_for:2;abort:") + few_kernels, same_points);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_GT(home.count("crashed"), 0U);
}

TEST(Fault21, ConfigsThatDieOneAfterTheOtherEndTheRunWithWhatTheyHaveInCommon) {
  const SimulatedHome home;
  const Said said =
      home.tune("abort:last_wave<;abort:single_block;abort:second_pass", {"--budget", "100"});
  EXPECT_EQ(said.code, 6) << said.err;
  EXPECT_TRUE(said.says("in common")) << said.err;
  EXPECT_TRUE(home.winner().is_null());
}

TEST(Fault22, AConfigThatIsWrongNowAndThenCannotWin) {
  const SimulatedHome home;
  const Said said = home.tune(std::string("wrong_at_seventh:") + few_kernels, same_points);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_GT(home.count("flaky") + home.count("wrong_result"), 0U);
  EXPECT_FALSE(is_culprit(home.winner())) << home.winner();
}

TEST(Fault22, AConfigThatWasWrongOnceIsFlakyAndCannotWin) {
  const SimulatedHome home;
  const Said said = home.tune(std::string("wrong_once:") + few_kernels, same_points);
  EXPECT_EQ(said.code, 0) << said.err;
  ASSERT_EQ(home.count("flaky"), 1U);
  for (const json& trial : home.trials()) {
    if (trial.at("status") != "flaky") continue;
    EXPECT_NE(trial.at("settings"), home.winner());
  }
}

TEST(Fault23, AWriteBesideTheOutputIsAWrongResult) {
  expect_cost_of_themselves({"beside:", "wrong_result"});
}

TEST(Fault24, AConfigThatNeedsMoreMemoryThanThereIsIsLeftOutOfThisProblemAlone) {
  expect_cost_of_themselves({"oom:", "launch_failed"});
  const SimulatedHome home;
  EXPECT_EQ(home.tune(std::string("oom:") + few_kernels, same_points).code, 0);
  EXPECT_TRUE(home.tune("", {"--fresh"}).says("left out"));
  EXPECT_FALSE(home.tune("", {"--count", "20000"}).says("left out"));
}

TEST(Refused, ALaunchThatIsNotTakenCostsItsConfigAndNoWorker) {
  expect_cost_of_themselves({"refuse:", "launch_failed"});
}

TEST(Refused, AFaultOfTheDeviceCostsItsConfigAndOneWorker) {
  expect_cost_of_themselves({"fault:", "crashed"});
}

}  // namespace
}  // namespace redtune::cli
