// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What redtune serve is made of: who is a stranger on a device, since when it is idle, and what a
// service manager is told. Forks, so it is a program of its own without threads.
#include <array>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/serve/idle.hpp"
#include "cli/serve/service_manager.hpp"
#include "cli/serve/tuning.hpp"
#include "tuner/worker/device_watch.hpp"

namespace redtune::cli {
namespace {

using namespace std::chrono_literals;
using tuner::DeviceUsers;
using tuner::Family;

/// Numbers that no process has: the kernel gives none so large.
constexpr long nobody = 1L << 30;

std::size_t no_workers() {
  return 0;
}

/// A process that sleeps until it is killed, below this one or below a child of it that waits.
class Sleeper {
 public:
  Sleeper() : id_(fork()) {
    if (id_ != 0) return;
    while (true) pause();
  }
  ~Sleeper() { end(); }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  void end() {
    if (id_ <= 0) return;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    last_ = std::exchange(id_, -1);
  }
  [[nodiscard]] long id() const { return id_ > 0 ? id_ : last_; }

 private:
  pid_t id_;
  pid_t last_ = -1;
};

TEST(DeviceFamily, IsThisProcessAndWhatDescendsFromIt) {
  Family family;
  Sleeper child;
  const DeviceUsers ours{{getpid(), "self"}, {child.id(), "child"}};
  EXPECT_EQ(family.strangers(ours, no_workers), DeviceUsers());
  // A driver lists it still.
  child.end();
  EXPECT_EQ(family.strangers(ours, no_workers), DeviceUsers());
  const DeviceUsers others{{getppid(), "parent"}, {1, "init"}};
  EXPECT_EQ(family.strangers(others, [] { return std::size_t{9}; }), others);
  EXPECT_EQ(Family().strangers(ours, no_workers), (DeviceUsers{{child.id(), "child"}}))
      << "of a process that nobody knew";
  EXPECT_EQ(family.strangers({}, no_workers), DeviceUsers());
  EXPECT_EQ(family.strangers(ours, no_workers), (DeviceUsers{{child.id(), "child"}}))
      << "the number was given to another process meanwhile";
}

TEST(DeviceFamily, OfForeignNumbersIsAsManyAsThereAreWorkers) {
  Family family;
  const DeviceUsers two{{nobody, "a"}, {nobody + 1, "b"}};
  EXPECT_EQ(family.strangers(two, [] { return std::size_t{2}; }), DeviceUsers());
  EXPECT_EQ(family.strangers(two, [] { return std::size_t{1}; }), two);
  EXPECT_EQ(family.strangers(two, no_workers), two);
  bool was_asked = false;
  (void)family.strangers({{getpid(), "self"}}, [&] {
    was_asked = true;
    return std::size_t{0};
  });
  EXPECT_FALSE(was_asked) << "it reads all of /proc";
}

TEST(DeviceFamily, CountsDescendantsByAWordOfTheirs) {
  EXPECT_EQ(tuner::descendants_with("device-worker", getpid()), 0U);
  const pid_t child = fork();
  if (child == 0) {
    // It starts nothing, for that would have the words for a moment, too.
    execl("/bin/sh", "sh", "-c", "kill -STOP $$; true", "device-worker", "x", nullptr);
    _exit(127);
  }
  for (int i = 0; i < 200 && tuner::descendants_with("device-worker", getpid()) == 0; ++i) {
    usleep(10'000);
  }
  EXPECT_EQ(tuner::descendants_with("device-worker", getpid()), 1U);
  EXPECT_EQ(tuner::descendants_with("device-work", getpid()), 0U) << "whole words";
  EXPECT_EQ(tuner::descendants_with("device-worker", child), 1U);
  EXPECT_EQ(tuner::descendants_with("device-worker", 1 << 30), 0U);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(IdleClock, CountsFromTheLastTimeSomebodyWasSeen) {
  const auto begin = IdleClock::Clock::now();
  IdleClock clock(5min, begin);
  EXPECT_FALSE(clock.is_idle(begin + 4min));
  EXPECT_EQ(clock.left(begin + 4min), 1min);
  clock.see(false, begin + 4min);
  EXPECT_TRUE(clock.is_idle(begin + 5min));
  clock.see(true, begin + 6min);
  EXPECT_FALSE(clock.is_idle(begin + 20min)) << "nobody has looked since";
  clock.see(false, begin + 7min);
  EXPECT_FALSE(clock.is_idle(begin + 10min));
  EXPECT_TRUE(clock.is_idle(begin + 11min));
  EXPECT_EQ(clock.left(begin + 30min), 0min);
  clock.need_more(3min);
  EXPECT_FALSE(clock.is_idle(begin + 13min));
  EXPECT_EQ(clock.left(begin + 13min), 1min);
  EXPECT_TRUE(clock.is_idle(begin + 14min));
  clock.need_more({});
  EXPECT_TRUE(clock.is_idle(begin + 11min));
  IdleClock at_once(0min, begin);
  EXPECT_TRUE(at_once.is_idle(begin));
  at_once.see(true, begin);
  EXPECT_FALSE(at_once.is_idle(begin));
}

/// A socket of a service manager, in the abstract namespace.
class Manager {
 public:
  Manager() : name_(name()) {
    socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name_.copy(address.sun_path, name_.size());
    address.sun_path[0] = '\0';
    const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size());
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), bytes), 0);
    tell_name();
  }
  static std::string name() { return "@redtune-test-" + std::to_string(getpid()); }
  static void tell_name() { setenv("NOTIFY_SOCKET", name().c_str(), 1); }
  ~Manager() {
    close(socket_);
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) unsetenv(name);
  }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;
  /// The next message; empty: there is none.
  [[nodiscard]] std::string next() const {
    std::array<char, 4096> text{};
    const ssize_t got = recv(socket_, text.data(), text.size(), 0);
    return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : std::string();
  }

 private:
  std::string name_;
  int socket_ = -1;
};

