// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results that are published: which are taken, which answers, and what applications see of them.
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

TEST(Store, RefusesBestResultsThatAreNoMeasurement) {
  Store store = Store::in_memory();
  const RunId run = store.begin(sample_start());
  Best best = sample_best();
  best.default_us = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(store.publish(run, best), UsageError);
  best = sample_best();
  best.time_us.low = 0;
  EXPECT_THROW(store.publish(run, best), UsageError);
  for (double Best::*number : {&Best::batch_us, &Best::noise_floor, &Best::stream_us}) {
    best = sample_best();
    best.*number = -1;
    EXPECT_THROW(store.publish(run, best), UsageError);
    best.*number = std::numeric_limits<double>::infinity();
    EXPECT_THROW(store.publish(run, best), UsageError);
  }
  best = sample_best();
  best.measurement = "{no JSON";
  EXPECT_THROW(store.publish(run, best), UsageError);
  EXPECT_TRUE(store.bests().entries.empty());
}

TEST(Store, NeverPublishesAContendedResult) {
  Store store = Store::in_memory();
  const RunId run = store.begin(sample_start());
  Best best = sample_best();
  best.contended = true;
  EXPECT_THROW(store.publish(run, best), UsageError);
  EXPECT_TRUE(store.bests().entries.empty());
}

TEST(Store, KeepsHowABestResultWasMeasured) {
  const ScratchFolder folder;
  Best best = sample_best();
  best.samples = 1200;
  best.batch_us = 512.5;
  best.noise_floor = 0.004;
  best.protocol = 3;
  best.stream_us = 9.75;
  best.measurement = R"({"ties":[0,4],"readings":{"before":1.5}})";
  {
    Store store = Store::open(folder / "my.db");
    store.publish(store.begin(sample_start()), best);
  }
  const Store store = Store::open(folder / "my.db");
  EXPECT_EQ(store.best(question_of(sample_start()))->best, best);
  best.measurement.clear();  // of no use to applications
  EXPECT_EQ(store.bests().entries.at(0).best, best);
  EXPECT_EQ(std::get<Snapshot>(load_snapshot(folder / "my.db.best-v1.snap")), store.bests());
}

TEST(Store, AnswersWithTheNewestGenerationOfExactlyThisQuestion) {
  Store store = Store::in_memory();
  const RunId run = store.begin(sample_start());
  store.publish(run, sample_best(256));
  store.publish(run, sample_best(512));
  RunStart other = sample_start();
  other.problem.count = 1000;
  store.publish(store.begin(other), sample_best(1024));
  const auto best = store.best(question_of(sample_start()));
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(best->best, sample_best(512));
  EXPECT_EQ(best->generation, 2);
  EXPECT_EQ(best->question, question_of(sample_start()));
  EXPECT_EQ(store.bests().entries.size(), 2U);
  EXPECT_EQ(store.bests().generation, 3);
  for (auto part : {&Question::family, &Question::space_key}) {
    Question question = question_of(sample_start());
    question.*part += "x";
    EXPECT_EQ(store.best(question), std::nullopt);
  }
}

/// Rows are read once, as long as nobody else writes.
TEST(Store, TellsOfWhatHasChangedSinceResultsWereRead) {
  const ScratchFolder folder;
  Store store = Store::open(folder / "my.db");
  const auto told = [&] {
    std::vector<Best> all;
    for (const StoredBest& entry : store.results().entries) all.push_back(entry.best);
    return all;
  };
  const RunId run = store.begin(sample_start());
  store.publish(run, sample_best(256));
  EXPECT_EQ(told(), std::vector{sample_best(256)});
  store.publish(run, sample_best(512));
  EXPECT_EQ(told(), std::vector{sample_best(512)});
  store.mark(2, Word::revoked, "too good");
  EXPECT_EQ(told(), std::vector{sample_best(256)});
  store.mark(2, Word::restored, "it was right");
  EXPECT_EQ(told(), std::vector{sample_best(512)});
  Store::open(folder / "my.db").publish(run, sample_best(1024));
  EXPECT_EQ(told(), std::vector{sample_best(1024)});
  Database other(folder / "my.db");
  other.execute("DROP TRIGGER best_is_not_updated");
  other.execute("UPDATE best SET default_us = 1 WHERE generation = 3");
  EXPECT_EQ(told(), std::vector{sample_best(512)}) << "damaged by somebody else";
}

