// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// An older generation of answers that answers again.
#include "cache/store/store.hpp"

#include <gtest/gtest.h>

#include "cache/files/paths.hpp"
#include "cache/lookup/lookup.hpp"
#include "cache/snapshot/format.hpp"
#include "cache/snapshot/generations.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

RunStart start_to_restore(std::int64_t count) {
  RunStart start = sample_start();
  start.problem.count = count;
  return start;
}

class Restore : public ::testing::Test {
 protected:
  void publish(std::int64_t count, int block_size) const {
    Store store = Store::open(file_);
    store.publish(store.begin(start_to_restore(count)), sample_best(block_size));
  }
  [[nodiscard]] Snapshot generation(std::int64_t number) const {
    return std::get<Snapshot>(load_snapshot(generation_file(snapshot_, number)));
  }
  /// What applications are answered.
  [[nodiscard]] Settings answer(std::int64_t count) const {
    const LookupResult found = look_up(layers(file_), {.family = sample_start().family,
                                                       .space_key = sample_start().space_key,
                                                       .problem = start_to_restore(count).problem,
                                                       .device = sample_start().device});
    return found.match == Match::exact ? found.entry->best.settings : Settings{};
  }

  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_ / "my.db";
  const std::filesystem::path snapshot_ = folder_ / "my.db.best-v1.snap";
};

TEST_F(Restore, AnswersAgainAndLeavesOtherQuestionsAlone) {
  publish(100, 64);
  publish(100, 128);
  publish(200, 256);
  Store store = Store::open(file_);
  const Snapshot first = generation(1);
  EXPECT_EQ(store.differing(first), 1U);
  EXPECT_EQ(store.differing(generation(3)), 0U);
  const Restored done = store.restore(first, "snapshot old.snap");
  EXPECT_EQ(done.restored, 1U);
  EXPECT_EQ(done.unchanged, 0U);
  EXPECT_EQ(store.differing(first), 0U);
  EXPECT_EQ(answer(100), sample_settings(64));
  EXPECT_EQ(answer(200), sample_settings(256));
  EXPECT_EQ(store.history().size(), 4U) << "nothing is taken back";
  for (const PastResult& past : store.history()) EXPECT_EQ(past.origin, "") << "all are own";
}

TEST_F(Restore, ASecondTimeChangesNothing) {
  publish(100, 64);
  publish(100, 128);
  Store store = Store::open(file_);
  EXPECT_EQ(store.restore(generation(1), "it").restored, 1U);
  const Restored again = store.restore(generation(1), "it");
  EXPECT_EQ(again.restored, 0U);
  EXPECT_EQ(again.unchanged, 1U);
  EXPECT_EQ(store.history().size(), 3U);
}

TEST_F(Restore, GoesBackAndForth) {
  publish(100, 64);
  const Snapshot first = generation(1);
  publish(100, 128);
  const Snapshot second = generation(2);
  Store store = Store::open(file_);
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(store.restore(first, "it").restored, 1U);
    EXPECT_EQ(answer(100), sample_settings(64));
    EXPECT_EQ(store.restore(second, "it").restored, 1U);
    EXPECT_EQ(answer(100), sample_settings(128));
  }
}

TEST_F(Restore, LeavesOutWhatWasRevokedSince) {
  publish(100, 64);
  publish(200, 64);
  const Snapshot before = generation(2);
  Store store = Store::open(file_);
  store.mark(1, Word::revoked, "wrong");
  publish(200, 128);
  const Restored done = store.restore(before, "it");
  EXPECT_EQ(done.revoked, std::vector<std::int64_t>{1});
  EXPECT_EQ(done.restored, 1U);
  EXPECT_EQ(answer(100), Settings{});
  EXPECT_EQ(answer(200), sample_settings(64));
}

TEST_F(Restore, TakesTheAnswersOfAnotherStore) {
  const Snapshot foreign{.generation = 9, .entries = {sample_entry(9)}};
  Store store = Store::open(file_);
  EXPECT_EQ(store.restore(foreign, "snapshot theirs.snap").restored, 1U);
  ASSERT_EQ(store.history().size(), 1U);
  EXPECT_EQ(store.history()[0].origin, "snapshot theirs.snap");
  EXPECT_EQ(answer(sample_problem().count), sample_settings());
}

TEST_F(Restore, WhatIsRestoredOutlivesTheStore) {
  publish(100, 64);
  publish(100, 128);
  (void)Store::open(file_).restore(generation(1), "it");
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file_.string() + part);
  publish(200, 64);
  EXPECT_EQ(answer(100), sample_settings(64));
}

TEST(Published, IsFalseWhileAForeignFileStandsInTheSnapshotsPlace) {
  const ScratchFolder folder;
  const auto snapshot = folder / "my.db.best-v1.snap";
  write_text(snapshot, "a letter\n");
  Store store = Store::open(folder / "my.db");
  store.publish(store.begin(sample_start()), sample_best());
  EXPECT_FALSE(store.is_published());
  EXPECT_EQ(read_text(snapshot), "a letter\n");
  std::filesystem::remove(snapshot);
  store.publish(store.begin(sample_start()), sample_best(64));
  EXPECT_TRUE(store.is_published());
}

TEST(Published, IsFalseWhereOnlyANewerRedtuneKnowsSomeAnswers) {
  const ScratchFolder folder;
  const auto snapshot = folder / "my.db.best-v1.snap";
  Snapshot newer{.generation = 9, .entries = {sample_entry(9)}};
  std::string bytes = to_bytes(newer);
  const auto at = bytes.find("sum");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, 3, "sun");
  format::seal(bytes);
  write_text(snapshot, bytes);
  ASSERT_EQ(std::get<Snapshot>(load_snapshot(snapshot)).skipped, 1U);
  Store store = Store::open(folder / "my.db");
  store.publish(store.begin(sample_start()), sample_best());
  EXPECT_FALSE(store.is_published());
  EXPECT_TRUE(read_text(snapshot) == bytes) << "the newer one still answers";
  EXPECT_NE(store.warnings().at(0).find("1 result that only a newer redtune knows"),
            std::string::npos)
      << store.warnings().at(0);
}

}  // namespace
}  // namespace redtune::cache
