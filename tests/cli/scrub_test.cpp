// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is private leaves a text, and nothing else does.
#include "cli/doctor/scrub.hpp"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cache/samples.hpp"
#include "tuner/lease/user_name.hpp"

namespace redtune::cli {
namespace {

const Private anna{.homes = {"/home/anna"}, .users = {"anna"}, .host = "gpu-box"};

TEST(Scrub, ReplacesHomesUsersAndHosts) {
  EXPECT_EQ(scrubbed("/home/anna/.local on gpu-box by anna", anna), "~/.local on HOST by USER");
  EXPECT_EQ(scrubbed("anna,anna;/home/anna", anna), "USER,USER;~");
  EXPECT_EQ(scrubbed("", anna), "");
}

TEST(Scrub, LeavesWordsThatOnlyContainThem) {
  const std::string text = "annabel hanna anna2 gpu-boxes /x/home/annas";
  EXPECT_EQ(scrubbed(text, anna), text);
}

TEST(Scrub, FindsNamesInPartsOfWords) {
  EXPECT_EQ(scrubbed("my-gpu-box anna_b x_anna", anna), "my-HOST USER_b x_USER");
  EXPECT_EQ(scrubbed("/data/anna_work /data/anna-x ~/of_anna/lib -I/opt/anna_1", anna),
            "/data/USER_work /data/USER-x ~/of_USER/lib -I/opt/USER_1");
  EXPECT_EQ(scrubbed("/home/anna_b:/srv/home/anna:/mnt/gpu-box_2", anna),
            "/home/USER_b:/srv/home/USER:/mnt/HOST_2");
}

TEST(Scrub, LeavesTheNamesOfMembers) {
  const Private op{.homes = {}, .users = {"op"}, .host = "box"};
  EXPECT_EQ(scrubbed(R"({"op":"op", "box": "box"})", op), R"({"op":"USER", "box": "HOST"})");
}

TEST(Scrub, FindsPeopleCalledLikeWordsOfRedtune) {
  const Private max{.homes = {"/home/max"}, .users = {"max"}, .host = "host"};
  EXPECT_EQ(scrubbed(R"("op": "max", "owner": "max", "user":"max", "file":"/data/max/x")", max),
            R"("op": "USER", "owner": "USER", "user":"USER", "file":"/data/USER/x")");
  EXPECT_EQ(scrubbed("    owner        max\nprocess 4711 of max (redtune tune --op max)", max),
            "    owner        USER\nprocess 4711 of USER (redtune tune --op USER)");
  EXPECT_EQ(scrubbed("/home/max/.cache/host", max), "~/.cache/HOST");
}

TEST(Scrub, TakesLongerNamesFirst) {
  const Private two{.homes = {"/home/anna", "/home/anna/deep"}, .users = {"anna", "anna_b"}};
  EXPECT_EQ(scrubbed("/home/anna/deep/x /data/anna_b/x", two), "~/x /data/USER/x");
}

TEST(Scrub, LeavesNumbersAndRoot) {
  const Private root{.homes = {"/"}, .users = {"root"}, .host = "42"};
  EXPECT_EQ(scrubbed("root has 42 of /", root), "root has 42 of /");
  EXPECT_EQ(scrubbed("a b", Private{}), "a b");
}

TEST(Scrub, KnowsThisProcess) {
  const Private here = Private::here();
  EXPECT_FALSE(here.homes.empty());
  EXPECT_FALSE(here.users.empty());
}

TEST(Scrub, KnowsAHomeWithASlashBehind) {
  Private here;
  here.add_home("/data/anna//");
  EXPECT_EQ(scrubbed("HOME '/data/anna//' /data/anna/x", here), "HOME '~//' ~/x");
}

TEST(Scrub, KnowsWhoCalledSudo) {
  setenv("SUDO_USER", "anna", 1);
  const Private here = Private::here();
  unsetenv("SUDO_USER");
  EXPECT_THAT(here.users, ::testing::Contains("anna"));
}

TEST(Scrub, KnowsTheOwnersOfFolders) {
  const cache::testing::ScratchFolder scratch;
  const auto folder = scratch / "theirs";
  std::filesystem::create_directory(folder);
  if (chown(folder.c_str(), 1, 1) != 0) GTEST_SKIP() << "only root can give a folder away";
  EXPECT_THAT(Private::here().users, ::testing::Not(::testing::Contains(tuner::user_name(1))));
  EXPECT_THAT(Private::here({folder}).users, ::testing::Contains(tuner::user_name(1)));
}

}  // namespace
}  // namespace redtune::cli
