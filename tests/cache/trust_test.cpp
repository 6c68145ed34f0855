// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Fault 34: results that somebody else could have written are skipped, and the reason is said.
#include "cache/files/trust.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

constexpr uid_t somebody_else = 54321;

/// A home with a published result in its usual place; the environment names it for a while.
class Fault34 : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("XDG_DATA_HOME", home().c_str(), 1);
    publish();
  }
  void TearDown() override { unsetenv("XDG_DATA_HOME"); }

  void publish() const {
    Store store = Store::open(folder() / store_name);
    store.publish(store.begin(sample_start()), sample_best());
  }
  [[nodiscard]] std::filesystem::path home() const { return scratch_ / "home"; }
  [[nodiscard]] std::filesystem::path folder() const { return home() / "redtune"; }
  [[nodiscard]] std::filesystem::path snapshot() const { return folder() / snapshot_name; }

  /// The user's layer is skipped for this reason, and tune warns of it.
  void expect_skipped(const std::string& reason) const {
    const auto all = layers(std::nullopt);
    const LookupResult answer = look_up(std::span<const Layer>(all).first(1), sample_query());
    EXPECT_EQ(answer.match, Match::fallback);
    EXPECT_NE(answer.layers.at(0).skipped.find(snapshot().string()), std::string::npos);
    EXPECT_NE(answer.layers.at(0).skipped.find(reason), std::string::npos)
        << answer.layers.at(0).skipped;
  }
  void expect_used() const {
    const auto all = layers(std::nullopt);
    const LookupResult answer = look_up(std::span<const Layer>(all).first(1), sample_query());
    EXPECT_EQ(answer.match, Match::exact) << answer.layers.at(0).skipped;
  }

  const ScratchFolder scratch_;
};

TEST_F(Fault34, AFolderOfOnesOwnIsUsed) {
  expect_used();
}

TEST_F(Fault34, AFolderThatOthersMayWriteIsSkippedWithTheReason) {
  ASSERT_EQ(chmod(folder().c_str(), 0777), 0);
  expect_skipped("can be changed by others (mode 777)");
  ASSERT_EQ(chmod(folder().c_str(), 0755), 0);
  expect_used();
  ASSERT_EQ(chmod(home().c_str(), 0777), 0);
  expect_skipped("lies below " + home().string());
  ASSERT_EQ(chmod(home().c_str(), 01777), 0);  // as /tmp: nobody can rename what is mine
  expect_used();
}

TEST_F(Fault34, AFileThatOthersMayWriteIsSkippedWithTheReason) {
  ASSERT_EQ(chmod(snapshot().c_str(), 0646), 0);
  expect_skipped("can be changed by others (mode 646)");
}

TEST_F(Fault34, AGroupMayWriteOnlyWhereItIsItsOwnersAlone) {
  ASSERT_EQ(chmod(snapshot().c_str(), 0660), 0);
  if (getuid() == getgid()) expect_used();
  // Only root gives files away, and not every root, as in a container without other users.
  if (chown(snapshot().c_str(), 0, somebody_else) != 0) return;
  expect_skipped("can be changed by others (mode 660)");
}

TEST_F(Fault34, AForeignOwnerIsSkippedWithTheReason) {
  if (chown(snapshot().c_str(), somebody_else, 0) != 0) {
    GTEST_SKIP() << "only root gives files away";
  }
  expect_skipped("belongs to another user (54321)");
  ASSERT_EQ(chown(snapshot().c_str(), 0, 0), 0);
  ASSERT_EQ(chown(folder().c_str(), somebody_else, 0), 0);
  expect_skipped("lies below " + folder().string() + ", which belongs to another user");
}

TEST_F(Fault34, ASymbolicLinkIsSkippedWithTheReason) {
  std::filesystem::rename(snapshot(), folder() / "elsewhere");
  std::filesystem::create_symlink(folder() / "elsewhere", snapshot());
  expect_skipped("is a symbolic link");
  std::filesystem::remove(snapshot());
  std::filesystem::rename(folder() / "elsewhere", snapshot());
  std::filesystem::rename(folder(), home() / "real");
  std::filesystem::create_symlink(home() / "real", folder());
  expect_skipped("which is a symbolic link");
}

TEST_F(Fault34, AHomeBehindALinkIsUsed) {
  const auto link = scratch_ / "link";
  std::filesystem::create_symlink(home(), link);
  setenv("XDG_DATA_HOME", link.c_str(), 1);
  expect_used();
}

TEST_F(Fault34, IsSaidWhereResultsAreWritten) {
  EXPECT_TRUE(Store::open(folder() / store_name).warnings().empty());
  ASSERT_EQ(chmod(folder().c_str(), 0777), 0);
  const auto warnings = Store::open(folder() / store_name).warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("applications will not use the results"), std::string::npos);
}

TEST_F(Fault34, AFileThatSomebodyNamedIsReadWhoeverMayWriteIt) {
  ASSERT_EQ(chmod(folder().c_str(), 0777), 0);
  const auto all = layers(folder() / store_name);
  EXPECT_EQ(look_up(std::span<const Layer>(all), sample_query()).match, Match::exact);
}

TEST(PrivateFolder, ThatCannotBeMadeSaysWhy) {
  // Nobody makes folders there.
  const std::filesystem::path nowhere = "/sys/redtune-test";
  if (!std::filesystem::exists("/sys/kernel")) GTEST_SKIP() << "/sys is not mounted";
  try {
    make_private_folder(nowhere);
    FAIL() << "it was made";
  } catch (const IoError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(nowhere.string()), std::string::npos) << text;
    EXPECT_EQ(text.find("No such file"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace redtune::cache
