// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results that are taken back, and exclusions that are lifted.
#include <gtest/gtest.h>

#include "cache/files/paths.hpp"
#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

class RevokedResult : public ::testing::Test {
 protected:
  RevokedResult() : store_(Store::open(file_)) {
    const RunId run = store_.begin(sample_start());
    store_.publish(run, sample_best(128));
    store_.publish(run, sample_best(256));
  }
  /// The block size that is answered; 0: nothing is.
  [[nodiscard]] int answer() const {
    const auto best = store_.best(question_);
    return best ? std::stoi(best->best.settings[1].value) : 0;
  }
  /// Likewise for applications.
  [[nodiscard]] int snapshot_answer() const {
    const auto loaded = load_snapshot(snapshot_of(file_));
    const auto& entries = std::get<Snapshot>(loaded).entries;
    return entries.empty() ? 0 : std::stoi(entries.at(0).best.settings[1].value);
  }

  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_ / "results-v1.db";
  const Question question_ = question_of(sample_start());
  Store store_;
};

TEST_F(RevokedResult, GivesWayToTheOneBefore) {
  store_.mark(2, Word::revoked, "too good");
  EXPECT_EQ(answer(), 128);
  EXPECT_EQ(snapshot_answer(), 128);
  store_.mark(1, Word::revoked, "");
  EXPECT_EQ(answer(), 0);
  EXPECT_EQ(snapshot_answer(), 0);
}

TEST_F(RevokedResult, AnswersAgainWhenRestored) {
  store_.mark(2, Word::revoked, "too good");
  store_.mark(2, Word::restored, "it was right");
  EXPECT_EQ(answer(), 256);
  EXPECT_EQ(snapshot_answer(), 256);
}

TEST_F(RevokedResult, StaysInTheHistory) {
  store_.mark(2, Word::revoked, "too good");
  const auto history = store_.history();
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0].stored.generation, 2);
  EXPECT_EQ(history[0].revoked->reason, "too good");
  EXPECT_FALSE(history[0].answers);
  EXPECT_FALSE(history[1].revoked);
  EXPECT_TRUE(history[1].answers);
}

TEST_F(RevokedResult, GivesWayToANewOne) {
  store_.mark(2, Word::revoked, "");
  store_.publish(RunId{1}, sample_best(512));
  EXPECT_EQ(answer(), 512);
}

TEST_F(RevokedResult, IsNotRevokedTwiceNorRestoredUnrevoked) {
  EXPECT_THROW(store_.mark(3, Word::revoked, ""), UsageError);
  EXPECT_THROW(store_.mark(2, Word::restored, ""), UsageError);
  store_.mark(2, Word::revoked, "");
  EXPECT_THROW(store_.mark(2, Word::revoked, ""), UsageError);
}

TEST_F(RevokedResult, ReachesApplicationsWhenItsProcessDiedBeforeTheSnapshot) {
  // As mark() does, without the snapshot.
  Database(file_).execute(
      "INSERT INTO revocation (generation, what, reason) VALUES (2, 'revoked', '')");
  EXPECT_EQ(snapshot_answer(), 256);
  (void)Store::open(file_);
  EXPECT_EQ(snapshot_answer(), 128);
}

TEST_F(RevokedResult, CannotBeRewrittenByHand) {
  store_.mark(2, Word::revoked, "");
  Database database(file_);
  EXPECT_THROW(database.execute("UPDATE revocation SET what = 'restored'"), IoError);
  EXPECT_THROW(database.execute("DELETE FROM revocation"), IoError);
}

TEST(LiftedExclusion, IsTriedAgain) {
  Store store = Store::in_memory();
  const Question question = question_of(sample_start());
  for (const auto scope :
       {ExclusionScope::toolchain, ExclusionScope::device, ExclusionScope::problem}) {
    store.exclude({question, sample_settings(), scope, "crashed", "because"});
  }
  const auto all = store.exclusions();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].device_class, std::nullopt);
  EXPECT_EQ(all[1].device_class, question.device_class);
  EXPECT_EQ(all[1].problem, std::nullopt);
  EXPECT_EQ(all[2].problem, question.problem);
  EXPECT_EQ(all[2].settings, sample_settings());
  store.lift_exclusion(all[1].id);
  EXPECT_EQ(store.exclusions(question).size(), 2U);
  EXPECT_THROW(store.lift_exclusion(all[1].id), UsageError);
}

TEST(ForgottenTrials, AreThoseOfOldRunsOnly) {
  Store store = Store::in_memory();
  const RunId run = store.begin(sample_start());
  store.record(run, sample_trial(0, 128));
  store.record(run, sample_trial(1, 256));
  store.publish(run, sample_best(256));
  const std::string late = "2999-01-01T00:00:00.000Z";
  EXPECT_EQ(store.trials_before(late), 0U) << "it runs";
  store.finish(run, RunState::done);
  EXPECT_EQ(store.trials_before("2001-01-01T00:00:00.000Z"), 0U);
  EXPECT_EQ(store.trials_before(late), 2U);
  store.forget_trials_before(late);
  EXPECT_EQ(store.trials(run).size(), 0U);
  EXPECT_EQ(store.best(question_of(sample_start()))->best, sample_best(256));
}

}  // namespace
}  // namespace redtune::cache
