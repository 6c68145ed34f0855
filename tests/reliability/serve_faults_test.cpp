// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What drivers and other users do to a service: a driver that does not answer, a device that does
// not open, somebody else on it and somebody else who serves it.
#include <csignal>
#include <gmock/gmock.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "tests/cli/stranger.hpp"
#include "tests/reliability/serve_home.hpp"
#include "tests/tuner/lease_holder.hpp"

namespace redtune::cli {
namespace {

using testing::HasSubstr;

constexpr const char* silence = "hip:0 cannot be asked who uses it: its driver does not answer";

class ServeFaults : public Serve {
 protected:
  /// A call of the driver's does not return from now on, until it may.
  void hang() const { cache::testing::write_text(home_.home() / "simulated/hanging", ""); }
  void let_go() const { std::filesystem::remove(home_.home() / "simulated/hanging"); }
  /// The process that watches the device.
  [[nodiscard]] pid_t watch_of(pid_t service) const {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const pid_t process = std::atoi(entry.path().filename().c_str());
      if (process <= 0) continue;
      const std::string text = cache::testing::read_text(entry.path() / "stat");
      const auto behind = text.rfind(") ");
      if (behind != std::string::npos && std::atoi(text.c_str() + behind + 4) == service) {
        return process;
      }
    }
    return 0;
  }
};
using FullServeFaults = ServeFaults;

TEST_F(ServeFaults, ADriverThatHangsIsSaidToAndGoneOnWithWhenItReturns) {
  ServiceManagerOfTests manager(home_.home() / "notify");
  Words environment = telling("hangs_in:users");
  environment.push_back(manager.variable());
  environment.emplace_back("WATCHDOG_USEC=1000000");
  Running service(home_.home(), serve(), environment);
  ASSERT_TRUE(manager.await("STATUS=nothing is wanted"));
  hang();
  EXPECT_TRUE(manager.await(std::string("STATUS=nothing is wanted; ") + silence));
  ask("1-a", {1000});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(manager.await("WATCHDOG=1")) << "the service hangs, too";
  EXPECT_EQ(processes_of(home_), 2U) << "nobody else was sent there";
  EXPECT_TRUE(home_.home().logs().empty()) << "nothing is begun";
  let_go();
  EXPECT_TRUE(manager.await("STATUS=tuning on hip:0: 1 question wanted"));
  EXPECT_TRUE(manager.await("STATUS=nothing is wanted"));
  EXPECT_EQ(left(), 0U);
  hang();
  EXPECT_TRUE(await_line("its driver does not answer"));
  const auto begin = std::chrono::steady_clock::now();
  const Said said = service.end_with(SIGTERM);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(count_of(said.err, "hip:0 can be asked again who uses it"), 1U) << said.err;
  expect_no_processes(home_);
}

/// Half a minute, of which the most is waiting.
TEST_F(FullServeFaults, ADriverThatHangsFromTheBeginningHoldsUpNoStart) {
  hang();
  ask("1-a", {1000});
  ServiceManagerOfTests manager(home_.home() / "notify");
  Words environment = telling("hangs_in:facts");
  environment.push_back(manager.variable());
  Running service(home_.home(), serve(), environment);
  EXPECT_TRUE(manager.await("READY=1"));
  EXPECT_TRUE(manager.await(std::string("STATUS=nothing is wanted; ") + silence));
  let_go();
  EXPECT_TRUE(await([&] { return left() == 0; }));
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
  // Of several the others are served meanwhile.
  hang();
  ask("2-a", {4000});
  Running two(home_.home(), serve({"--device", "hip:0,hip:1"}),
              telling("gpus:2;hangs_in_second:facts"));
  EXPECT_TRUE(await([&] { return left() == 0; }));
  EXPECT_TRUE(await_line("hip:1 cannot be asked who uses it: its driver does not answer"));
  EXPECT_EQ(two.end_with(SIGTERM).code, 0);
  expect_no_processes(home_);
}

/// A process in a driver that hangs cannot be killed, as one that is traced is not gone until its
/// tracer has looked. A minute and a half, of which the most is waiting.
TEST_F(FullServeFaults, AWatchThatNeverAnswersIsReplacedButNeverByTwo) {
  Running service(home_.home(), serve(), telling());
  ASSERT_TRUE(await_line("nothing is wanted"));
  const pid_t watch = watch_of(service.id());
  ASSERT_GT(watch, 0);
  if (ptrace(PTRACE_SEIZE, watch, nullptr, nullptr) != 0) GTEST_SKIP() << "nothing may be traced";
  ASSERT_EQ(ptrace(PTRACE_INTERRUPT, watch, nullptr, nullptr), 0);
  ask("1-a", {1000});
  EXPECT_TRUE(await_line(silence));
  EXPECT_TRUE(await_line(fmt::format("and does not let process {} end", watch)));
  std::this_thread::sleep_for(15s);
  EXPECT_EQ(processes_of(home_), 1U) << "another one was sent after it";
  EXPECT_TRUE(home_.home().logs().empty()) << "nothing is begun";
  int status = 0;
  while (waitpid(watch, &status, __WALL) == watch && !WIFSIGNALED(status)) {
  }
  EXPECT_TRUE(await([&] { return left() == 0; })) << "a new one is asked";
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
  expect_no_processes(home_);
}

TEST_F(ServeFaults, ADeviceThatDoesNotOpenIsLeftForWhoComes) {
  ask("1-a", {1000});
  hang();
  Running service(home_.home(), serve(), telling("hangs_in:open"));
  EXPECT_TRUE(await_line("tuning on hip:0: 1 question wanted"));
  EXPECT_TRUE(await([&] { return processes_of(home_) > 3; }));
  const auto begin = std::chrono::steady_clock::now();
  come();
  EXPECT_TRUE(await_line("hip:0 is used: "));
  EXPECT_TRUE(await([&] { return processes_of(home_) == 2; })) << "a tune hangs there still";
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
  expect_no_processes(home_);
}

/// A minute of waiting.
TEST_F(FullServeFaults, ADeviceThatDoesNotOpenIsTriedAgainLater) {
  ask("1-a", {1000});
  hang();
  ServiceManagerOfTests manager(home_.home() / "notify");
  Words environment = telling("hangs_in:open");
  environment.push_back(manager.variable());
  environment.emplace_back("WATCHDOG_USEC=1000000");
  Running service(home_.home(), serve(), environment);
  EXPECT_TRUE(manager.await("STATUS=tuning on hip:0"));
  EXPECT_TRUE(manager.await("STATUS=paused: the tune ended with exit code 6"));
  EXPECT_TRUE(manager.await("WATCHDOG=1"));
  let_go();
  EXPECT_TRUE(await([&] { return left() == 0; }));
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
}

/// Another user of this machine, who has the home.
class ServeUsers : public ServeFaults {
 protected:
  void SetUp() override {
    if (const std::string why = stranger_.why_not(); !why.empty()) GTEST_SKIP() << why;
  }
  static void give_away(const Home& home) {
    std::filesystem::permissions(home / "", std::filesystem::perms(0755));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(home / "")) {
      EXPECT_EQ(lchown(entry.path().c_str(), stranger_id, stranger_id), 0);
    }
    EXPECT_EQ(lchown((home / "").parent_path().c_str(), stranger_id, stranger_id), 0);
  }
  [[nodiscard]] Words of_stranger(const Words& words, const Words& environment) const {
    return stranger_.command(home_.home().command(words, environment));
  }

