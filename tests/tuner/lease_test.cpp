// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One device, one tuner: with other processes, killed processes, and places that cannot be trusted.
#include "tuner/lease/lease.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>

#include "lease_holder.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::tuner::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr const char* gpu = "0000:c1:00.0";

class LeaseTest : public ::testing::Test {
 protected:
  [[nodiscard]] LeasePlaces places() const { return {{scratch_ / "redtune"}}; }
  [[nodiscard]] fs::path file_of_gpu() const {
    return scratch_ / "redtune" / "redtune-0000-c1-00.0.lock";
  }
  static LeaseNote note() {
    return {.pid = 4711,
            .user = "ann",
            .since = "2026-11-21T14:05:09Z",
            .command = "redtune tune --device hip:0"};
  }
  /// What taking the lease throws; empty when it does not.
  [[nodiscard]] std::string refusal(const std::string& device = gpu) const {
    try {
      (void)Lease::take(device, note(), places());
    } catch (const Busy& busy) {
      return busy.what();
    }
    return {};
  }
  [[nodiscard]] std::string warning() const {
    const Lease lease = Lease::take(gpu, note(), places());
    EXPECT_EQ(lease.is_held(), lease.warning().empty());
    return lease.warning();
  }

  cache::testing::ScratchFolder scratch_;
};

TEST_F(LeaseTest, IsHeldUntilItIsGivenBack) {
  {
    const Lease lease = Lease::take(gpu, note(), places());
    EXPECT_TRUE(lease.is_held());
    EXPECT_EQ(lease.warning(), "");
    EXPECT_NE(refusal(), "");
  }
  EXPECT_EQ(refusal(), "");
  EXPECT_EQ(cache::testing::read_text(file_of_gpu()), "") << "a free lease names nobody";
}

TEST_F(LeaseTest, MovesWithItsOwner) {
  Lease first = Lease::take(gpu, note(), places());
  const Lease second = std::move(first);
  EXPECT_TRUE(second.is_held());
  EXPECT_NE(refusal(), "");
}

TEST_F(LeaseTest, ARefusalNamesTheHolderInOneLine) {
  const LeaseHolder holder(gpu, note(), places());
  ASSERT_TRUE(holder.is_holding());
  EXPECT_EQ(refusal(),
            fmt::format("the device 0000:c1:00.0 is being tuned by process {} of ann (redtune tune "
                        "--device hip:0), since 2026-11-21T14:05:09Z; wait until it is done, end "
                        "it, or choose another device",
                        holder.pid()));
}

TEST_F(LeaseTest, AKilledHolderHoldsNothing) {
  LeaseHolder holder(gpu, note(), places());
  ASSERT_TRUE(holder.is_holding());
  ASSERT_NE(refusal(), "");
  holder.kill_it();
  EXPECT_THAT(cache::testing::read_text(file_of_gpu()), HasSubstr("ann")) << "its note stays";
  EXPECT_FALSE(lease_of(gpu, places()).is_held);
  EXPECT_EQ(refusal(), "");
}

TEST_F(LeaseTest, DevicesDoNotDisturbEachOther) {
  const Lease lease = Lease::take(gpu, note(), places());
  EXPECT_EQ(refusal("0000:c2:00.0"), "");
  EXPECT_EQ(refusal(""), "");
  const Lease host = Lease::take("", note(), places());
  EXPECT_THAT(refusal("host"), HasSubstr("the host is being tuned by process 4711"));
}

TEST_F(LeaseTest, APartitionLocksTheWholeDevice) {
  const Lease lease = Lease::take("0000:C1:00.3", note(), places());
  EXPECT_NE(refusal("0000:c1:00.0"), "");
  EXPECT_NE(refusal("0000:c1:00.7"), "");
  EXPECT_EQ(refusal("0000:c1:01.0"), "");
  EXPECT_EQ(leased_device("0000:C1:00.3"), gpu);
  EXPECT_EQ(leased_device(""), "host");
  EXPECT_EQ(leased_device("host"), "host");
}

