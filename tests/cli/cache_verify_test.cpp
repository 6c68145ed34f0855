// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache verify and gc: what is wrong is named, and what can be made again goes.
#include <gtest/gtest.h>

#include "cache/files.hpp"
#include "cache/sqlite.hpp"
#include "tests/cli/made_store.hpp"

namespace redtune::tuner::cli {
namespace {

namespace fs = std::filesystem;

class CacheVerify : public ::testing::Test {
 protected:
  /// Changes the store behind redtune's back.
  void change(const char* sql) {
    cache::Database database(home_.store_file());
    database.execute(sql);
  }
  [[nodiscard]] Said verify() const { return home_.run({"cache", "verify"}); }

  StoreHome home_;
};

TEST_F(CacheVerify, FindsNothingWhereAllIsWell) {
  const Said said = verify();
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_TRUE(said.says("3 results, 3 runs, 6 trials; all is well"));
}

TEST_F(CacheVerify, FindsAChangedTrial) {
  change("UPDATE trial SET median_us = median_us + 0.001 WHERE id = 1");
  const Said said = verify();
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(said.says("1 damaged row")) << said.out;
}

TEST_F(CacheVerify, FindsASnapshotThatIsNotInStep) {
  change("INSERT INTO revocation (generation, what, reason) VALUES (3, 'revoked', '')");
  const Said said = verify();
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(said.says("not in step")) << said.out;
  EXPECT_EQ(home_.run({"cache", "gc"}).code, 0);
  EXPECT_EQ(verify().code, 0) << "the advice does not help";
}

TEST_F(CacheVerify, FindsAConfigThatCannotRun) {
  cache::Store store = cache::Store::open(home_.store_file());
  add_run(store, made_start(77), "2048");
  const Said said = verify();
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(said.says("result 4 cannot run")) << said.out;
  EXPECT_EQ(home_.run({"cache", "revoke", "4"}).code, 0);
  EXPECT_EQ(verify().code, 0) << "the advice does not help";
}

TEST_F(CacheVerify, FindsAFileThatOthersMayWrite) {
  fs::permissions(home_.store_file(), fs::perms::others_write, fs::perm_options::add);
  const Said said = verify();
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(said.says("chmod go-w")) << said.out;
}

TEST_F(CacheVerify, FindsARowThatIsMissing) {
  change("PRAGMA foreign_keys = OFF; DELETE FROM config");
  const Said said = verify();
  EXPECT_EQ(said.code, 74);
  EXPECT_TRUE(said.says("is not there")) << said.out;
}

TEST_F(CacheVerify, FindsDamageAndDoesNotTouchIt) {
  std::string bytes = cache::testing::read_text(home_.store_file());
  for (std::size_t i = 4096; i < bytes.size(); i += 100) bytes[i] = static_cast<char>(~bytes[i]);
  cache::testing::write_text(home_.store_file(), bytes);
  const Said said = verify();
  EXPECT_EQ(said.code, 74) << said.out << said.err;
  EXPECT_EQ(cache::testing::read_text(home_.store_file()), bytes);
}

class CacheGc : public CacheVerify {
 protected:
  /// A file of some days ago.
  void put_old(const fs::path& file, int days) {
    fs::create_directories(file.parent_path());
    cache::testing::write_text(file, std::string(1 << 19, 'x'));
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
  }
  [[nodiscard]] json gc(const Words& more) const {
    Words words{"cache", "gc", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return home_.run(words).document();
  }
};

TEST_F(CacheGc, RemovesOldBinariesAndTheOldestOfTooMany) {
  const fs::path folder = home_ / "cache/redtune/co-v1/ab";
  for (int days = 1; days <= 6; ++days) put_old(folder / std::to_string(days), days * 30);
  EXPECT_EQ(gc({"--dry-run"}).at("binaries"), 4);
  EXPECT_TRUE(fs::exists(folder / "6")) << "a dry run removes nothing";
  EXPECT_EQ(gc({}).at("binaries"), 4) << "older than 90 days";
  EXPECT_FALSE(fs::exists(folder / "6"));
  put_old(folder / "0", 0);
  EXPECT_EQ(gc({"--binaries-mib", "1"}).at("binaries"), 1);
  EXPECT_TRUE(fs::exists(folder / "0"));
  EXPECT_TRUE(fs::exists(folder / "1"));
  EXPECT_FALSE(fs::exists(folder / "2"));
}

TEST_F(CacheGc, DoesNotFollowLinks) {
  put_old(home_ / "precious/file", 900);
  fs::create_directories(home_ / "cache/redtune/co-v1");
  fs::create_directory_symlink(home_ / "precious", home_ / "cache/redtune/co-v1/ab");
  EXPECT_EQ(gc({}).at("binaries"), 0);
  EXPECT_TRUE(fs::exists(home_ / "precious/file"));
}

TEST_F(CacheGc, ForgetsTrialsOnlyWhenAskedAndNeverResults) {
  change("UPDATE run SET heartbeat_at = '2001-02-03T04:05:06.789Z' WHERE id < 3");
  EXPECT_EQ(gc({}).at("trials"), 0);
  EXPECT_EQ(gc({"--keep", "30", "--dry-run"}).at("trials"), 4);
  EXPECT_EQ(gc({"--keep", "30"}).at("trials"), 4);
  const cache::Store store = cache::Store::copy_of(home_.store_file());
  EXPECT_EQ(store.history().size(), 3U);
  EXPECT_EQ(store.trials(cache::RunId{1}).size(), 0U);
  EXPECT_EQ(store.trials(cache::RunId{3}).size(), 2U);
  EXPECT_EQ(verify().code, 0) << verify().out;
}

TEST_F(CacheGc, RemovesStoresPutAsideLongAgo) {
  const std::string store = home_.store_file().string();
  put_old(store + ".before-3001", 40);
  put_old(store + ".corrupt-1", 40);
  put_old(store + ".corrupt-2", 1);
  put_old(store + ".keep", 40);
  EXPECT_EQ(gc({"--keep", "30"}).at("stores"), 2);
  EXPECT_TRUE(fs::exists(store + ".corrupt-2"));
  EXPECT_TRUE(fs::exists(store + ".keep"));
  EXPECT_TRUE(fs::exists(store));
}

}  // namespace
}  // namespace redtune::tuner::cli
