// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the session makes of the mishaps of its benches, with benches that do as they are told.
#include <functional>
#include <gtest/gtest.h>
#include <map>

#include "tuner/session/bench_evaluator.hpp"
#include "tuner/session/lost_workers.hpp"

namespace redtune::tuner {
namespace {

/// Gives every name expression a kernel.
class EasyCompiler final : public device::Compiler {
 public:
  [[nodiscard]] device::CompilerPlace place() const override {
    return device::CompilerPlace::own_process;
  }
  [[nodiscard]] std::string version() const override { return "easy"; }
  void check_arch(std::string_view) const override {}
  [[nodiscard]] int wave_size(std::string_view) const override { return 64; }
  [[nodiscard]] device::CompileResult compile(
      const device::CompileRequest& request) const override {
    device::CompiledProgram program;
    for (const std::string& name : request.name_expressions) program.kernels.push_back({name, {}});
    return program;
  }
};

/// What all benches of a test share: how many there were, and what goes wrong.
struct Script {
  using Rule = std::function<void(const Settings&, int bench)>;
  int benches = 0;
  std::size_t free_bytes = std::size_t{8} << 30;
  std::size_t lost_by_a_load = 0;
  Rule on_load = [](const auto&, int) {};
  Rule on_check = [](const auto&, int) {};  // may throw a BenchMishap, or a text: a wrong result
};

class ScriptedBench final : public Bench {
 public:
  explicit ScriptedBench(Script& script) : script_(script), number_(++script.benches) {}
  void load(CandidateId id, const Candidate& candidate) override {
    script_.on_load(candidate.settings, number_);
    settings_[id] = candidate.settings;
    lost_ += script_.lost_by_a_load;
  }
  void unload(CandidateId id) override { settings_.erase(id); }
  [[nodiscard]] std::string why_wrong(CandidateId id) override {
    try {
      script_.on_check(settings_.at(id), number_);
    } catch (const char* why) {
      return why;
    }
    return {};
  }
  [[nodiscard]] std::string why_wrong_when_timed(CandidateId) override { return {}; }
  [[nodiscard]] std::string why_wrong_when_challenged(CandidateId) override { return {}; }
  [[nodiscard]] Sample sample(const BatchOrder& order) override {
    const double us = 10 * static_cast<double>(order.executions);
    return {.batches = {{.time = {us, us + 1}}}, .executions = order.executions};
  }
  [[nodiscard]] device::BatchTime empty_batch() override { return {1, 2}; }
  [[nodiscard]] std::size_t free_memory() override { return script_.free_bytes - lost_; }

 private:
  Script& script_;
  int number_;
  std::size_t lost_ = 0;
  std::map<CandidateId, Settings> settings_;
};

class RememberingLedger final : public Ledger {
 public:
  void intend(std::span<const Settings> all, cache::IntentStage stage) override {
    for (const Settings& settings : all) intents.emplace_back(settings, stage);
  }
  void exclude(const Settings& settings, cache::ExclusionScope scope, const Outcome&) override {
    exclusions.emplace_back(settings, scope);
  }
  std::vector<std::pair<Settings, cache::IntentStage>> intents;
  std::vector<std::pair<Settings, cache::ExclusionScope>> exclusions;
};

class SessionFaults : public testing::Test {
 protected:
  [[nodiscard]] search::Point point(std::size_t i) const {
    const auto space = family_.space(problem_, limits_);
    const search::Point found = space[i];
    return found == default_ ? space[space.size() - 1] : found;
  }
  [[nodiscard]] Settings settings(std::size_t i) const { return family_.settings_at(point(i)); }
  /// The outcome of a point, after the default.
  Outcome outcome_of(std::size_t i) {
    const auto evaluations = evaluator_.evaluate(std::vector{default_, point(i)});
    EXPECT_EQ(evaluations.size(), 2U);
    return evaluations.back().outcome;
  }
  /// A mishap of one config, as often as given.
  [[nodiscard]] Script::Rule mishap_of(std::size_t i, Mishap mishap, int times) {
    return [bad = settings(i), mishap, left = times](const Settings& now, int) mutable {
      if (now == bad && left-- > 0) throw BenchMishap(mishap, "a mishap");
    };
  }