TEST(Store, PublishesAndEndsARunOrNeither) {
  const ScratchFolder folder;
  const std::filesystem::path file = folder / "results-v1.db";
  Store store = Store::open(file);
  const RunId run = store.begin(sample_start());
  EXPECT_THROW(store.publish_and_finish(run, {}, RunState::done, "no measurement"), UsageError);
  EXPECT_EQ(store.run(run)->state, RunState::running);
  {
    // The end of the run cannot be written: nor is its result.
    Database database(file);
    database.execute(
        "CREATE TRIGGER no_end BEFORE UPDATE ON run BEGIN SELECT RAISE(ABORT, 'no'); END");
    EXPECT_ANY_THROW(store.publish_and_finish(run, sample_best(), RunState::done, "faster"));
    EXPECT_FALSE(store.best(question_of(sample_start())).has_value());
    database.execute("DROP TRIGGER no_end");
  }
  store.publish_and_finish(run, sample_best(), RunState::done, "faster");
  EXPECT_EQ(store.run(run)->state, RunState::done);
  EXPECT_EQ(store.run(run)->note, "faster");
  EXPECT_TRUE(store.best(question_of(sample_start())).has_value());
  EXPECT_EQ(std::get<Snapshot>(load_snapshot(snapshot_of(file))).entries.size(), 1U);
}

TEST(Store, PublishesTheSnapshotBesideIt) {
  const ScratchFolder folder;
  Store store = Store::open(folder / "my.db");
  const RunId run = store.begin(sample_start());
  store.publish(run, sample_best(256));
  store.publish(run, sample_best(512));
  const auto snapshot = load_snapshot(folder / "my.db.best-v1.snap");
  EXPECT_EQ(std::get<Snapshot>(snapshot), store.bests());
  const auto layer = layers(folder / "my.db");
  const LookupResult answer = look_up(std::span<const Layer>(layer), sample_query());
  EXPECT_EQ(answer.match, Match::exact);
  EXPECT_EQ(answer.entry->best, sample_best(512));
}

TEST(Store, RenewsALostOrOldSnapshotWhenItIsOpened) {
  const ScratchFolder folder;
  {
    Store store = Store::open(folder / "my.db");
    store.publish(store.begin(sample_start()), sample_best());
  }
  const auto file = folder / "my.db.best-v1.snap";
  for (const std::string& left :
       {std::string(), std::string("\x89RTBEST\ncut"), to_bytes(Snapshot{})}) {
    write_text(file, left);
    const Store store = Store::open(folder / "my.db");
    EXPECT_EQ(std::get<Snapshot>(load_snapshot(file)), store.bests());
  }
}

TEST(Store, LeavesAFileThatIsNoSnapshotInItsPlace) {
  const ScratchFolder folder;
  const auto file = folder / "my.db.best-v1.snap";
  write_text(file, "notes");
  Store store = Store::open(folder / "my.db");
  store.publish(store.begin(sample_start()), sample_best());
  EXPECT_EQ(read_text(file), "notes");
  ASSERT_EQ(store.warnings().size(), 1U);
  EXPECT_NE(store.warnings()[0].find("is a text file, where the snapshot"), std::string::npos)
      << store.warnings()[0];
}

TEST(Store, WarnsButKeepsTheResultWhenTheSnapshotCannotBeWritten) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "my.db.best-v1.snap/inside");
  Store store = Store::open(folder / "my.db");
  store.publish(store.begin(sample_start()), sample_best());
  EXPECT_TRUE(store.best(question_of(sample_start())).has_value());
  ASSERT_EQ(store.warnings().size(), 1U);
  EXPECT_NE(store.warnings()[0].find("applications do not see it yet"), std::string::npos);
}

TEST(Store, NeverRewritesABestResult) {
  const ScratchFolder folder;
  Store store = Store::open(folder / "my.db");
  store.publish(store.begin(sample_start()), sample_best());
  Database database(folder / "my.db");
  EXPECT_THROW(database.execute("UPDATE best SET low_us = 1"), SqliteError);
  EXPECT_THROW(database.execute("DELETE FROM best"), SqliteError);
  EXPECT_THROW(database.execute("INSERT OR REPLACE INTO best SELECT generation, run, config, 1, 1,"
                                " 1, 1, 1, 1, 1, 1, 'forged', at FROM best"),
               SqliteError);
  EXPECT_EQ(store.best(question_of(sample_start()))->best, sample_best());
}

}  // namespace
}  // namespace redtune::cache
