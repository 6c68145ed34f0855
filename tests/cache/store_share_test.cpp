// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs and results on their way from store to store.
#include <gtest/gtest.h>

#include "cache/exchange/t4.hpp"
#include "cache/files/paths.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

const std::string early = "2026-01-01T00:00:00.000Z";
const std::string late = "2026-02-01T00:00:00.000Z";

SharedRun run_of(const std::string& at, int block_size, std::int64_t count = 1000) {
  SharedRun run{.start = sample_start(), .started_at = at, .finished_at = at, .note = "winner"};
  run.start.problem = sample_problem(count);
  run.trials = {{sample_trial(0, block_size), at}, {sample_trial(1, 64), at}};
  run.peaks = ReadPeaks{4000, 12000};
  run.results = {{at, sample_best(block_size)}};
  return run;
}

Adopted adopt(Store& store, const std::vector<SharedRun>& runs) {
  return store.adopt(runs, "a test");
}

std::string block_size_in(const Store& store, std::int64_t count = 1000) {
  Question question = question_of(sample_start());
  question.problem = sample_problem(count);
  const auto best = store.best(question);
  return best ? best->best.settings[1].value : "none";
}

TEST(SharedRuns, ArriveWhole) {
  Store store = Store::in_memory();
  EXPECT_EQ(adopt(store, {run_of(early, 128)}), (Adopted{.runs = 1, .trials = 2, .results = 1}));
  const RunSummary run = store.runs().at(0);
  EXPECT_EQ(run.origin, "a test");
  EXPECT_EQ(run.started_at, early);
  EXPECT_EQ(run.note, "winner");
  EXPECT_EQ(run.state, RunState::done);
  EXPECT_EQ(store.trials(run.id), (std::vector{sample_trial(0, 128), sample_trial(1, 64)}));
  EXPECT_EQ(store.peaks(run.id), (ReadPeaks{4000, 12000}));
  const PastResult result = store.history().at(0);
  EXPECT_EQ(result.origin, "a test");
  EXPECT_EQ(result.stored.at, early);
  EXPECT_EQ(result.stored.best, sample_best(128));
  EXPECT_TRUE(result.answers);
}

TEST(SharedRuns, ComeBackAsTheyWent) {
  Store first = Store::in_memory();
  adopt(first, {run_of(late, 128), run_of(early, 256, 5)});
  Store second = Store::in_memory();
  second.adopt(first.share(), "first");
  const auto runs = second.share();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].trials, run_of(late, 128).trials);
  EXPECT_EQ(runs[0].results, run_of(late, 128).results);
  EXPECT_EQ(runs[1].started_at, early);
}

TEST(SharedRuns, GoOneByOneToo) {
  Store store = Store::in_memory();
  adopt(store, {run_of(late, 128), run_of(early, 256, 5)});
  for (const RunSummary& run : store.runs()) {
    const auto alone = store.share(run.id);
    ASSERT_TRUE(alone);
    const auto all = store.share();
    const auto same = std::ranges::find(all, run.started_at, &SharedRun::started_at);
    ASSERT_NE(same, all.end());
    EXPECT_EQ(t4_text(*alone), t4_text(*same));
    EXPECT_EQ(alone->results, same->results);
    EXPECT_EQ(alone->trials.size(), 2U);
  }
  EXPECT_FALSE(store.share(RunId{99}));
}

TEST(SharedRuns, ChangeNothingTheSecondTime) {
  Store store = Store::in_memory();
  adopt(store, {run_of(early, 128)});
  EXPECT_EQ(adopt(store, {run_of(early, 128)}), (Adopted{.known = 1}));
  EXPECT_EQ(store.runs().size(), 1U);
  EXPECT_EQ(store.history().size(), 1U);
  EXPECT_EQ(store.adopt(store.share(), "itself"), (Adopted{.known = 1}));
}

TEST(SharedRuns, AnswerWhenTheyAreNewer) {
  for (const bool is_newer : {false, true}) {
    Store store = Store::in_memory();
    adopt(store, {run_of(is_newer ? early : late, 128)});
    const Adopted done = adopt(store, {run_of(is_newer ? late : early, 256)});
    EXPECT_EQ(done.results, is_newer ? 1U : 0U);
    EXPECT_EQ(done.older, is_newer ? 0U : 1U);
    EXPECT_EQ(block_size_in(store), is_newer ? "256" : "128");
  }
}

TEST(SharedRuns, MayArriveInAnyOrder) {
  for (const bool is_newer_first : {false, true}) {
    Store store = Store::in_memory();
    const std::vector runs{run_of(is_newer_first ? late : early, is_newer_first ? 256 : 128),
                           run_of(is_newer_first ? early : late, is_newer_first ? 128 : 256)};
    EXPECT_EQ(adopt(store, runs).results, 2U);
    EXPECT_EQ(block_size_in(store), "256");
  }
}

