// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Stores of earlier minor versions: what they hold stays, what they lack is added.
#include <gtest/gtest.h>

#include "cache/keys/fields_text.hpp"
#include "cache/keys/key.hpp"
#include "cache/store/schema.hpp"
#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

void keep_old(Database& database, const std::string& table, const Key& key) {
  database.prepare(fmt::format("INSERT OR IGNORE INTO {} VALUES (?, ?)", table))
      .bind(key.hash, to_json_text(key.fields))
      .run();
}

void insert_old_trial(Database& database, int sequence, int block_size) {
  keep_old(database, "config", key_of(sample_settings(block_size)));
  database
      .prepare(
          "INSERT INTO trial (run, sequence, config, phase, status, low_us, median_us, high_us,"
          " samples, detail, compile_ms, wall_ms)"
          " VALUES (1, ?, ?, 'search', 'ok', 10.25, 10.5, 11.125, 30, '', 120.5, 12.25)")
      .bind(sequence, key_of(sample_settings(block_size)).hash)
      .run();
}

/// What redtune wrote with an earlier minor: a run that ended early, trials, a best result, and,
/// which nothing forbade, a trial twice.
void write_old_store(const std::filesystem::path& file, int minor) {
  write_text(file, "");
  Database database(file);
  database.execute(schema_sql);
  for (int step = 0; step < minor; ++step) {
    database.execute(minor_steps.at(static_cast<std::size_t>(step)));
  }
  database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                               application_id, schema_major + minor_factor * minor)
                       .c_str());
  const RunStart start = sample_start();
  keep_old(database, "space", {start.space_key, {{"family", start.family}}});
  keep_old(database, "problem", key_of(start.problem));
  keep_old(database, "device_class", key_of(start.device.device_class));
  keep_old(database, "toolchain", key_of(start.device.toolchain));
  database
      .prepare(
          "INSERT INTO run (family, space, problem, device_class, toolchain, device_name,"
          " device_address, strategy, seed, budget, program_version, command_line, state, host,"
          " boot, pid_namespace, pid, process_start) VALUES ('reduce', 'space-1', ?, ?, ?, 'GPU',"
          " '', 'random', ?, '200', '0.1', '', 'interrupted', 'host', 'boot', '', 1, '1')")
      .bind(key_of(start.problem).hash, key_of(start.device.device_class).hash,
            key_of(start.device.toolchain).hash, std::to_string(start.seed))
      .run();
  insert_old_trial(database, 0, 128);
  insert_old_trial(database, 1, 256);
  insert_old_trial(database, 1, 256);
  database
      .prepare(
          "INSERT INTO best (run, config, low_us, median_us, high_us, default_us, gain_low,"
          " gain_median, gain_high, gigabytes_per_second, reason)"
          " VALUES (1, ?, 10.25, 10.5, 11.125, 12.6, 1.125, 1.2, 1.23, 6391.3, 'winner')")
      .bind(key_of(sample_settings(256)).hash)
      .run();
}

class OldStore : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { write_old_store(file_, GetParam()); }

  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_ / "old.db";
};

TEST_P(OldStore, KeepsWhatItHolds) {
  const Store store = Store::open(file_);
  EXPECT_TRUE(store.warnings().empty());
  EXPECT_EQ(store.best(question_of(sample_start()))->best, sample_best());
  EXPECT_EQ(store.bests().entries.size(), 1U);
  EXPECT_EQ(store.trials(RunId{1}),
            (std::vector{sample_trial(0, 128), sample_trial(1, 256), sample_trial(1, 256)}));
  EXPECT_EQ(store.run(RunId{1})->resumed, 0);
  EXPECT_EQ(store.peaks(RunId{1}), std::nullopt);
}

