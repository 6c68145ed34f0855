// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A service on a simulated GPU, what it is asked for, and who hears how it is.
#pragma once

#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

#include "tests/cli/leave_wanted.hpp"
#include "tests/reliability/simulated_home.hpp"
#include "tests/simulated_gpu/simulated_device.hpp"

namespace redtune::cli {

using namespace std::chrono_literals;

/// The GPU shows whom the tests let be there.
inline constexpr const char* users_told = "users_in_file:";

class Serve : public testing::Test {
 protected:
  /// As a process leaves it that asked the simulated GPU for sums of so many.
  void ask(const std::string& process, const std::vector<std::int64_t>& counts) const {
    std::vector<std::pair<std::int64_t, std::uint64_t>> asked;
    for (const std::int64_t count : counts) asked.emplace_back(count, 7);
    leave_wanted(home_.home(), process, asked, simulated::SimulatedDevice::identity_of({}, 0));
  }
  static Words serve(const Words& more = {}) {
    return with({"serve", "--device", "hip:0", "--idle", "0", "--jobs", "2"}, more);
  }
  static Words once(const Words& more = {}) { return serve(with({"--once"}, more)); }
  [[nodiscard]] Said run(const Words& words, const std::string& directives = "") const {
    return home_.home().run(words, home_.environment(users_told + (";" + directives)));
  }
  /// Somebody is on the GPU: this process, which is no child of the service's.
  void come() const {
    cache::testing::write_text(home_.home() / "simulated/users",
                               std::to_string(getpid()) + " solver\n");
  }
  void go() const { std::filesystem::remove(home_.home() / "simulated/users"); }

  [[nodiscard]] json runs() const { return home_.run({"log", "--json"}).document().at("runs"); }
  [[nodiscard]] std::size_t tuned() const {
    std::size_t count = 0;
    for (const json& run : runs()) count += run.at("state") == "done" ? 1 : 0;
    return count;
  }
  [[nodiscard]] std::size_t left() const {
    return home_.home()
        .run({"wanted", "--json"}, home_.environment())
        .document()
        .at("wanted")
        .size();
  }
  /// No trial was lost or done twice.
  void expect_whole(const json& run) const {
    const json trials =
        home_.run({"log", run.at("run").dump(), "--json"}).document().at("all_trials");
    std::set<std::string> different;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      EXPECT_EQ(trials[i].at("sequence"), i);
      different.insert(trials[i].at("settings").dump());
    }
    EXPECT_EQ(different.size(), trials.size());
  }
  static bool await(const std::function<bool()>& is_so) {
    for (int turn = 0; turn < 2400; ++turn) {
      if (is_so()) return true;
      std::this_thread::sleep_for(50ms);
    }
    return false;
  }

  /// Of a service that says all that it does.
  [[nodiscard]] Words telling(const std::string& directives = "") const {
    Words all = home_.environment(users_told + (";" + directives));
    all.emplace_back("REDTUNE_LOG=debug");
    return all;
  }
  [[nodiscard]] bool await_line(const std::string& text) const {
    return await([&] {
      return cache::testing::read_text(home_.home() / "running.err").find(text) !=
             std::string::npos;
    });
  }

  SimulatedHome home_;
};

/// Hears what a service tells its manager.
class ServiceManagerOfTests {
 public:
  explicit ServiceManagerOfTests(const std::filesystem::path& path)
      : path_(path), socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    EXPECT_LT(path_.string().size(), sizeof(address.sun_path));
    path_.string().copy(address.sun_path, sizeof(address.sun_path) - 1);
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    const timeval patience{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  }
  ~ServiceManagerOfTests() { close(socket_); }
  ServiceManagerOfTests(const ServiceManagerOfTests&) = delete;
  ServiceManagerOfTests& operator=(const ServiceManagerOfTests&) = delete;

  [[nodiscard]] std::string variable() const { return "NOTIFY_SOCKET=" + path_.string(); }
  /// Until something comes that begins so; false: nothing came for a long time.
  [[nodiscard]] bool await(const std::string& wanted) {
    std::array<char, 4096> text{};
    while (true) {
      const ssize_t got = recv(socket_, text.data(), text.size(), 0);
      if (got <= 0) return false;
      told_.emplace_back(text.data(), static_cast<std::size_t>(got));
      if (told_.back().starts_with(wanted)) return true;
    }
  }
  [[nodiscard]] const std::vector<std::string>& told() const { return told_; }

 private:
  std::filesystem::path path_;
  int socket_;
  std::vector<std::string> told_;
};

}  // namespace redtune::cli
