// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Several processes on one store, and processes that die in the middle.
#include <csignal>
#include <gtest/gtest.h>

#include "cache/store/process_mark.hpp"
#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

TEST(ManyProcesses, LoseNothingWhileWritingOneStoreAtOnce) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  constexpr int count = 100;
  // Both create the file, write trials and publish bests: nothing is prepared for them.
  const auto ends = in_children(2, [&](int process) {
    Store store = Store::open(file);
    RunStart start = sample_start();
    start.problem.count = process;
    const RunId run = store.begin(start);
    for (int i = 0; i < count; ++i) {
      store.record(run, sample_trial(i, process));
      if (i % 10 == 0) store.publish(run, sample_best(i));
    }
    store.finish(run, RunState::done);
    return store.warnings().empty() ? 0 : 1;
  });
  EXPECT_EQ(ends, (std::vector{0, 0}));
  const Store store = Store::open(file);
  const auto runs = store.runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].trial_count, count);
  EXPECT_EQ(runs[1].trial_count, count);
  EXPECT_EQ(store.bests().generation, 20);
  ASSERT_EQ(store.bests().entries.size(), 2U);
}

TEST(ManyProcesses, NeverReplaceANewerSnapshotByAnOlderOne) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  const auto ends = in_children(3, [&](int process) {
    RunStart start = sample_start();
    start.problem.count = process;
    Store store = Store::open(file);
    const RunId run = store.begin(start);
    for (int i = 0; i < 30; ++i) {
      store.publish(run, sample_best(i));
      const auto mine = store.best(question_of(start))->generation;
      const auto snapshot = load_snapshot(folder / "my.db.best-v1.snap");
      if (std::get<Snapshot>(snapshot).generation < mine) return 1;
    }
    return 0;
  });
  EXPECT_EQ(ends, std::vector<int>(3, 0));
}

TEST(ManyProcesses, SetADamagedStoreAsideOnce) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  for (int round = 1; round <= 8; ++round) {
    { (void)Store::open(file); }
    std::string content = read_text(file);
    write_text(file, content.replace(0, 100, 100, '\0'));
    const auto ends = in_children(4, [&](int) {
      (void)Store::open(file).begin(sample_start());
      return 0;
    });
    EXPECT_EQ(ends, std::vector<int>(4, 0));
    EXPECT_EQ(Store::open(file).runs().size(), static_cast<std::size_t>(4 * round))
        << "a run was set aside too";
    EXPECT_FALSE(exists(folder / fmt::format("my.db.corrupt-{}", round + 1)));
  }
}

TEST(Transaction, TakesTheWriteLockBeforeItReads) {
  const ScratchFolder folder;
  (void)Store::open(folder / "my.db");
  Database first(folder / "my.db");
  Database second(folder / "my.db");
  second.execute("PRAGMA busy_timeout = 0");
  const Transaction holder(first);
  EXPECT_THROW(const Transaction late(second), SqliteError);
}

TEST(Transaction, ThatWasNotCommittedIsUndone) {
  Database database = Database::in_memory();
  database.execute("CREATE TABLE t (x)");
  {
    const Transaction abandoned(database);
    database.execute("INSERT INTO t VALUES (1)");
  }
  EXPECT_EQ(database.integer("SELECT count(*) FROM t"), 0);
  EXPECT_NO_THROW(Transaction(database).commit());
}

TEST(KilledProcess, KeepsWhatItRecordedAndIsShownAsInterrupted) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  const int ended = in_child([&] {
    Store store = Store::open(file);
    const RunId run = store.begin(sample_start());
    for (int i = 0; i < 5; ++i) store.record(run, sample_trial(i, i));
    Database database(file);
    Transaction transaction(database);
    database.execute(
        "INSERT INTO trial (run, sequence, config, phase, status, samples, detail,"
        " compile_ms, wall_ms)"
        " SELECT run, 99, config, phase, 'slow', 1, '', 0, 0 FROM trial");
    std::raise(SIGKILL);
    return 0;
  });
  ASSERT_EQ(ended, -SIGKILL);
  Store store = Store::open(file);
  const auto runs = store.runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].state, RunState::interrupted);
  EXPECT_EQ(runs[0].trial_count, 5);
  EXPECT_EQ(store.trials(runs[0].id).size(), 5U);
  EXPECT_TRUE(store.warnings().empty());
}

TEST(KilledProcess, IsWrittenDownWhenTheNextRunBegins) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  (void)in_child([&] {
    (void)Store::open(file).begin(sample_start());
    return 0;
  });
  Store store = Store::open(file);
  const RunId mine = store.begin(sample_start());
  Database database(file);
  EXPECT_EQ(database.integer("SELECT count(*) FROM runs WHERE state = 'interrupted'"), 1);
  EXPECT_EQ(store.run(mine)->state, RunState::running);
}

TEST(KilledProcess, IsGoneEvenWhileItsParentHasNotNoticed) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  const pid_t child = fork();
  if (child == 0) {
    (void)Store::open(file).begin(sample_start());
    _exit(0);
  }
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);  // leaves it a zombie
  EXPECT_EQ(Store::open(file).runs().at(0).state, RunState::interrupted);
  waitpid(child, nullptr, 0);
}

TEST(KilledProcess, OfAnotherMachineIsJudgedByItsHeartbeat) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  Store store = Store::open(file);
  const RunId run = store.begin(sample_start());
  Database database(file);
  database.execute("UPDATE run SET host = 'elsewhere', pid = 1");
  EXPECT_EQ(store.run(run)->state, RunState::running);
  database.execute("UPDATE run SET heartbeat_at = '2001-02-03T04:05:06.789Z'");
  EXPECT_EQ(store.run(run)->state, RunState::interrupted);
}

TEST(ProcessMark, TellsTheLivingFromTheDead) {
  const ProcessMark mine = mark_of_this_process();
  EXPECT_EQ(liveness(mine), Liveness::alive);
  ProcessMark other = mine;
  other.start = "1";  // the number was given to another process
  EXPECT_EQ(liveness(other), Liveness::gone);
  other = mine;
  other.boot = "an earlier boot";
  EXPECT_EQ(liveness(other), Liveness::gone);
  other = mine;
  other.pid = 0x7ffffff0;
  EXPECT_EQ(liveness(other), Liveness::gone);
}

TEST(ProcessMark, DoesNotJudgeWhatItCannotSee) {
  const ProcessMark mine = mark_of_this_process();
  for (auto part : {&ProcessMark::host, &ProcessMark::pid_namespace}) {
    ProcessMark other = mine;
    other.*part = "elsewhere";
    EXPECT_EQ(liveness(other), Liveness::unknown);
  }
  ProcessMark other = mine;
  other.boot.clear();
  EXPECT_EQ(liveness(other), Liveness::unknown);
  other = mine;
  other.pid = -1;  // would ask about every process
  EXPECT_EQ(liveness(other), Liveness::unknown);
}

}  // namespace
}  // namespace redtune::cache
