// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a snapshot answers and its store does not know: it goes on answering.
#include <gtest/gtest.h>

#include "cache/files/paths.hpp"
#include "cache/lookup/lookup.hpp"
#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

RunStart start_of(std::int64_t count) {
  RunStart start = sample_start();
  start.problem.count = count;
  return start;
}

class CarryOver : public ::testing::Test {
 protected:
  void publish(std::int64_t count, int number = 0) const {
    Store store = Store::open(file_);
    store.publish(store.begin(start_of(count)), sample_best(number));
  }

  void forget_store() const {
    for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file_.string() + part);
  }

  [[nodiscard]] Match match(std::int64_t count) const {
    Query query{.family = sample_start().family,
                .space_key = sample_start().space_key,
                .problem = start_of(count).problem,
                .device = sample_start().device};
    return look_up(layers(file_), query).match;
  }

  [[nodiscard]] std::int64_t generation() const { return generation_in(snapshot_).value_or(-1); }

  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_ / "my.db";
  const std::filesystem::path snapshot_ = folder_ / "my.db.best-v1.snap";
};

TEST_F(CarryOver, KeepsTheAnswersOfAStoreThatIsGone) {
  for (int count = 100; count < 105; ++count) publish(count);
  forget_store();
  publish(1'000'000);
  for (int count = 100; count < 105; ++count) EXPECT_EQ(match(count), Match::exact) << count;
  EXPECT_EQ(match(1'000'000), Match::exact);
  const Store store = Store::open(file_);
  EXPECT_TRUE(store.warnings().empty());
  const auto history = store.history();
  ASSERT_EQ(history.size(), 6U);
  for (const PastResult& past : history) {
    const bool is_carried = past.stored.question.problem.count < 1000;
    EXPECT_EQ(past.origin, is_carried ? "snapshot " + snapshot_.string() : "");
    EXPECT_TRUE(past.answers);
  }
}

TEST_F(CarryOver, SaysOnceWhatItKept) {
  publish(100);
  forget_store();
  {
    const Store store = Store::open(file_);
    ASSERT_EQ(store.warnings().size(), 1U);
    EXPECT_EQ(store.warnings()[0], "1 result of " + snapshot_.string() +
                                       " was not in the store; kept there now, marked as imported");
  }
  EXPECT_TRUE(Store::open(file_).warnings().empty());
}

TEST_F(CarryOver, NeverGoesBackInItsNumbers) {
  for (int i = 0; i < 9; ++i) publish(100, i);
  EXPECT_EQ(generation(), 9);
  forget_store();
  publish(200);
  EXPECT_GT(generation(), 9);
  EXPECT_GT(Store::open(file_).best(question_of(start_of(100)))->generation, 9);
}

TEST_F(CarryOver, HoldsForASnapshotThatIsPutInPlaceWhileATunerRuns) {
  const ScratchFolder elsewhere;
  {
    Store other = Store::open(elsewhere / "my.db");
    other.publish(other.begin(start_of(100)), sample_best());
  }
  Store store = Store::open(file_);
  const RunId run = store.begin(start_of(200));
  std::filesystem::copy_file(elsewhere / "my.db.best-v1.snap", snapshot_);
  store.publish(run, sample_best());  // both snapshots have the number 1
  EXPECT_EQ(match(100), Match::exact);
  EXPECT_EQ(match(200), Match::exact);
}

TEST_F(CarryOver, DoesNotBringBackWhatWasRevoked) {
  publish(100);
  const std::string before = read_text(snapshot_);
  Store::open(file_).mark(1, Word::revoked, "wrong");
  write_text(snapshot_, before);  // as if the revoking process had died before its snapshot
  (void)Store::open(file_);
  EXPECT_NE(match(100), Match::exact);
}

TEST_F(CarryOver, LetsTheNewerResultOfAQuestionAnswer) {
  publish(100, 1);
  const std::string old_snapshot = read_text(snapshot_);
  forget_store();
  std::filesystem::remove(snapshot_);
  publish(100, 2);
  write_text(snapshot_, old_snapshot);
  publish(200);
  EXPECT_EQ(Store::open(file_).best(question_of(start_of(100)))->best.settings,
            sample_best(2).settings);
}

TEST_F(CarryOver, MendsAnAnswerWhoseRowWasDamaged) {
  publish(100);
  Database(file_).execute("UPDATE config SET fields = '{}'");
  ASSERT_FALSE(Store::open(file_).best(question_of(start_of(100))));
  publish(200);
  EXPECT_EQ(match(100), Match::exact);
}

TEST_F(CarryOver, ShowsWhatOnlyASnapshotKnowsAndWritesNothing) {
  publish(100);
  forget_store();
  const Store shown = Store::look_at(file_);
  EXPECT_EQ(shown.history().size(), 1U);
  ASSERT_EQ(shown.warnings().size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(CarryOver, OneStoreHasOneSnapshotByWhateverLink) {
  publish(100);
  std::filesystem::create_symlink(file_, folder_ / "link.db");
  {
    Store store = Store::open(folder_ / "link.db");
    store.publish(store.begin(start_of(200)), sample_best());
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "link.db.best-v1.snap"));
  EXPECT_EQ(match(200), Match::exact);
  EXPECT_EQ(snapshot_of(folder_ / "link.db"), std::filesystem::canonical(snapshot_));
}

}  // namespace
}  // namespace redtune::cache
