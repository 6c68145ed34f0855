// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is private leaves a text, and nothing else does.
#include "tuner/doctor/scrub.hpp"

#include <gtest/gtest.h>

namespace redtune::tuner {
namespace {

const Private anna{.homes = {"/home/anna"}, .user = "anna", .host = "gpu-box"};

TEST(Scrub, ReplacesHomesUsersAndHosts) {
  EXPECT_EQ(scrubbed("/home/anna/.local on gpu-box by anna", anna), "~/.local on HOST by USER");
  EXPECT_EQ(scrubbed("anna,anna;/home/anna", anna), "USER,USER;~");
  EXPECT_EQ(scrubbed("", anna), "");
}

TEST(Scrub, LeavesWordsThatOnlyContainThem) {
  const std::string text =
      "annabel hanna anna2 my-gpu-box gpu-boxes /srv/home/anna_b /x/home/annas";
  EXPECT_EQ(scrubbed(text, anna), text);
}

TEST(Scrub, LeavesTheNamesOfMembers) {
  const Private op{.homes = {}, .user = "op", .host = "host"};
  EXPECT_EQ(scrubbed(R"({"op":"op", "host": "host"})", op), R"({"op":"USER", "host": "HOST"})");
}

TEST(Scrub, LeavesNumbersAndRoot) {
  const Private root{.homes = {"/"}, .user = "root", .host = "42"};
  EXPECT_EQ(scrubbed("root has 42 of /", root), "root has 42 of /");
  EXPECT_EQ(scrubbed("a b", Private{}), "a b");
}

TEST(Scrub, KnowsThisProcess) {
  const Private here = Private::here();
  EXPECT_FALSE(here.homes.empty());
  EXPECT_FALSE(here.user.empty());
}

}  // namespace
}  // namespace redtune::tuner
