// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache verify: what is wrong is named, with what to do about it.
#include <gtest/gtest.h>

#include "cache/files/files.hpp"
#include "cache/store/sqlite.hpp"
#include "tests/cli/made_store.hpp"

namespace redtune::cli {
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

}  // namespace
}  // namespace redtune::cli
