// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A PostgreSQL server of the test's own: its files, its socket and its processes are gone when the
// test has ended. It takes no connection over a network.
#pragma once

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <pwd.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "device/host/subprocess.hpp"
#include "fleet/connection.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::fleet::testing {

namespace fs = std::filesystem;

/// Where Debian's newest server is, or that of the path; nothing: there is none.
[[nodiscard]] inline std::optional<fs::path> server_programs() {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", none)) {
    if (fs::exists(version.path() / "bin/initdb")) found.push_back(version.path() / "bin");
  }
  std::ranges::sort(found, {}, [](const fs::path& programs) {
    return std::atoi(programs.parent_path().filename().c_str());
  });
  if (!found.empty()) return found.back();
  for (const char* folder : {"/usr/bin", "/usr/local/bin"}) {
    if (fs::exists(fs::path(folder) / "initdb")) return folder;
  }
  return std::nullopt;
}

/// Why no server can be started here; empty: one can.
[[nodiscard]] inline std::string why_no_server() {
  if (!server_programs()) return "there is no PostgreSQL server here: apt-get install postgresql";
  if (getuid() == 0 && getpwnam("postgres") == nullptr && getpwnam("nobody") == nullptr) {
    return "a PostgreSQL server refuses to run as root, and there is no user postgres or nobody";
  }
  return {};
}

class Postgres {
 public:
  /// setting: more lines of postgresql.conf; shell: what the server is started behind.
  explicit Postgres(std::string settings = "", std::string shell = "")
      : settings_(std::move(settings)), shell_(std::move(shell)) {
    if (getuid() == 0) {
      const passwd* user = getpwnam("postgres");
      if (user == nullptr) user = getpwnam("nobody");
      user_ = user->pw_name;
      EXPECT_EQ(chown((folder_ / "").parent_path().c_str(), user->pw_uid, user->pw_gid), 0);
    }
    // Whatever ends this process ends the server.
    const std::string watch = fmt::format(
        "cat > /dev/null; kill -QUIT \"$(head -n 1 '{0}/data/postmaster.pid')\"; rm -rf '{0}'",
        folder().string());
    // Also a signal for its whole group, as of timeout(1), which the server itself does not get.
    end_ = popen(("exec setsid sh -c '" + quoted(watch) + "' 2> /dev/null").c_str(), "we");
    call({(programs_ / "initdb").string(), "-D", data(), "--no-sync", "--locale=C.UTF-8", "-A",
          "trust", "-U", "owner", "--wal-segsize=1"});
    {
      // What is on the disk is for a machine that goes down, which none does for a test; a server
      // that was killed would bring every file there before it starts again.
      std::ofstream conf(data() + "/postgresql.conf", std::ios::app);
      conf << "fsync = off\nlisten_addresses = ''\nunix_socket_directories = '" << folder().string()
           << "'\nmax_connections = 200\nshared_buffers = '64MB'\n"
           << settings_ << "\n";
    }
    start();
    if (is_up_) (void)sql("postgres", "CREATE DATABASE fleet");
  }
  ~Postgres() {
    stop("immediate");
    if (end_ != nullptr) pclose(end_);
  }
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;

  void start() {
    Words words{(programs_ / "pg_ctl").string(), "-D",   data(), "-w", "-t", "60", "-l",
                (folder() / "log").string(),     "start"};
    is_up_ = call(words) == 0;
    EXPECT_TRUE(is_up_) << cache::testing::read_text(folder() / "log");
  }
  /// How: "fast", or "immediate", which is as if it had crashed.
  void stop(const std::string& how) {
    if (!is_up_) return;
    (void)call({(programs_ / "pg_ctl").string(), "-D", data(), "-w", "-m", how, "stop"});
    is_up_ = false;
  }
  /// Stops all of the server's processes, so that it is there and does not answer; or lets them
  /// go on.
  void freeze(int signal) const {
    std::ifstream file(data() + "/postmaster.pid");
    pid_t postmaster = 0;
    file >> postmaster;
    std::vector<pid_t> all{postmaster};
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream status(entry.path() / "stat");
      std::string text{std::istreambuf_iterator<char>(status), {}};
      const auto behind = text.rfind(") ");
      if (behind == std::string::npos) continue;
      const pid_t parent = std::atoi(text.c_str() + behind + 4);
      if (parent == postmaster) all.push_back(std::atoi(name.c_str()));
    }
    for (const pid_t process : all) kill(process, signal);
  }

  [[nodiscard]] fs::path folder() const { return (folder_ / "").parent_path(); }
  [[nodiscard]] std::string url(const std::string& role = "owner",
                                const std::string& database = "fleet") const {
    std::string host = folder().string();
    for (auto at = host.find('/'); at != std::string::npos; at = host.find('/')) {
      host.replace(at, 1, "%2F");
    }
    return fmt::format("postgresql://{}@{}/{}", role, host, database);
  }
  /// One statement of the owner's: its first value.
  std::string sql(const std::string& database, const std::string& statement) const {
    Connection connection(url("owner", database));
    const auto rows = connection.ask(statement);
    return rows.empty() || rows[0].empty() ? "" : rows[0][0].value_or("");
  }
  std::string sql(const std::string& statement) const { return sql("fleet", statement); }
  /// A role that may log in and do what that one may.
  void add_role(const std::string& name, const std::string& as) const {
    (void)sql("CREATE ROLE " + name + " LOGIN");
    (void)sql("GRANT " + as + " TO " + name);
  }

 private:
  using Words = std::vector<std::string>;

  /// Within single quotes of a shell.
  static std::string quoted(const std::string& text) {
    std::string all;
    for (const char c : text) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return all;
  }
  [[nodiscard]] std::string data() const { return (folder_ / "data").string(); }
  int call(const Words& words) const {
    // A server does not start where it may not look at its folder. What it inherits it would keep,
    // such as the lock of whoever runs one test at a time.
    Words all{"/bin/sh", "-c",
              "cd / && exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- && " + shell_ + " exec \"$@\"",
              "sh"};
    if (!user_.empty()) all.insert(all.end(), {"/usr/sbin/runuser", "-u", user_, "--"});
    all.insert(all.end(), words.begin(), words.end());
    const auto done = device::host::run_program(all, {.deadline = std::chrono::seconds(100)});
    EXPECT_EQ(done.status, 0) << fmt::format("{}", fmt::join(words, " ")) << done.errors
                              << done.output;
    return done.status;
  }

  checks::ScratchFolder folder_{};
  FILE* end_ = nullptr;
  fs::path programs_ = server_programs().value_or("");
  std::string settings_;
  std::string shell_;
  std::string user_;
  bool is_up_ = false;
};

/// One server for the tests of a program, which are apart by their databases.
inline Postgres& shared_server() {
  static Postgres server("synchronous_commit = off");
  return server;
}

}  // namespace redtune::fleet::testing
