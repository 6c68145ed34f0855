// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What goes into a store comes out again, and what must not go in is refused.
#include "cache/store/store.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <limits>
#include <sys/stat.h>
#include <thread>

#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777;
}

TEST(Store, CreatesItsFolderAndFileForTheOwnerOnly) {
  const ScratchFolder folder;
  const auto file = folder / "a/b/results-v1.db";
  Store store = Store::open(file);
  (void)store.begin(sample_start());
  EXPECT_EQ(mode_of(folder / "a"), 0700U);
  EXPECT_EQ(mode_of(folder / "a/b"), 0700U);
  EXPECT_EQ(mode_of(file), 0600U);
  EXPECT_TRUE(store.warnings().empty());
}

TEST(Store, IsOneFileWhenNobodyHasItOpen) {
  const ScratchFolder folder;
  (void)Store::open(folder / "my.db").begin(sample_start());
  (void)Store::open(folder / "my.db").begin(sample_start());
  const std::filesystem::directory_iterator files(folder / "");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Store, InMemoryTouchesNoFile) {
  Store store = Store::in_memory();
  const RunId run = store.begin(sample_start());
  store.record(run, sample_trial(1));
  store.publish(run, sample_best());
  EXPECT_EQ(store.file(), std::nullopt);
  EXPECT_EQ(store.trials(run).size(), 1U);
  EXPECT_TRUE(store.best(question_of(sample_start())).has_value());
  EXPECT_TRUE(store.warnings().empty());
}

TEST(Store, GivesBackARunAsItBegan) {
  Store store = Store::in_memory();
  const RunStart start = sample_start();
  const auto summary = store.run(store.begin(start));
  ASSERT_TRUE(summary.has_value());
  EXPECT_EQ(question_of(summary->start), question_of(start));
  EXPECT_EQ(summary->start.seed, start.seed);
  EXPECT_EQ(summary->start.budget, start.budget);
  EXPECT_EQ(summary->start.strategy, start.strategy);
  EXPECT_EQ(summary->start.command_line, start.command_line);
  EXPECT_EQ(summary->start.program_version, start.program_version);
  EXPECT_EQ(summary->start.device.name, start.device.name);
  EXPECT_EQ(summary->start.device.address, start.device.address);
  EXPECT_EQ(summary->state, RunState::running);
  EXPECT_EQ(summary->finished_at, "");
  EXPECT_EQ(summary->started_at.size(), std::string("2026-01-02T03:04:05.678Z").size());
}

TEST(Store, ListsRunsNewestFirstWithTheirEnds) {
  Store store = Store::in_memory();
  const RunId first = store.begin(sample_start());
  const RunId second = store.begin(sample_start());
  store.record(first, sample_trial(1));
  store.finish(first, RunState::done, "all well");
  store.finish(second, RunState::failed, "no device");
  const auto runs = store.runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].id, second);
  EXPECT_EQ(runs[0].state, RunState::failed);
  EXPECT_EQ(runs[1].state, RunState::done);
  EXPECT_EQ(runs[1].note, "all well");
  EXPECT_EQ(runs[1].trial_count, 1);
  EXPECT_NE(runs[1].finished_at, "");
  EXPECT_EQ(store.run(RunId{99}), std::nullopt);
}

TEST(Store, GivesBackTrialsAsTheyWere) {
  Store store = Store::in_memory();
  const RunId run = store.begin(sample_start());
  std::vector<Trial> trials{sample_trial(1), sample_trial(2, 512), sample_trial(3)};
  trials[1].status = "compile_failed";
  trials[1].time_us.reset();
  trials[1].detail = "error: expected ';'\nwith a second line and \xff no UTF-8";
  trials[1].attempts = 2;
  trials[1].worker = 7;
  trials[2].phase = "confirm";
  trials[2].compile_ms = -0.0;
  for (const Trial& trial : trials) store.record(run, trial);
  EXPECT_EQ(store.trials(run), trials);
}

TEST(Store, MovesTheHeartbeatWithEveryTrial) {
  Store store = Store::in_memory();
  const RunId run = store.begin(sample_start());
  const std::string before = store.run(run)->heartbeat_at;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  store.record(run, sample_trial(1));
  EXPECT_GT(store.run(run)->heartbeat_at, before);
}

TEST(Store, RefusesGoodTrialsWithoutGoodTimes) {
  Store store = Store::in_memory();
  const RunId run = store.begin(sample_start());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const std::optional<Interval>& time :
       {std::optional<Interval>{}, std::optional{Interval{0, 1, 2}},
        std::optional{Interval{-1, 1, 2}}, std::optional{Interval{2, 1, 3}},
        std::optional{Interval{1, 3, 2}}, std::optional{Interval{nan, 1, 2}},
        std::optional{Interval{1, nan, 2}}, std::optional{Interval{1, 2, infinity}}}) {
    Trial trial = sample_trial(1);
    trial.time_us = time;
    EXPECT_THROW(store.record(run, trial), UsageError);
  }
  EXPECT_TRUE(store.trials(run).empty());
  Trial equal = sample_trial(1);
  equal.time_us = Interval{1, 1, 1};
  EXPECT_NO_THROW(store.record(run, equal));
}

