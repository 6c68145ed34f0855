// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache gc: what can be made again goes, the oldest first, and results never.
#include <gtest/gtest.h>

#include "cache/files/files.hpp"
#include "cache/store/sqlite.hpp"
#include "tests/cli/made_store.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

class CacheGc : public ::testing::Test {
 protected:
  /// A file of some days ago.
  void put_old(const fs::path& file, int days) {
    fs::create_directories(file.parent_path());
    cache::testing::write_text(file, std::string(1 << 19, 'x'));
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
  }
  void put_bytes(const fs::path& file, std::size_t bytes, int days) {
    put_old(file, days);
    fs::resize_file(file, bytes);
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
  }
  [[nodiscard]] json gc(const Words& more) const {
    Words words{"cache", "gc", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return home_.run(words).document();
  }
  [[nodiscard]] Said verify() const { return home_.run({"cache", "verify"}); }

  StoreHome home_;
  fs::path binaries_ = home_ / "cache/redtune/co-v1/ab";
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

TEST_F(CacheGc, RemovesNoBinaryThatIsNewerThanOneThatStays) {
  const auto mib = std::size_t{1} << 20;
  put_bytes(binaries_ / "newest", mib / 2, 1);
  put_bytes(binaries_ / "large", mib, 2);
  put_bytes(binaries_ / "small", mib / 4, 3);  // would fit beside the newest
  put_bytes(binaries_ / "oldest", 1, 4);
  const json would = gc({"--binaries-mib", "1", "--dry-run"});
  EXPECT_EQ(would.at("binaries"), 3);
  EXPECT_EQ(would.at("binaries_bytes"), mib + mib / 4 + 1);
  EXPECT_EQ(gc({"--binaries-mib", "1"}).at("binaries"), 3);
  EXPECT_TRUE(fs::exists(binaries_ / "newest"));
  for (const char* name : {"large", "small", "oldest"}) {
    EXPECT_FALSE(fs::exists(binaries_ / name)) << name;
  }
}

TEST_F(CacheGc, KeepsWhatJustFits) {
  const auto mib = std::size_t{1} << 20;
  put_bytes(binaries_ / "1", mib, 1);
  put_bytes(binaries_ / "2", mib, 2);
  EXPECT_EQ(gc({"--binaries-mib", "2"}).at("binaries"), 0);
  EXPECT_EQ(gc({"--binaries-mib", "1"}).at("binaries"), 1);
  EXPECT_TRUE(fs::exists(binaries_ / "1"));
}

TEST_F(CacheGc, TakesNothingButBinariesHoweverLittleIsToStay) {
  put_old(binaries_ / "1", 1);
  put_old(home_ / "cache/redtune/of_somebody_else", 900);
  put_old(home_ / "state/redtune/run-20010203.jsonl", 900);
  put_old(home_.store_file().parent_path() / "notes", 900);
  EXPECT_EQ(gc({"--binaries-mib", "0", "--binaries-days", "0"}).at("binaries"), 1);
  EXPECT_FALSE(fs::exists(binaries_ / "1"));
  for (const fs::path& kept :
       {fs::path(home_ / "cache/redtune/of_somebody_else"),
        fs::path(home_ / "state/redtune/run-20010203.jsonl"), home_.store_file(),
        cache::snapshot_of(home_.store_file()), home_.store_file().parent_path() / "notes"}) {
    EXPECT_TRUE(fs::exists(kept)) << kept;
  }
  EXPECT_TRUE(verify().says("3 results, 3 runs, 6 trials; all is well")) << verify().out;
}

TEST_F(CacheGc, DoesNotFollowLinks) {
  put_old(home_ / "precious/file", 900);
  fs::create_directories(home_ / "cache/redtune/co-v1");
  fs::create_directory_symlink(home_ / "precious", home_ / "cache/redtune/co-v1/ab");
  EXPECT_EQ(gc({}).at("binaries"), 0);
  EXPECT_TRUE(fs::exists(home_ / "precious/file"));
}

TEST_F(CacheGc, ForgetsTrialsOnlyWhenAskedAndNeverResults) {
  cache::Database(home_.store_file())
      .execute("UPDATE run SET heartbeat_at = '2001-02-03T04:05:06.789Z' WHERE id < 3");
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
}  // namespace redtune::cli
