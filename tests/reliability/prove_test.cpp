// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results that one machine sends and another proves: good ones answer there, and what is slower or
// wrong on its card does not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reliability/simulated_home.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {
namespace {

const std::string few = few_kernels;

/// A machine where the kernels that win cannot be had: its answers are others.
const std::string without_few = "compile_refuse:" + few;

/// What a machine that tuned has to send; device: its directives.
class Sender {
 public:
  explicit Sender(const std::string& device = "", const Words& more = {}) {
    const Said tuned = home_.tune(device, with(same_points, more));
    EXPECT_EQ(tuned.code, 0) << tuned.err;
    EXPECT_EQ(home_.run({"cache", "export", "--out", file()}).code, 0);
  }
  [[nodiscard]] std::string file() const { return (home_.home() / "sent.json").string(); }
  [[nodiscard]] json winner() const { return home_.winner(); }

 private:
  SimulatedHome home_;
};

/// The machine that tunes as one does that has no such kernels, and knows no others.
void tune_without_few(const SimulatedHome& home) {
  const Said tuned = home.tune(without_few, same_points);
  ASSERT_EQ(tuned.code, 0) << tuned.err;
}

Said import(const SimulatedHome& home, const Sender& sender, const std::string& device = "",
            const Words& more = {}) {
  return home.home().run(
      with({"cache", "import", sender.file(), "--prove", "--device", "hip:0"}, more),
      home.environment(device));
}

json proof_of(const Said& said) {
  EXPECT_EQ(said.code, 0) << said.err;
  return said.code == 0 ? said.document().at("proof") : json();
}

json results_of(const SimulatedHome& home) {
  return home.run({"cache", "list", "--all", "--json"}).document().at("results");
}

TEST(Prove, AGoodResultAnswers) {
  const Sender sender;
  const SimulatedHome home;
  const json proof = proof_of(import(home, sender, "", {"--json"}));
  EXPECT_EQ(proof.at("hold"), 1) << proof;
  EXPECT_EQ(proof.at("device"), "hip:0");
  EXPECT_EQ(home.winner(), sender.winner());
  EXPECT_GT(home.kept("opened"), 0) << "it was tried";
  const int opened = home.kept("opened");
  EXPECT_EQ(proof_of(import(home, sender, "", {"--json"})).at("hold"), 0) << "it is known";
  EXPECT_EQ(home.kept("opened"), opened);
}

TEST(Prove, ASiblingsLoserIsFoundAndTheOwnAnswerStays) {
  const SimulatedHome home;
  tune_without_few(home);
  const json own = home.winner();
  const Sender sender;  // its result is the newer one
  ASSERT_NE(own, sender.winner());
  const Said said = import(home, sender, "slow:" + few);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, testing::ContainsRegex("left out sum .*: [0-9.]+ % slower here than the"));
  EXPECT_TRUE(said.says("proved on hip:0: 0 hold; 1 slower here, revoked")) << said.out;
  EXPECT_EQ(warnings_in(said.err), 1U) << said.err;
  EXPECT_EQ(home.winner(), own);
  const int opened = home.kept("opened");
  const Said again = import(home, sender, "slow:" + few, {"--json"});
  EXPECT_EQ(again.document().at("taken_over").at(0).at("known"), 1) << "it does not come again";
  EXPECT_EQ(home.kept("opened"), opened);
  EXPECT_EQ(home.winner(), own);
  const json results = results_of(home);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_THAT(results[0].at("revoked").at("reason").get<std::string>(),
              testing::HasSubstr("% slower here"));
}

TEST(Prove, AWinnerOfACardWithoutTheBestKernelsIsNoneHere) {
  const SimulatedHome home;
  ASSERT_EQ(home.tune("", same_points).code, 0);
  const json own = home.winner();
  const Sender sender(without_few);
  const Said said = import(home, sender, "", {"--json"});
  EXPECT_EQ(proof_of(said).at("slower"), 1) << said.out;
  EXPECT_THAT(said.err,
              testing::ContainsRegex("[0-9.]+ % slower here than the answer of 20.*95 %"));
  EXPECT_EQ(home.winner(), own);
}

TEST(Prove, WhoIsSlowerThanTheDefaultIsLeftOut) {
  const Sender sender;
  const SimulatedHome home;
  const Said said = import(home, sender, "slow:" + few, {"--json"});
  EXPECT_EQ(proof_of(said).at("slower"), 1) << said.out;
  EXPECT_TRUE(said.says("slower here than the default")) << said.err;
  EXPECT_TRUE(home.winner().is_null());
}

TEST(Prove, TwoPercentAreNoLoss) {
  using tuner::is_behind;
  EXPECT_FALSE(is_behind({1.0, 1.019, 1.05}));
  EXPECT_FALSE(is_behind({0.99, 1.03, 1.08})) << "it may be none";
  EXPECT_TRUE(is_behind({1.001, 1.021, 1.04}));
  EXPECT_FALSE(is_behind({0.5, 0.6, 0.7}));
}