  Stranger stranger_;
};
using FullServeUsers = ServeUsers;

TEST_F(ServeUsers, SomebodyElseOnTheDeviceIsSeenByBoth) {
  ask("1-a", {1000});
  const Home other;
  std::filesystem::permissions(other / "", std::filesystem::perms(0777));
  const Running theirs(Running::WholeCommand{}, other, stranger_.command({"sleep", "100"}));
  cache::testing::write_text(home_.home() / "simulated/users",
                             fmt::format("{} solver\n", theirs.id()));
  const Said ours = run(once());
  EXPECT_EQ(ours.code, 75) << ours.err;
  EXPECT_TRUE(ours.says(fmt::format("{} (solver)", theirs.id()))) << ours.err;
  // The other way: root's process, of which the other user sees next to nothing.
  come();
  give_away(home_.home());
  const Said said = run_command(of_stranger(once(), home_.environment(users_told)));
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_TRUE(said.says(fmt::format("{} (solver)", getpid()))) << said.err;
  EXPECT_TRUE(home_.home().logs().empty());
}

TEST_F(ServeUsers, ALeaseThatCannotBeReadIsNobodysAndTheNextPlaceHoldsOne) {
  ask("1-a", {1000});
  const std::string address = simulated::SimulatedDevice::identity_of({}, 0).address;
  const tuner::testing::LeaseHolder root(address, {.user = "root", .command = "redtune tune"},
                                         {{home_.home() / "run/redtune"}});
  ASSERT_TRUE(root.is_holding());
  // What root left behind in a folder that is the other user's: locked, and not to be opened.
  give_away(home_.home());
  std::filesystem::path locked;
  for (const auto& file : std::filesystem::directory_iterator(home_.home() / "run/redtune")) {
    locked = file.path();
    EXPECT_EQ(lchown(locked.c_str(), 0, 0), 0);
    std::filesystem::permissions(locked, std::filesystem::perms(0));
  }
  ASSERT_FALSE(locked.empty());
  const Said said = run_command(of_stranger(once({"--json"}), home_.environment(users_told)));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.document().at("left"), 0);
  EXPECT_THAT(said.err, testing::Not(HasSubstr("nothing keeps another redtune from measuring")));
  std::filesystem::remove_all(fmt::format("/tmp/redtune-{}", stranger_id));
}