TEST_F(LeaseTest, IsNotInheritedByProgramsThatAreStarted) {
  pid_t child = -1;
  {
    const Lease lease = Lease::take(gpu, note(), places());
    char program[] = "/bin/sleep";
    char seconds[] = "60";
    char* arguments[] = {program, seconds, nullptr};
    ASSERT_EQ(posix_spawn(&child, program, nullptr, nullptr, arguments, environ), 0);
  }
  EXPECT_EQ(refusal(), "") << "a child keeps the lease of its parent";
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST_F(LeaseTest, SomebodyWhoLooksForAMomentIsNoHolder) {
  (void)Lease::take(gpu, note(), places());
  const int file = open(file_of_gpu().c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(file, LOCK_SH | LOCK_NB), 0);
  std::thread looker([file] {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    close(file);
  });
  EXPECT_EQ(refusal(), "");
  looker.join();
}

TEST_F(LeaseTest, FilesAndFoldersAreTheUsersAlone) {
  const Lease lease = Lease::take(gpu, note(), places());
  struct stat status {};
  ASSERT_EQ(stat((scratch_ / "redtune").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700U);
  ASSERT_EQ(stat(file_of_gpu().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600U);
}

TEST_F(LeaseTest, AFolderThatOthersMayWriteIsRefused) {
  fs::create_directory(scratch_ / "redtune");
  ASSERT_EQ(chmod((scratch_ / "redtune").c_str(), 0777), 0);
  EXPECT_THAT(warning(), AllOf(HasSubstr("others may write to "), HasSubstr("(mode 777)"),
                               HasSubstr("chmod 700"), HasSubstr("XDG_RUNTIME_DIR")));
  EXPECT_THAT(problem_of_lease_folder(scratch_ / "redtune"), HasSubstr("others may write to "));
  EXPECT_FALSE(fs::exists(file_of_gpu()));
  EXPECT_THAT(leases(places()), IsEmpty());
}

TEST_F(LeaseTest, AFolderThatIsALinkIsRefused) {
  fs::create_directory(scratch_ / "elsewhere");
  fs::create_directory_symlink(scratch_ / "elsewhere", scratch_ / "redtune");
  EXPECT_THAT(warning(), HasSubstr("is a symbolic link"));
  EXPECT_TRUE(fs::is_empty(scratch_ / "elsewhere"));
}

TEST_F(LeaseTest, AFolderOfSomebodyElseIsRefused) {
  fs::create_directory(scratch_ / "redtune");
  if (chown((scratch_ / "redtune").c_str(), 12345, 12345) != 0) GTEST_SKIP() << "needs root";
  EXPECT_THAT(warning(), HasSubstr("belongs to user 12345, not to you"));
}

TEST_F(LeaseTest, AFileThatIsALinkOrAPipeIsRefused) {
  fs::create_directory(scratch_ / "redtune");
  ASSERT_EQ(chmod((scratch_ / "redtune").c_str(), 0700), 0);
  cache::testing::write_text(scratch_ / "precious", "text");
  fs::create_symlink(scratch_ / "precious", file_of_gpu());
  EXPECT_THAT(warning(), HasSubstr("redtune-0000-c1-00.0.lock"));
  EXPECT_EQ(cache::testing::read_text(scratch_ / "precious"), "text");
  fs::remove(file_of_gpu());
  ASSERT_EQ(mkfifo(file_of_gpu().c_str(), 0600), 0);
  EXPECT_THAT(warning(), HasSubstr("redtune-0000-c1-00.0.lock"));
}

TEST_F(LeaseTest, WithoutAPlaceNothingIsHeldAndThatIsSaid) {
  const LeasePlaces nowhere{{"/proc/nope/redtune", "/dev/null/redtune"}};
  const Lease lease = Lease::take(gpu, note(), nowhere);
  EXPECT_FALSE(lease.is_held());
  EXPECT_THAT(lease.warning(),
              AllOf(HasSubstr("/proc/nope"), HasSubstr("/dev/null"), Not(HasSubstr("\n"))));
  EXPECT_FALSE(Lease::take(gpu, note(), LeasePlaces{}).warning().empty());
  EXPECT_NE(problem_of_lease_folder("/proc/nope/redtune"), "");
}

TEST_F(LeaseTest, TheNextPlaceIsTakenWhereTheFirstIsNone) {
  const LeasePlaces two{{"/proc/nope/redtune", scratch_ / "redtune"}};
  const Lease lease = Lease::take(gpu, note(), two);
  EXPECT_TRUE(lease.is_held());
  EXPECT_EQ(lease.warning(), "");
  EXPECT_NE(refusal(), "");
}

/// A service of the system has no runtime folder where a session has one.
TEST_F(LeaseTest, IsRefusedWhereItIsHeldInAnotherPlace) {
  const LeasePlaces session{{scratch_ / "session" / "redtune", scratch_ / "redtune"}};
  std::filesystem::create_directories(scratch_ / "session");
  {
    const LeaseHolder service(gpu, note(), places());
    EXPECT_THROW((void)Lease::take(gpu, note(), session), Busy);
    EXPECT_TRUE(Lease::take("", note(), session).is_held()) << "another device";
  }
  EXPECT_TRUE(Lease::take(gpu, note(), session).is_held());
}

TEST_F(LeaseTest, AllLeasesAreListedWithTheirHolders) {
  EXPECT_THAT(leases(places()), IsEmpty());
  (void)Lease::take("", note(), places());
  const LeaseHolder holder(gpu, note(), places());
  cache::testing::write_text(scratch_ / "redtune" / "notes.txt", "");
  const std::vector<LeaseState> all = leases(places());
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].device, "0000-c1-00.0");
  EXPECT_TRUE(all[0].is_held);
  LeaseNote expected = note();
  expected.pid = holder.pid();
  EXPECT_EQ(all[0].holder, expected);
  EXPECT_EQ(all[1].device, "host");
  EXPECT_FALSE(all[1].is_held);
  EXPECT_EQ(all[1].holder, std::nullopt);
  EXPECT_TRUE(lease_of("0000:C1:00.5", places()).is_held);
  EXPECT_FALSE(lease_of("0000:02:00.0", places()).is_held);
}

TEST_F(LeaseTest, ANoteThatIsNoneStillMeansHeld) {
  (void)Lease::take(gpu, note(), places());
  for (const char* text : {"", "{", "[1]", R"({"pid":"x"})", R"({"user":"ann"})", "\xff\xfe"}) {
    cache::testing::write_text(file_of_gpu(), text);
    const int file = open(file_of_gpu().c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(flock(file, LOCK_EX | LOCK_NB), 0);
    EXPECT_THAT(refusal(), HasSubstr("by another process, whose number is not recorded")) << text;
    EXPECT_TRUE(lease_of(gpu, places()).is_held);
    close(file);
  }
}

TEST_F(LeaseTest, NotesOfAnyTextStayOneShortLine) {
  LeaseNote odd = note();
  odd.command = "redtune\ntune\t--op-source\x1b[31m " + std::string(100'000, '\x01') + "\xff";
  const LeaseHolder holder(gpu, odd, places());
  ASSERT_TRUE(holder.is_holding());
  const std::string text = refusal();
  EXPECT_THAT(text, HasSubstr("(redtune tune --op-source [31m"));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("\n")), Not(HasSubstr("\x1b"))));
  EXPECT_LT(text.size(), 500U);
}