TEST(Prove, WhatIsWrongOrDoesNotRunHereIsLeftOut) {
  const Sender sender;
  for (const auto& [directive, why] :
       std::map<std::string, std::string>{{"wrong:", "wrong_result here"},
                                          {"compile_refuse:", "compile_failed here"},
                                          {"abort:", "crashed here"},
                                          {"refuse:", "launch_failed here"}}) {
    const SimulatedHome home;
    const Said said = import(home, sender, directive + few, {"--json"});
    EXPECT_EQ(proof_of(said).at("fail"), 1) << directive << said.err;
    EXPECT_TRUE(said.says(why)) << directive << said.err;
    EXPECT_TRUE(home.winner().is_null()) << directive;
    EXPECT_EQ(results_of(home).size(), 1U) << "known from now on";
    expect_no_processes(home);
  }
}

TEST(Prove, OtherDevicesResultsPassUntouched) {
  const Sender sender("other_model:0");
  const SimulatedHome home;
  const Said said = import(home, sender, "slow:" + few, {"--json"});
  const json proof = proof_of(said);
  EXPECT_EQ(proof.at("elsewhere"), 1) << proof;
  EXPECT_EQ(proof.at("slower"), 0);
  EXPECT_EQ(said.document().at("taken_over").at(0).at("results"), 1);
  EXPECT_EQ(home.kept("opened"), 0) << "nothing is asked of the device";
}

TEST(Prove, ADeviceThatOthersUseIsLeftToThem) {
  const Sender sender;
  const SimulatedHome home;
  const Said used = import(home, sender, "users:python");
  EXPECT_EQ(used.code, 75) << used.err;
  EXPECT_EQ(count_of(used.err, "\n"), 1U) << used.err;
  EXPECT_TRUE(used.says("4711 (python)")) << used.err;
  EXPECT_TRUE(results_of(home).empty()) << "nothing came";
  Running other(home.home(), SimulatedHome::words({"--budget", "unlimited"}),
                home.environment("real_time:0.2"));
  ASSERT_TRUE(await_trials(home.home(), 2));
  const Said leased = import(home, sender);
  EXPECT_EQ(leased.code, 75) << leased.err;
  EXPECT_EQ(count_of(leased.err, "\n"), 1U) << leased.err;
  (void)other.end_with(SIGKILL);
}

TEST(Prove, WhatWasProvedStaysWhenTheRestIsInterrupted) {
  const Sender sender("", {"--count", "5000,270000,300000", "--budget", "4", "--json"});
  const SimulatedHome home;
  Running running(home.home(), {"cache", "import", sender.file(), "--prove", "--device", "hip:0"},
                  home.environment("real_time:0.5"));
  const auto answering = [&] {
    const Said said = home.run({"cache", "list", "--json"});
    return said.code == 0 ? said.document().at("results").size() : 0;
  };
  for (int turn = 0; turn < 400 && answering() == 0; ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const Said said = running.end_with(SIGINT);
  EXPECT_EQ(said.code, 130) << said.err;
  EXPECT_EQ(count_of(said.err, "error: "), 1U) << said.err;
  const std::size_t stay = answering();
  EXPECT_GE(stay, 1U);
  EXPECT_LT(stay, 3U);
  expect_no_processes(home);
  const json proof = proof_of(import(home, sender, "", {"--json"}));
  EXPECT_EQ(proof.at("hold"), 3 - stay) << "the rest comes next time";
  EXPECT_EQ(answering(), 3U);
}

TEST(Prove, WhatIsThereAlreadyIsProvedLikewise) {
  const SimulatedHome home;
  tune_without_few(home);
  const json own = home.winner();
  const Sender sender;
  ASSERT_EQ(home.run({"cache", "import", sender.file()}).code, 0);
  ASSERT_EQ(home.winner(), sender.winner()) << "it was believed";
  const Words words{"cache", "prove", "--device", "hip:0", "--json"};
  EXPECT_EQ(proof_of(home.home().run(with(words, {"--op", "max"}), home.environment())).at("hold"),
            0);
  const json good = proof_of(home.home().run(words, home.environment()));
  EXPECT_EQ(good.at("hold"), 1) << good;
  const Said bad = home.home().run(words, home.environment("slow:" + few));
  EXPECT_EQ(proof_of(bad).at("slower"), 1) << bad.err;
  EXPECT_EQ(home.winner(), own);
}

TEST(Prove, OnTheHostAsWell) {
  const Home first;
  ASSERT_EQ(first.run(quick_tune()).code, 0);
  const std::string file = (first / "sent.json").string();
  ASSERT_EQ(first.run({"cache", "export", "--out", file}).code, 0);
  const Home second;
  const Said said = second.run({"cache", "import", file, "--prove", "--device", "host", "--json"});
  const json proof = proof_of(said);
  EXPECT_EQ(proof.at("hold").get<int>() + proof.at("slower").get<int>(), 1) << said.out;
  EXPECT_EQ(proof.at("elsewhere"), 0);
}

TEST(Prove, ADeviceIsNamedForAProofAlone) {
  const Sender sender;
  const SimulatedHome home;
  const Said said = home.run({"cache", "import", sender.file(), "--device", "hip:0"});
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("give --prove as well")) << said.err;
}

}  // namespace
}  // namespace redtune::cli