TEST(Store, RefusesRowsOfARunThatDoesNotExist) {
  Store store = Store::in_memory();
  EXPECT_THROW(store.record(RunId{5}, sample_trial(1)), UsageError);
  EXPECT_THROW(store.publish(RunId{5}, sample_best()), UsageError);
}

TEST(Store, TakesHostileNamesForNames) {
  Store store = Store::in_memory();
  RunStart start = sample_start();
  const std::string hostile = "x'); DROP TABLE run; --\"?1:name@%s{}";
  start.family = start.space_key = start.strategy = start.budget = start.command_line = hostile;
  start.device.device_class.isa = start.device.toolchain.driver = start.device.name = hostile;
  const RunId run = store.begin(start);
  Trial trial = sample_trial(1);
  trial.settings = {{hostile, hostile}, {"", ""}};
  trial.detail = hostile;
  store.record(run, trial);
  Best best = sample_best();
  best.settings = trial.settings;
  best.reason = hostile;
  store.publish(run, best);
  store.finish(run, RunState::done, hostile);
  EXPECT_EQ(store.trials(run), std::vector{trial});
  EXPECT_EQ(store.best(question_of(start))->best, best);
  EXPECT_EQ(store.run(run)->note, hostile);
  EXPECT_EQ(question_of(store.run(run)->start), question_of(start));
}

TEST(Peaks, AreThoseOfTheRunAndTheNewestOfTheDevice) {
  Store store = Store::in_memory();
  const RunId first = store.begin(sample_start());
  EXPECT_EQ(store.peaks(first), std::nullopt);
  EXPECT_EQ(store.newest_peaks(sample_device().device_class), std::nullopt);
  store.record(first, ReadPeaks{4000, 12000});
  const RunId second = store.begin(sample_start());
  store.record(second, ReadPeaks{3900.5, 0});
  RunStart other = sample_start();
  other.device.device_class.compute_units = 1;
  store.record(store.begin(other), ReadPeaks{1, 2});

  EXPECT_EQ(store.peaks(first), (ReadPeaks{4000, 12000}));
  EXPECT_EQ(store.newest_peaks(sample_device().device_class), (ReadPeaks{3900.5, 0}));
  EXPECT_EQ(store.newest_peaks(other.device.device_class), (ReadPeaks{1, 2}));
}

TEST(Peaks, ThatAreNoSpeedAreRefused) {
  Store store = Store::in_memory();
  const RunId run = store.begin(sample_start());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const ReadPeaks& peaks : {ReadPeaks{0, 1}, ReadPeaks{-1, 1}, ReadPeaks{1, -1},
                                 ReadPeaks{nan, 1}, ReadPeaks{inf, 1}, ReadPeaks{1, inf}}) {
    EXPECT_THROW(store.record(run, peaks), UsageError) << peaks.memory_gbps;
  }
  store.record(run, ReadPeaks{1, 1});
  EXPECT_THROW(store.record(run, ReadPeaks{2, 2}), UsageError) << "a second time";
}

TEST(RunTimes, AreOfRunsThatWentFromTheirBeginningToTheirEnd) {
  Store store = Store::in_memory();
  const auto begin = [&](const std::string& budget) {
    RunStart start = sample_start();
    start.budget = budget;
    return store.begin(start);
  };
  store.finish(begin("1"), RunState::interrupted);
  store.finish(begin("2"), RunState::failed);
  const RunId resumed = begin("3");
  store.finish(resumed, RunState::interrupted);
  ASSERT_TRUE(store.resume(resumed, sample_start()));
  store.finish(resumed, RunState::done);
  (void)begin("still running");
  EXPECT_TRUE(store.run_times(sample_device().device_class).empty());

  const RunId done = begin("4");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  store.finish(done, RunState::done);
  store.finish(begin("5"), RunState::done);
  const auto times = store.run_times(sample_device().device_class);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].budget, "5") << "newest first";
  EXPECT_EQ(times[1].budget, "4");
  EXPECT_EQ(times[1].problem, sample_problem());
  EXPECT_GE(times[1].seconds, 0.018) << "of a clock of milliseconds";
}

TEST(RunTimes, AreOfOneDeviceAndOfThisStore) {
  Store store = Store::in_memory();
  store.finish(store.begin(sample_start()), RunState::done);
  DeviceClass other = sample_device().device_class;
  other.compute_units += 1;
  EXPECT_TRUE(store.run_times(other).empty());

  Store third = Store::in_memory();
  (void)third.adopt(store.share(), "elsewhere.db");
  EXPECT_EQ(third.runs().size(), 1u);
  EXPECT_TRUE(third.run_times(sample_device().device_class).empty());
}

}  // namespace
}  // namespace redtune::cache