  const kernels::Family& family_ = kernels::find_family("reduce");
  Problem problem_ = make_problem(Op::sum, DType::f32, 1 << 20);
  Limits limits_{.compute_units = 100};
  search::Point default_ = family_.point_of(family_.default_settings(problem_, limits_));
  EasyCompiler compiler_;
  RememberingLedger ledger_;
  Script script_;
  BenchEvaluator evaluator_{
      {.family = &family_,
       .problem = problem_,
       .limits = limits_,
       .task = {.bytes = 4 << 20, .seed = 1},
       .ledger = &ledger_,
       .recovery = {Seconds(0.01), Seconds(0.01), Seconds(0.01)}},
      CompilePool({.compiler = &compiler_, .platform = "hip", .arch = "any", .text = "text"}, {},
                  1),
      [this] { return std::make_unique<ScriptedBench>(script_); }};
};

TEST_F(SessionFaults, WhatIsAboutToBeDoneIsWrittenDownBefore) {
  EXPECT_EQ(status_of(outcome_of(3)), "ok");
  using Stage = cache::IntentStage;
  const Settings standard = family_.settings_at(default_);
  const std::vector<std::pair<Settings, Stage>> expected{{standard, Stage::compile},
                                                         {settings(3), Stage::compile},
                                                         {standard, Stage::launch},
                                                         {settings(3), Stage::launch}};
  EXPECT_EQ(ledger_.intents, expected);
}

TEST_F(SessionFaults, ALaunchThatIsRefusedIsNotTriedAgainHere) {
  script_.on_check = mishap_of(3, Mishap::refused, 9);
  EXPECT_EQ(status_of(outcome_of(3)), "launch_failed");
  EXPECT_EQ(script_.benches, 1) << "the bench survives it";
  ASSERT_EQ(ledger_.exclusions.size(), 1U);
  EXPECT_EQ(ledger_.exclusions[0].second, cache::ExclusionScope::device);
}

TEST_F(SessionFaults, AConfigWithoutMemoryGetsAFreshBenchOnce) {
  script_.on_check = mishap_of(3, Mishap::out_of_memory, 1);
  EXPECT_EQ(status_of(outcome_of(3)), "ok");
  EXPECT_EQ(script_.benches, 2);
  script_.on_check = mishap_of(4, Mishap::out_of_memory, 2);
  EXPECT_EQ(status_of(outcome_of(4)), "launch_failed");
  ASSERT_EQ(ledger_.exclusions.size(), 1U);
  EXPECT_EQ(ledger_.exclusions[0].second, cache::ExclusionScope::problem);
}

TEST_F(SessionFaults, OneFaultOnAHealthyDeviceIsEnough) {
  for (const Mishap mishap : {Mishap::fault, Mishap::died}) {
    const std::size_t i = mishap == Mishap::fault ? 3 : 4;
    script_.on_check = mishap_of(i, mishap, 1);
    EXPECT_EQ(status_of(outcome_of(i)), "crashed");
  }
  EXPECT_EQ(ledger_.exclusions.size(), 2U);
}

TEST_F(SessionFaults, AHangIsNeverTriedAgain) {
  script_.on_check = mishap_of(3, Mishap::hung, 1);
  EXPECT_EQ(status_of(outcome_of(3)), "timed_out");
  EXPECT_EQ(ledger_.exclusions.size(), 1U);
}

TEST_F(SessionFaults, AFaultOnADeviceThatWasSickIsTriedAgain) {
  // After it the default is wrong once: it may have been the device.
  bool is_sick = false;
  script_.on_check = [&, left = 1](const Settings& now, int) mutable {
    if (now == settings(3) && left-- > 0) {
      is_sick = true;
      throw BenchMishap(Mishap::died, "a mishap");
    }
    if (std::exchange(is_sick, false)) throw "sick";
  };
  EXPECT_EQ(status_of(outcome_of(3)), "ok");
  EXPECT_TRUE(ledger_.exclusions.empty());
}

TEST_F(SessionFaults, ADeviceThatStaysSickEndsTheRun) {
  script_.on_check = [&, is_sick = false](const Settings& now, int) mutable {
    is_sick = is_sick || now == settings(3);
    if (now == settings(3)) throw BenchMishap(Mishap::died, "a mishap");
    if (is_sick) throw "sick";
  };
  EXPECT_THROW((void)outcome_of(3), DeviceUnhealthy);
}

TEST_F(SessionFaults, AWorkerThatCannotBeEndedEndsTheRun) {
  script_.on_check = mishap_of(3, Mishap::unreapable, 1);
  EXPECT_THROW((void)outcome_of(3), DeviceUnhealthy);
}

TEST_F(SessionFaults, AWrongResultIsAskedForAgainOnAFreshBench) {
  script_.on_check = [&](const Settings& now, int bench) {
    if (now == settings(3) && bench == 1) throw "wrong here";
  };
  EXPECT_EQ(status_of(outcome_of(3)), "flaky");
  script_.on_check = [&](const Settings& now, int) {
    if (now == settings(4)) throw "wrong everywhere";
  };
  EXPECT_EQ(status_of(outcome_of(4)), "wrong_result");
}

TEST_F(SessionFaults, AFaultThatWasThereBeforeIsThatOfTheOneBefore) {
  EXPECT_EQ(status_of(outcome_of(3)), "ok");
  script_.on_load = [&, left = 1](const Settings& now, int) mutable {
    if (now == settings(4) && left-- > 0) throw BenchMishap(Mishap::stale_fault, "already dead");
  };
  script_.on_check = mishap_of(3, Mishap::died, 1);
  EXPECT_EQ(status_of(evaluator_.evaluate(std::vector{point(4)})[0].outcome), "ok");
  const auto updates = evaluator_.updates();
  ASSERT_EQ(updates.size(), 1U);
  EXPECT_EQ(updates[0].point, point(3));
  EXPECT_EQ(status_of(updates[0].outcome), "crashed");
}

TEST_F(SessionFaults, AWorkerIsReplacedAfterTwoHundredTrials) {
  (void)evaluator_.evaluate(std::vector{default_});
  for (std::size_t i = 0; i < 205; ++i) (void)evaluator_.evaluate(std::vector{point(i)});
  EXPECT_EQ(script_.benches, 2);
}

TEST_F(SessionFaults, AWorkerIsReplacedWhenMemoryDoesNotComeBack) {
  script_.lost_by_a_load = std::size_t{100} << 20;
  (void)evaluator_.evaluate(std::vector{default_});
  for (std::size_t i = 0; i < 8; ++i) (void)evaluator_.evaluate(std::vector{point(i)});
  EXPECT_GE(script_.benches, 3);
}

Settings config(const std::string& finish, int block) {
  return {{"finish", finish}, {"block_size", std::to_string(block)}};
}

TEST(LostWorkers, FiveInARowEndTheRunWithWhatTheyHaveInCommon) {
  LostWorkers lost;
  for (int i = 0; i < 40; ++i) lost.survived(config("last_block", 64 + i));
  for (int i = 0; i < 4; ++i) lost.died(config("cluster", 64 + i));
  EXPECT_EQ(lost.in_common(), "finish=cluster");
  try {
    lost.died(config("cluster", 999));
    FAIL() << "goes on for ever";
  } catch (const DeviceUnhealthy& stop) {
    EXPECT_NE(std::string(stop.what()).find("in common: finish=cluster"), std::string::npos);
  }
}

TEST(LostWorkers, MoreThanATenthOfTwentyEndTheRun) {
  LostWorkers lost;
  for (int i = 0; i < 18; ++i) {
    lost.survived(config("last_block", i));
    if (i == 5 || i == 11) lost.died(config("second_pass", i));
  }
  EXPECT_EQ(lost.deaths(), 2U) << "two of twenty are a tenth and no more";
  EXPECT_THROW(lost.died(config("second_pass", 3)), DeviceUnhealthy);
}

TEST(LostWorkers, ASurvivorBetweenThemBreaksARow) {
  LostWorkers lost;
  for (int i = 0; i < 8; ++i) {
    lost.died(config("cluster", i));
    if (i < 1) lost.survived(config("last_block", i));
    if (i == 4) break;
  }
  EXPECT_EQ(lost.deaths(), 5U);
}

}  // namespace
}  // namespace redtune::tuner
