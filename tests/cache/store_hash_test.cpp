// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Rows that were changed behind the store's back are skipped and counted.
#include <gtest/gtest.h>

#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

/// A store with three trials and two best results, and its file.
class ChangedRows : public ::testing::Test {
 protected:
  void SetUp() override {
    Store store = Store::open(file_);
    run_ = store.begin(sample_start());
    for (int i = 0; i < 3; ++i) store.record(run_, sample_trial(i, 1 << i));
    store.publish(run_, sample_best(1));
    store.publish(run_, sample_best(2));
    store.finish(run_, RunState::interrupted);
  }
  void change(const char* sql) const {
    Database database(file_);
    database.execute("PRAGMA foreign_keys = OFF; DROP TRIGGER IF EXISTS best_is_not_updated");
    database.execute(sql);
  }

  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_ / "my.db";
  RunId run_{};
};

TEST_F(ChangedRows, OfTrialsAreSkippedWhateverWasChanged) {
  for (const char* column :
       {"sequence = 77", "phase = 'x'", "status = 'slow'", "low_us = 1", "median_us = 10.625",
        "high_us = 12", "samples = 31", "detail = 'x'", "compile_ms = 1", "wall_ms = 2",
        "attempts = 2", "worker = 1", "row_hash = x'00112233445566778899aabbccddeeff'",
        "config = (SELECT config FROM trial WHERE sequence = 0)", "config = 'nothing'"}) {
    change("DELETE FROM trial WHERE sequence > 1");
    {
      Store store = Store::open(file_);
      store.record(run_, sample_trial(2, 4));
    }
    change(fmt::format("UPDATE trial SET {} WHERE sequence = 2", column).c_str());
    const Store store = Store::open(file_);
    EXPECT_EQ(store.trials(run_), (std::vector{sample_trial(0, 1), sample_trial(1, 2)})) << column;
    ASSERT_EQ(store.warnings().size(), 1U) << column;
    EXPECT_EQ(store.warnings()[0], "1 damaged row of " + file_.string() + " was skipped");
  }
}

TEST_F(ChangedRows, AreCountedOnceHoweverOftenTheyAreRead) {
  change("UPDATE trial SET median_us = 10.625 WHERE sequence > 0");
  const Store store = Store::open(file_);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(store.trials(run_).size(), 1U);
  ASSERT_EQ(store.warnings().size(), 1U);
  EXPECT_EQ(store.warnings()[0], "2 damaged rows of " + file_.string() + " were skipped");
}

TEST_F(ChangedRows, OfAConfigTakeAlongWhatRefersToThem) {
  change("UPDATE config SET fields = replace(fields, '\"2\"', '\"3\"')");
  const Store store = Store::open(file_);
  EXPECT_EQ(store.trials(run_), (std::vector{sample_trial(0, 1), sample_trial(2, 4)}));
  EXPECT_EQ(store.best(question_of(sample_start()))->best, sample_best(1));
}

TEST_F(ChangedRows, OfBestResultsGiveWayToTheGenerationBefore) {
  for (const char* column :
       {"low_us = 1", "median_us = 10.625", "high_us = 12", "default_us = 13", "gain_low = 1",
        "gain_median = 1.21", "gain_high = 2", "gigabytes_per_second = 1", "reason = 'x'",
        "samples = 1", "batch_us = 1", "noise_floor = 1", "protocol = 1", "stream_us = 1",
        "measurement = '{}'", "config = (SELECT config FROM best WHERE generation = 1)",
        "config = 'nothing'", "run = 2", "run = 99"}) {
    const ScratchFolder other_folder;
    const auto copy = other_folder / "copy.db";
    std::filesystem::copy_file(file_, copy);
    RunStart other = sample_start();
    other.problem.count = 5;
    (void)Store::open(copy).begin(other);  // run 2
    Database database(copy);
    database.execute("PRAGMA foreign_keys = OFF; DROP TRIGGER best_is_not_updated");
    database.execute(fmt::format("UPDATE best SET {} WHERE generation = 2", column).c_str());
    const Store store = Store::open(copy);
    EXPECT_EQ(store.best(question_of(sample_start()))->best, sample_best(1)) << column;
    const Snapshot bests = store.bests();
    ASSERT_EQ(bests.entries.size(), 1U) << column;
    EXPECT_EQ(bests.entries[0].best, sample_best(1)) << column;
    EXPECT_EQ(bests.generation, 2) << "generations only grow";
    EXPECT_EQ(store.best(question_of(other)), std::nullopt) << column;
    EXPECT_EQ(store.warnings().size(), 1U) << column;
  }
}

TEST_F(ChangedRows, OfAQuestionAnswerNoOther) {
  change("UPDATE run SET family = 'reduce_rows'");
  const Store store = Store::open(file_);
  Question question = question_of(sample_start());
  question.family = "reduce_rows";
  EXPECT_EQ(store.best(question), std::nullopt);
  EXPECT_TRUE(store.bests().entries.empty());
  change("UPDATE run SET family = 'reduce'");
  change("UPDATE problem SET fields = replace(fields, '16777216', '16777217')");
  EXPECT_TRUE(Store::open(file_).bests().entries.empty());
}

TEST_F(ChangedRows, WithoutAHashAreBelievedForTheyAreOld) {
  change("UPDATE trial SET row_hash = NULL; UPDATE best SET row_hash = NULL");
  const Store store = Store::open(file_);
  EXPECT_EQ(store.trials(run_).size(), 3U);
  EXPECT_EQ(store.best(question_of(sample_start()))->best, sample_best(2));
  EXPECT_TRUE(store.warnings().empty());
}

}  // namespace
}  // namespace redtune::cache