TEST(ServiceManager, HearsOfEachChangeOnce) {
  const Manager manager;
  ServiceManager service;
  EXPECT_EQ(getenv("NOTIFY_SOCKET"), nullptr) << "what is started has no say";
  service.ready();
  EXPECT_EQ(manager.next(), "READY=1");
  service.status("one\nREADY=0");
  EXPECT_EQ(manager.next(), "STATUS=one READY=0") << "one line";
  service.status("one\nREADY=0");
  service.alive();
  EXPECT_EQ(manager.next(), "") << "nobody has asked for a watchdog";
  service.stopping();
  EXPECT_EQ(manager.next(), "STOPPING=1");
}

TEST(ServiceManager, IsToldAgainWhatItDidNotTake) {
  Manager::tell_name();
  ServiceManager service;
  service.ready();
  service.status("tuning");
  const Manager manager;
  service.alive();
  EXPECT_EQ(manager.next(), "READY=1");
  service.status("tuning");
  EXPECT_EQ(manager.next(), "STATUS=tuning");
  service.alive();
  service.status("tuning");
  EXPECT_EQ(manager.next(), "") << "once";
}

TEST(ServiceManager, IsToldThatTheProcessGoesOn) {
  const Manager manager;
  setenv("WATCHDOG_USEC", "3600000000", 1);
  setenv("WATCHDOG_PID", std::to_string(getpid()).c_str(), 1);
  ServiceManager service;
  service.alive();
  EXPECT_EQ(manager.next(), "WATCHDOG=1");
  service.alive();
  EXPECT_EQ(manager.next(), "") << "not before half of the time";
}

TEST(ServiceManager, MayWatchAnotherProcess) {
  const Manager manager;
  setenv("WATCHDOG_USEC", "1000", 1);
  setenv("WATCHDOG_PID", "1", 1);
  ServiceManager service;
  service.alive();
  EXPECT_EQ(manager.next(), "");
}

TEST(ServiceManager, IsNoneWhereThereIsNone) {
  for (const std::string& name :
       {std::string(), std::string("relative"), std::string("/"), std::string("@"),
        "/" + std::string(200, 'x'), std::string("/nowhere/notify")}) {
    setenv("NOTIFY_SOCKET", name.c_str(), 1);
    setenv("WATCHDOG_USEC", "many", 1);
    ServiceManager service;
    service.ready();
    service.status("x");
    service.alive();
    service.stopping();
    EXPECT_EQ(service.is_there(), name == "/nowhere/notify") << name;
  }
  unsetenv("NOTIFY_SOCKET");
  unsetenv("WATCHDOG_USEC");
}

TEST(ServedTuning, SaysLinesAgainAsTheyWereMeant) {
  std::ostringstream said;
  const auto before = spdlog::default_logger();
  auto logger =
      std::make_shared<spdlog::logger>("t", std::make_shared<spdlog::sinks::ostream_sink_st>(said));
  logger->set_pattern("%l|%v");
  spdlog::set_default_logger(logger);
  for (const char* line : {"redtune: warning: a: b", "redtune: error: c", "redtune: info: d",
                           "redtune: strange: e", "f", "", "redtune: "}) {
    log_again(line);
  }
  spdlog::set_default_logger(before);
  EXPECT_EQ(said.str(),
            "warning|a: b\nerror|c\ninfo|d\ninfo|redtune: strange: e\ninfo|f\ninfo|redtune: \n");
}

}  // namespace
}  // namespace redtune::cli
