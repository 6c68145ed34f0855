// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs that ended early: who may continue them, and what they left undone.
#include <algorithm>
#include <csignal>
#include <functional>
#include <gtest/gtest.h>

#include "cache/store/process_mark.hpp"
#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

const std::vector<Intent> two_intents{{sample_settings(128), IntentStage::compile},
                                      {sample_settings(256), IntentStage::launch}};

Question sample_question() {
  return question_of(sample_start());
}

/// The block sizes of the intents that are open, sorted.
std::vector<std::string> open_blocks(const Store& store) {
  std::vector<std::string> blocks;
  for (const OpenIntent& open : store.open_intents(sample_question())) {
    blocks.push_back(open.intent.settings.at(1).value);
  }
  std::ranges::sort(blocks);
  return blocks;
}

class Resumed : public ::testing::Test {
 protected:
  /// A run with trials 0, 1, 2 whose process was killed.
  void SetUp() override {
    const int ended = in_child([&] {
      Store store = Store::open(file_);
      const RunId run = store.begin(sample_start());
      for (int i = 0; i < 3; ++i) store.record(run, sample_trial(i, i));
      store.intend(run, two_intents);
      std::raise(SIGKILL);
      return 0;
    });
    ASSERT_EQ(ended, -SIGKILL);
  }

  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_ / "my.db";
};

TEST_F(Resumed, IsTheNewestRunOfTheSameSearchThatEndedEarly) {
  Store store = Store::open(file_);
  EXPECT_EQ(store.resumable(sample_start()), RunId{1});
  const RunId failed = store.begin(sample_start());
  EXPECT_EQ(store.resumable(sample_start()), RunId{1}) << "the newer one still runs";
  store.finish(failed, RunState::failed, "no device");
  EXPECT_EQ(store.resumable(sample_start()), failed);
  store.finish(failed, RunState::done);
  EXPECT_EQ(store.resumable(sample_start()), RunId{1});
}

TEST_F(Resumed, IsNoRunOfAnotherQuestionStrategyOrSeed) {
  Store store = Store::open(file_);
  for (const auto& change : std::vector<std::function<void(RunStart&)>>{
           [](RunStart& s) { s.strategy = "grid"; }, [](RunStart& s) { ++s.seed; },
           [](RunStart& s) { s.problem.count = 5; }, [](RunStart& s) { s.space_key = "new"; },
           [](RunStart& s) { s.device.toolchain.driver = "new"; },
           [](RunStart& s) { s.device.device_class.wave_size = 32; }}) {
    RunStart other = sample_start();
    change(other);
    EXPECT_EQ(store.resumable(other), std::nullopt);
    EXPECT_THROW((void)store.resume(RunId{1}, other), UsageError);
  }
  EXPECT_THROW((void)store.resume(RunId{99}, sample_start()), UsageError);
  EXPECT_EQ(store.resumable(sample_start()), RunId{1});
}

TEST_F(Resumed, GoesOnUnderANewProcessBudgetAndCommandLine) {
  Store store = Store::open(file_);
  store.finish(RunId{1}, RunState::interrupted, "was stopped");
  RunStart start = sample_start();
  start.budget = "10m";
  start.command_line = "redtune tune --budget 10m";
  start.device.address = "0000:04:00.0";
  ASSERT_TRUE(store.resume(RunId{1}, start));
  const auto run = store.run(RunId{1});
  EXPECT_EQ(run->state, RunState::running);
  EXPECT_EQ(run->note, "");
  EXPECT_EQ(run->finished_at, "");
  EXPECT_EQ(run->start.budget, "10m");
  EXPECT_EQ(run->start.command_line, start.command_line);
  EXPECT_EQ(run->start.device.address, start.device.address);
  EXPECT_EQ(run->resumed, 1);
  EXPECT_EQ(store.trials(RunId{1}).size(), 3U);
  store.record(RunId{1}, sample_trial(3, 3));
  EXPECT_EQ(store.trials(RunId{1}).size(), 4U);
  store.finish(RunId{1}, RunState::interrupted);
  ASSERT_TRUE(store.resume(RunId{1}, start));
  EXPECT_EQ(store.run(RunId{1})->resumed, 2);
}