TEST(LeaseNote, TellsOfThisProcess) {
  const LeaseNote note = note_of_this_process();
  EXPECT_EQ(note.pid, getpid());
  EXPECT_NE(note.user, "");
  EXPECT_THAT(note.since, ::testing::MatchesRegex("[0-9]+-[0-9]+-[0-9]+T[0-9]+:[0-9]+:[0-9]+Z"));
  EXPECT_THAT(note.command, HasSubstr("lease_test"));
}

TEST(LeasePlaces, AreTheRuntimeFolderAndOneInTmp) {
  const char* before = std::getenv("XDG_RUNTIME_DIR");
  const std::string kept = before == nullptr ? "" : before;
  const fs::path in_tmp = fmt::format("/tmp/redtune-{}", geteuid());
  setenv("XDG_RUNTIME_DIR", "/some/place", 1);
  EXPECT_THAT(LeasePlaces::of_this_user().folders,
              ::testing::ElementsAre("/some/place/redtune", in_tmp));
  setenv("XDG_RUNTIME_DIR", "not/absolute", 1);
  EXPECT_EQ(LeasePlaces::of_this_user().folders.back(), in_tmp);
  EXPECT_EQ(std::ranges::count(LeasePlaces::of_this_user().folders, "not/absolute/redtune"), 0);
  unsetenv("XDG_RUNTIME_DIR");
  EXPECT_EQ(LeasePlaces::of_this_user().folders.back(), in_tmp);
  if (before != nullptr) setenv("XDG_RUNTIME_DIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace redtune::tuner::testing
