// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune log looks, and writes nothing.
#include <gtest/gtest.h>
#include <map>
#include <sys/stat.h>

#include "tests/cli/made_store.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

/// Names, sizes and times of everything in a folder but what SQLite puts beside a file to read it.
std::map<std::string, std::string> content_by_file(const fs::path& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.ends_with("-wal") || name.ends_with("-shm")) continue;
    struct stat status {};
    EXPECT_EQ(stat(entry.path().c_str(), &status), 0);
    found[name] = fmt::format("{} {} {}.{}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                              status.st_mtim.tv_nsec);
  }
  return found;
}

class Log : public ::testing::Test {
 protected:
  StoreHome home_;
  fs::path folder_ = home_.store_file().parent_path();
};

TEST_F(Log, ChangesNothing) {
  fs::remove(cache::snapshot_of(home_.store_file()));  // whoever opens the store renews it
  const auto before = content_by_file(folder_);
  for (const Words& words : {Words{"log"}, Words{"log", "--json"}, Words{"log", "1"}}) {
    EXPECT_EQ(home_.run(words).code, 0);
    EXPECT_EQ(content_by_file(folder_), before);
  }
}

TEST_F(Log, ReadsAStoreThatCannotBeWritten) {
  fs::permissions(home_.store_file(), fs::perms::owner_read);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  for (const Words& words : {Words{"log"}, Words{"log", "3", "--json"}}) {
    const Said said = home_.run(words);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(said.says("winner")) << said.out;
  }
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(Log, WhereThereIsNoStoreSaysWhatToDo) {
  const Said said = home_.run({"log", "--cache", home_ / "none.db"});
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("redtune tune")) << said.err;
  EXPECT_FALSE(fs::exists(home_ / "none.db"));
}

}  // namespace
}  // namespace redtune::cli