TEST_P(OldStore, TakesWhatIsNew) {
  Store store = Store::open(file_);
  const RunStart start = sample_start();
  ASSERT_EQ(store.resumable(start), RunId{1});
  ASSERT_TRUE(store.resume(RunId{1}, start));
  store.record(RunId{1}, ReadPeaks{4000, 12000});
  const Intent intent{sample_settings(), IntentStage::launch};
  Trial trial = sample_trial(2, 512);
  trial.attempts = 3;
  store.record(RunId{1}, trial);
  store.intend(RunId{1}, {&intent, 1});
  EXPECT_THROW(store.record(RunId{1}, trial), UsageError);
  store.exclude({.question = question_of(start), .settings = sample_settings(), .status = "x"});
  Best best = sample_best(512);
  best.samples = 9;
  store.publish(RunId{1}, best);
  store.publish(
      question_of(start),
      {.above = 1 << 26, .first = 1 << 25, .still_below = 1 << 24, .first_above = 1 << 26});
  const StoredPrediction prediction{
      .question = question_of(start), .settings = sample_settings(), .trials = 3};
  store.publish({&prediction, 1});

  const Store again = Store::open(file_);
  EXPECT_EQ(again.trials(RunId{1}).back(), trial);
  EXPECT_EQ(again.best(question_of(start))->best, best);
  EXPECT_EQ(again.exclusions(question_of(start)).size(), 1U);
  EXPECT_EQ(again.borders().size(), 1U);
  EXPECT_EQ(again.predictions().size(), 1U);
  EXPECT_EQ(again.peaks(RunId{1}), (ReadPeaks{4000, 12000}));
}

TEST_P(OldStore, IsBroughtForwardOnceByManyAtOnce) {
  const auto ends = in_children(4, [&](int process) {
    Store store = Store::open(file_);
    RunStart start = sample_start();
    start.problem.count = process;
    store.record(store.begin(start), sample_trial(0));
    return store.warnings().empty() ? 0 : 1;
  });
  EXPECT_EQ(ends, std::vector<int>(4, 0));
  EXPECT_EQ(Database(file_).integer("PRAGMA user_version"), user_version);
  EXPECT_EQ(Store::open(file_).runs().size(), 5U);
}

TEST_P(OldStore, IsKeptAsItWasBeforeItIsBroughtForward) {
  (void)Store::open(file_);
  const auto backup = fmt::format("{}.before-{}", file_.string(), user_version);
  EXPECT_EQ(Database(backup).integer("PRAGMA user_version"),
            schema_major + minor_factor * GetParam());
  EXPECT_EQ(Database(backup).integer("SELECT count(*) FROM trial"), 3);
  EXPECT_EQ(std::filesystem::status(backup).permissions() & std::filesystem::perms::all,
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::remove(backup);
  (void)Store::open(file_);
  EXPECT_FALSE(std::filesystem::exists(backup)) << "there was nothing left to bring forward";
}

TEST_P(OldStore, IsReadWithoutBeingTouched) {
  const std::string before = read_text(file_);
  const Store copy = Store::copy_of(file_);
  EXPECT_EQ(copy.history().size(), 1U);
  EXPECT_EQ(copy.trials(RunId{1}).size(), 3U);
  EXPECT_EQ(read_text(file_), before);
}

TEST_P(OldStore, IsStillWrittenByTheProgramThatMadeIt) {
  (void)Store::open(file_);
  Database old(file_);
  insert_old_trial(old, 2, 64);
  const Store store = Store::open(file_);
  EXPECT_EQ(store.trials(RunId{1}).back(), sample_trial(2, 64));
  EXPECT_TRUE(store.warnings().empty());
}

INSTANTIATE_TEST_SUITE_P(Minor, OldStore, ::testing::Range(0, static_cast<int>(schema_minor)));

TEST(Migration, EndsWhereANewStoreBegins) {
  const ScratchFolder folder;
  write_old_store(folder / "old.db", 0);
  (void)Store::open(folder / "old.db");
  (void)Store::open(folder / "new.db");
  const auto tables = [&](const char* name) {
    Database database(folder / name);
    Statement row = database.prepare("SELECT sql FROM sqlite_schema ORDER BY name");
    std::string all;
    while (row.step()) all += row.text(0) + '\n';
    return all;
  };
  EXPECT_EQ(tables("old.db"), tables("new.db"));
}

}  // namespace
}  // namespace redtune::cache