/// Each sees what the other has on the device, and knows nothing else of it. They wait for chance
/// to part them.
TEST_F(FullServeUsers, TwoServicesOfTwoUsersBothComeToTheirEnd) {
  ask("1-a", {10000});
  const SimulatedHome other;
  std::filesystem::copy(home_.home() / "data", other.home() / "data",
                        std::filesystem::copy_options::recursive);
  give_away(other.home());
  const cache::testing::ScratchFolder device{"/tmp"};
  std::filesystem::permissions(device / "", std::filesystem::perms(0777));
  const Words device_and_log{"REDTUNE_MODULE_PATH=" REDTUNE_SIMULATED_MODULES,
                             "REDTUNE_SIMULATED=users_told_apart:;real_time:0.5",
                             "REDTUNE_SIMULATED_STATE=" + (device / "").string(),
                             "REDTUNE_LOG=debug"};
  Running ours(home_.home(), serve(), device_and_log);
  Running theirs(Running::WholeCommand{}, other.home(),
                 stranger_.command(other.home().command(serve(), device_and_log)));
  EXPECT_TRUE(await([&] { return left() == 0; }));
  EXPECT_TRUE(await([&] {
    const Said said = run_command(
        stranger_.command(other.home().command({"wanted", "--json"}, other.environment())));
    return said.code == 0 && said.document().at("wanted").empty();
  }));
  const Said of_us = ours.end_with(SIGTERM);
  const Said of_them = theirs.end_with(SIGTERM);
  EXPECT_EQ(of_us.code, 0) << of_us.err;
  EXPECT_EQ(of_them.code, 0) << of_them.err;
  EXPECT_TRUE(of_us.says(" is used: ") || of_them.says(" is used: ")) << of_us.err << of_them.err;
  expect_whole(runs().at(0));
}

}  // namespace
}  // namespace redtune::cli
