// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where the files of a user lie, for every state of the environment.
#include "cache/files/paths.hpp"

#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace redtune::cache {
namespace {

/// An environment without any of the variables that matter; the old values come back at the end.
class Paths : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : names) {
      if (const char* value = std::getenv(name)) saved_[name] = value;
      unsetenv(name);
    }
  }
  void TearDown() override {
    for (const char* name : names) unsetenv(name);
    for (const auto& [name, value] : saved_) setenv(name.c_str(), value.c_str(), 1);
  }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }

 private:
  static constexpr std::array names{"HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
                                    "REDTUNE_CACHE"};
  std::map<std::string, std::string> saved_;
};

TEST_F(Paths, AreNowhereWithoutHomeAndXdgVariables) {
  EXPECT_EQ(results_folder(), std::nullopt);
  EXPECT_EQ(logs_folder(), std::nullopt);
  EXPECT_EQ(binaries_folder(), std::nullopt);
  EXPECT_EQ(store_path(), std::nullopt);
}

TEST_F(Paths, LieUnderHomeByDefault) {
  set("HOME", "/home/somebody");
  EXPECT_EQ(results_folder(), "/home/somebody/.local/share/redtune");
  EXPECT_EQ(logs_folder(), "/home/somebody/.local/state/redtune");
  EXPECT_EQ(binaries_folder(), "/home/somebody/.cache/redtune");
  EXPECT_EQ(store_path(), "/home/somebody/.local/share/redtune/results-v1.db");
}

TEST_F(Paths, FollowEachXdgVariableEvenWithoutHome) {
  set("XDG_DATA_HOME", "/data");
  set("XDG_STATE_HOME", "/state");
  set("XDG_CACHE_HOME", "/scratch");
  EXPECT_EQ(results_folder(), "/data/redtune");
  EXPECT_EQ(logs_folder(), "/state/redtune");
  EXPECT_EQ(binaries_folder(), "/scratch/redtune");
}

TEST_F(Paths, IgnoreEmptyAndRelativeVariables) {
  set("HOME", "/home/somebody");
  set("XDG_DATA_HOME", "");
  set("XDG_STATE_HOME", "relative/folder");
  EXPECT_EQ(results_folder(), "/home/somebody/.local/share/redtune");
  EXPECT_EQ(logs_folder(), "/home/somebody/.local/state/redtune");
  set("HOME", "relative");
  EXPECT_EQ(results_folder(), std::nullopt);
}

TEST_F(Paths, PreferTheOptionToTheVariableToTheDefault) {
  set("HOME", "/home/somebody");
  EXPECT_EQ(named_store(), std::nullopt);
  set("REDTUNE_CACHE", "");
  EXPECT_EQ(named_store(), std::nullopt);
  set("REDTUNE_CACHE", "/elsewhere/my.db");
  EXPECT_EQ(named_store(), "/elsewhere/my.db");
  EXPECT_EQ(store_path(), "/elsewhere/my.db");
  EXPECT_EQ(store_path("option.db"), "option.db");
}

TEST_F(Paths, PutTheSnapshotBesideItsStore) {
  EXPECT_EQ(snapshot_of("/data/redtune/results-v1.db"), "/data/redtune/best-v1.snap");
  EXPECT_EQ(snapshot_of("/data/my.db"), "/data/my.db.best-v1.snap");
  EXPECT_EQ(snapshot_of("my"), "my.best-v1.snap");
  EXPECT_NE(snapshot_of("/data/my.db"), snapshot_of("/data/my.sqlite"));
}

TEST_F(Paths, TakeASnapshotForItsOwnSnapshot) {
  EXPECT_EQ(snapshot_of("/shipped/best-v1.snap"), "/shipped/best-v1.snap");
  EXPECT_EQ(snapshot_of("/shipped/my.db.best-v1.snap"), "/shipped/my.db.best-v1.snap");
  EXPECT_EQ(snapshot_of("/shipped/best-v1.42.snap"), "/shipped/best-v1.42.snap");
  EXPECT_EQ(snapshot_of("/shipped/mi250.snap"), "/shipped/mi250.snap");
  EXPECT_FALSE(names_snapshot("/data/snap"));
  EXPECT_FALSE(names_snapshot("/data/best-v1.snap.db"));
}

}  // namespace
}  // namespace redtune::cache