TEST_F(Resumed, IsTakenByOneOfManyProcessesThatTry) {
  const auto ends = in_children(6, [&](int) {
    Store store = Store::open(file_);
    const bool mine = store.resume(RunId{1}, sample_start());
    usleep(500'000);  // a winner that ended at once could be followed
    return mine ? 1 : 0;
  });
  EXPECT_EQ(std::ranges::count(ends, 1), 1);
  EXPECT_EQ(std::ranges::count(ends, 0), 5);
}

TEST_F(Resumed, IsNotTakenTwiceByOneProcessNorWhenItIsDone) {
  Store store = Store::open(file_);
  EXPECT_TRUE(store.resume(RunId{1}, sample_start()));
  EXPECT_FALSE(store.resume(RunId{1}, sample_start()));
  EXPECT_EQ(store.resumable(sample_start()), std::nullopt);
  store.finish(RunId{1}, RunState::done);
  EXPECT_FALSE(store.resume(RunId{1}, sample_start()));
}

/// By whoever knows more than it did.
TEST_F(Resumed, IsTakenWhenItIsDoneWhereThatIsAskedFor) {
  Store store = Store::open(file_);
  EXPECT_FALSE(store.is_finished(RunId{1}, sample_start())) << "it ended early";
  ASSERT_TRUE(store.resume(RunId{1}, sample_start(), Ended::at_all));
  EXPECT_FALSE(store.resume(RunId{1}, sample_start(), Ended::at_all)) << "it runs";
  store.finish(RunId{1}, RunState::done);
  EXPECT_TRUE(store.is_finished(RunId{1}, sample_start()));
  EXPECT_FALSE(store.is_finished(RunId{99}, sample_start()));
  RunStart other = sample_start();
  ++other.seed;
  EXPECT_FALSE(store.is_finished(RunId{1}, other));
  EXPECT_THROW((void)store.resume(RunId{1}, other, Ended::at_all), UsageError);
  EXPECT_TRUE(store.resume(RunId{1}, sample_start(), Ended::at_all));
  EXPECT_EQ(store.trials(RunId{1}).size(), 3U);
}

TEST_F(Resumed, RefusesATrialThatItHasAlready) {
  Store store = Store::open(file_);
  ASSERT_TRUE(store.resume(RunId{1}, sample_start()));
  EXPECT_THROW(store.record(RunId{1}, sample_trial(2, 512)), UsageError);
  Trial confirmed = sample_trial(2);
  confirmed.phase = "confirm";
  EXPECT_NO_THROW(store.record(RunId{1}, confirmed)) << "only the search counts once";
  EXPECT_EQ(store.trials(RunId{1}).size(), 4U);
}

TEST_F(Resumed, LeavesWhatItWasAboutToDo) {
  Store store = Store::open(file_);
  const auto open = store.open_intents(sample_question());
  ASSERT_EQ(open.size(), 2U);
  for (const OpenIntent& one : open) {
    EXPECT_EQ(one.run, RunId{1});
    EXPECT_FALSE(one.machine_went_down);
    EXPECT_TRUE(std::ranges::count(two_intents, one.intent) == 1);
  }
  ASSERT_TRUE(store.resume(RunId{1}, sample_start()));
  EXPECT_EQ(open_blocks(store).size(), 2U) << "they are the dead process's, not the run's";
  Question other = sample_question();
  other.problem.count = 9;
  EXPECT_TRUE(store.open_intents(other).empty());
}

TEST_F(Resumed, TakesIntentsBackTrialByTrial) {
  Store store = Store::open(file_);
  ASSERT_TRUE(store.resume(RunId{1}, sample_start()));
  Trial crashed = sample_trial(3, 128);
  crashed.status = "crashed";
  crashed.time_us.reset();
  store.record(RunId{1}, crashed);
  EXPECT_EQ(open_blocks(store), std::vector<std::string>{"256"});
  store.finish(RunId{1}, RunState::interrupted);
  EXPECT_EQ(open_blocks(store), std::vector<std::string>{"256"}) << "nobody dealt with it yet";
}

TEST_F(Resumed, TellsAMachineThatWentDownFromAProcessThatDied) {
  Store store = Store::open(file_);
  Database(file_).execute("UPDATE intent SET boot = 'an earlier boot' WHERE stage = 'launch'");
  for (const OpenIntent& one : store.open_intents(sample_question())) {
    EXPECT_EQ(one.machine_went_down, one.intent.stage == IntentStage::launch);
  }
}

TEST(Intents, OfALivingProcessAreNotOpen) {
  Store store = Store::in_memory();
  const RunId run = store.begin(sample_start());
  store.intend(run, two_intents);
  store.intend(run, two_intents);  // a second time is one
  store.intend(run, {});
  EXPECT_TRUE(store.open_intents(sample_question()).empty());
}

TEST(Intents, OfARunThatSaidGoodbyeAreTakenBack) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  const int ended = in_child([&] {
    Store store = Store::open(file);
    const RunId run = store.begin(sample_start());
    store.intend(run, two_intents);
    store.finish(run, RunState::interrupted);
    return 0;
  });
  ASSERT_EQ(ended, 0);
  EXPECT_TRUE(Store::open(file).open_intents(sample_question()).empty());
}

TEST(Intents, AreTakenBackByTheTrialOfTheirConfigAlone) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  const std::vector<Intent> next{{sample_settings(512), IntentStage::launch}};
  const int ended = in_child([&] {
    Store store = Store::open(file);
    const RunId run = store.begin(sample_start());
    store.intend(run, two_intents);
    store.record(run, sample_trial(0, 256));
    store.intend(run, next);
    std::raise(SIGKILL);
    return 0;
  });
  ASSERT_EQ(ended, -SIGKILL);
  const Store store = Store::open(file);
  EXPECT_EQ(open_blocks(store), (std::vector<std::string>{"128", "512"}));
  EXPECT_EQ(store.trials(RunId{1}), std::vector{sample_trial(0, 256)});
}

TEST(Intents, OfARunThatDoesNotExistAreRefused) {
  Store store = Store::in_memory();
  EXPECT_THROW(store.intend(RunId{5}, two_intents), UsageError);
}

TEST(Intents, OfAnotherMachineAreJudgedByTheirAge) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  Store store = Store::open(file);
  store.intend(store.begin(sample_start()), two_intents);
  Database database(file);
  database.execute("UPDATE intent SET host = 'elsewhere', boot = 'another'");
  EXPECT_TRUE(open_blocks(store).empty());
  database.execute("UPDATE intent SET at = '2001-02-03T04:05:06.789Z'");
  const auto open = store.open_intents(sample_question());
  ASSERT_EQ(open.size(), 2U);
  EXPECT_FALSE(open[0].machine_went_down) << "nothing is known of that machine";
}

}  // namespace
}  // namespace redtune::cache