TEST(SharedRuns, DoNotBringBackWhatWasRevoked) {
  Store store = Store::in_memory();
  adopt(store, {run_of(early, 128)});
  store.mark(1, Word::revoked, "");
  EXPECT_EQ(adopt(store, {run_of(early, 128)}), (Adopted{.known = 1}));
  EXPECT_EQ(block_size_in(store), "none");
  EXPECT_TRUE(store.share().at(0).results.empty()) << "a revoked result travels";
}

TEST(SharedRuns, BringLaterWhatTheyLacked) {
  Store store = Store::in_memory();
  SharedRun run = run_of(early, 128);
  run.trials.pop_back();
  run.state = RunState::running;
  run.finished_at.clear();
  adopt(store, {run});
  EXPECT_EQ(store.runs()[0].state, RunState::interrupted) << "it does not run here";
  EXPECT_EQ(store.resumable(run.start), std::nullopt) << "nor is it continued here";
  EXPECT_EQ(adopt(store, {run_of(early, 128)}), (Adopted{.trials = 1, .known = 1}));
  EXPECT_EQ(store.runs()[0].state, RunState::done);
}

TEST(SharedRuns, AreNotSetBackByAnOlderExport) {
  Store store = Store::in_memory();
  SharedRun then = run_of(early, 128);
  then.state = RunState::interrupted;
  then.note = "stopped";
  SharedRun now = run_of(early, 128);
  now.finished_at = late;
  for (const SharedRun& run : {then, now, then}) adopt(store, {run});
  const RunSummary known = store.runs().at(0);
  EXPECT_EQ(known.state, RunState::done);
  EXPECT_EQ(known.note, "winner");
  EXPECT_EQ(known.finished_at, late);
  then.state = RunState::running;  // exported while it ran
  then.finished_at.clear();
  adopt(store, {then});
  EXPECT_EQ(store.runs().at(0).state, RunState::done);
}

TEST(SharedRuns, AddNothingToARunOfOnesOwn) {
  Store store = Store::in_memory();
  const RunId own = store.begin(sample_start());
  store.publish(own, sample_best(64));
  SharedRun claims = run_of(store.run(own)->started_at, 128, sample_start().problem.count);
  for (const char* at : {"2001-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"}) {
    claims.results.front().at = at;
    EXPECT_EQ(adopt(store, {claims}), (Adopted{.refused = 1})) << at;
    EXPECT_EQ(store.history().size(), 1U);
    EXPECT_EQ(block_size_in(store, sample_start().problem.count), "64");
  }
  EXPECT_TRUE(store.trials(own).empty());
  EXPECT_EQ(store.run(own)->state, RunState::running);
  EXPECT_EQ(store.adopt(store.share(), "itself"), (Adopted{.known = 1}));
}

TEST(SharedRuns, ArriveAllOrNotAtAll) {
  Store store = Store::in_memory();
  SharedRun bad = run_of(late, 128);
  bad.trials[1].trial.time_us = std::nullopt;  // "ok" without a time
  EXPECT_THROW(adopt(store, {run_of(early, 128), bad}), UsageError);
  EXPECT_TRUE(store.runs().empty());
  EXPECT_TRUE(store.history().empty());
}

TEST(SharedRuns, AreSeenByApplications) {
  const ScratchFolder folder;
  const auto file = folder / "results-v1.db";
  Store store = Store::open(file);
  adopt(store, {run_of(early, 128), run_of(late, 256, 5)});
  const auto loaded = load_snapshot(snapshot_of(file));
  EXPECT_EQ(std::get<Snapshot>(loaded).entries.size(), 2U);
}

TEST(SharedRuns, AreReadByEverybodyWhereTheirFolderIs) {
  using std::filesystem::perms;
  const auto all_read = perms::owner_all | perms::group_read | perms::group_exec |
                        perms::others_read | perms::others_exec;
  for (const auto& [folder_mode, expected] :
       {std::pair{all_read, true}, {perms::owner_all, false}, {perms::all, false}}) {
    const ScratchFolder folder;
    std::filesystem::permissions(folder / "", folder_mode);
    const auto file = folder / "results-v1.db";
    Store store = Store::open(file);
    adopt(store, {run_of(early, 128)});
    const auto modes = std::filesystem::status(snapshot_of(file)).permissions();
    EXPECT_EQ((modes & perms::others_read) != perms::none, expected);
    EXPECT_EQ(modes & (perms::others_write | perms::group_write), perms::none);
  }
}

TEST(SharedRuns, SurviveManyStoresMergingAtOnce) {
  const ScratchFolder folder(memory_folder());
  const auto file = folder / "results-v1.db";
  const auto ends = in_children(4, [&](int process) {
    Store store = Store::open(file);
    std::vector<SharedRun> runs;
    for (int i = 0; i < 10; ++i) runs.push_back(run_of(early, 128, i));  // the same for all
    for (int i = 0; i < 10; ++i) runs.push_back(run_of(late, 64, 100 + 10 * process + i));
    store.adopt(runs, "process");
    return 0;
  });
  EXPECT_EQ(ends, std::vector<int>(4, 0));
  const Store store = Store::open(file);
  EXPECT_EQ(store.history().size(), 50U);
  EXPECT_EQ(store.runs().size(), 50U);
}

}  // namespace
}  // namespace redtune::cache
