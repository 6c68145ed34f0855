// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune doctor in homes where folders are missing, not to be written, or everybody's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/cli/doctor_said.hpp"

namespace redtune::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

const Words no_home{"-uHOME", "-uXDG_DATA_HOME", "-uXDG_STATE_HOME", "-uXDG_CACHE_HOME"};

TEST(Doctor, WithoutAHomeResultsAreNotKept) {
  const Said said = Home().run({"doctor"}, no_home);
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(marked(said, '-'), Contains(HasSubstr("results are kept in memory only: set HOME")));
  EXPECT_THAT(marked(said, '-'), Contains(HasSubstr("runs are not logged: set HOME")));
  Words environment = no_home;
  environment.emplace_back("XDG_RUNTIME_DIR=/proc/nope");
  EXPECT_EQ(Home().run({"doctor"}, environment).code, 0);
}

TEST(Doctor, AResultsFolderThatCannotBeWrittenIsAProblem) {
  const Home home;
  for (const Words& words :
       {Words{"doctor"}, Words{"doctor", "--cache", "/proc/nope/redtune/x.db"}}) {
    Words environment;
    if (words.size() == 1) environment = {"XDG_DATA_HOME=/proc/nope"};
    const Said said = home.run(words, environment);
    EXPECT_EQ(said.code, 1) << said.out;
    EXPECT_THAT(marked(said, '!'), ElementsAre(AllOf(HasSubstr("writable"), HasSubstr("no: "),
                                                     HasSubstr("/proc"), HasSubstr("--cache"))));
    EXPECT_THAT(said.out, HasSubstr("Tuning does not work here: see the line marked with '!'."));
  }
  const json document = home.run({"doctor", "--json"}, {"XDG_DATA_HOME=/proc/nope"}).document();
  EXPECT_EQ(document.at("tuning_works"), false);
  EXPECT_EQ(document.at("findings").at(0).at("section"), "folders");
  EXPECT_EQ(document.at("findings").at(0).at("verdict"), "problem");
}

TEST(Doctor, AReadOnlyResultsFolderIsAProblem) {
  if (geteuid() == 0) GTEST_SKIP() << "permissions do not bind root";
  const Home home;
  fs::create_directories(home / "data/redtune");
  fs::permissions(home / "data/redtune", fs::perms::owner_read | fs::perms::owner_exec);
  const Said said = home.run({"doctor"});
  EXPECT_EQ(said.code, 1) << said.out;
  EXPECT_THAT(marked(said, '!'), Contains(HasSubstr("writable")));
}

TEST(Doctor, AFileInPlaceOfAFolderIsAProblem) {
  const Home home;
  fs::create_directories(home / "data");
  cache::testing::write_text(home / "data/redtune", "");
  const Said said = home.run({"doctor"});
  EXPECT_EQ(said.code, 1) << said.out;
  EXPECT_THAT(marked(said, '!'), Contains(HasSubstr("it is not a folder")));
}

TEST(Doctor, ASnapshotInPlaceOfAStoreIsAProblem) {
  const Said said = Home().run({"doctor", "--cache", "best-v1.snap"});
  EXPECT_EQ(said.code, 1) << said.out;
  EXPECT_THAT(marked(said, '!'), Contains(HasSubstr("name of a snapshot")));
}

TEST(Doctor, LogsThatCannotBeWrittenAreWorthKnowing) {
  const Said said = Home().run({"doctor"}, {"XDG_STATE_HOME=/proc/nope"});
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(marked(said, '-'), ElementsAre(HasSubstr("runs are not logged: make it writable")));
}

TEST(Doctor, FoldersThatOthersMayWriteAreWorthKnowing) {
  const Home home;
  for (const char* name : {"data/redtune", "run/redtune"}) {
    fs::create_directories(home / name);
    ASSERT_EQ(chmod((home / name).c_str(), 0777), 0);
  }
  const Said said = home.run({"doctor"});
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(marked(said, '-'), ElementsAre(AllOf(HasSubstr("permissions"), HasSubstr("0777"),
                                                   HasSubstr("chmod 700")),
                                             AllOf(HasSubstr("refused"), HasSubstr("mode 777"))));
}

TEST(Doctor, AStoreInAFolderThatAllShareIsFine) {
  const Home home;
  fs::create_directory(home / "shared");
  ASSERT_EQ(chmod((home / "shared").c_str(), 01777), 0);
  const std::string store = (home / "shared").string() + "/x.db";
  for (const Said& said :
       {home.run({"doctor", "--cache", store}), home.run({"doctor"}, {"REDTUNE_CACHE=" + store})}) {
    EXPECT_EQ(said.code, 0) << said.out;
    EXPECT_THAT(marked(said, '-'), ElementsAre());
    EXPECT_THAT(said.out, HasSubstr("store        " + store + " (none yet)\n"));
    EXPECT_THAT(said.out, HasSubstr("permissions  1777\n"));
  }
}

}  // namespace
}  // namespace redtune::cli
