// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs the built program as a person would, each test in a home of its own.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <future>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "device/host/subprocess.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::cli {

using nlohmann::json;
using Words = std::vector<std::string>;

/// How the program ended and what it said.
struct Said {
  int code = 0;  ///< exit code, or minus the signal
  std::string out;
  std::string err;

  /// The whole output as JSON; a test failure when it is none.
  [[nodiscard]] json document() const {
    json value = json::parse(out, nullptr, false);
    EXPECT_FALSE(value.is_discarded()) << "no JSON: " << out << err;
    return value;
  }
  [[nodiscard]] bool says(const std::string& text) const {
    return out.find(text) != std::string::npos || err.find(text) != std::string::npos;
  }
};

/// How often a text stands in another.
[[nodiscard]] inline std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

/// Warnings, but those of a machine that is busy with other tests.
[[nodiscard]] inline std::size_t warnings_in(const std::string& text) {
  std::size_t count = count_of(text, "warning: ");
  for (const char* of_a_busy_machine :
       {"times of the same configuration", "the default's speed did not settle",
        "an execution takes "}) {
    count -= count_of(text, std::string("warning: ") + of_a_busy_machine);
  }
  return count;
}

[[nodiscard]] inline std::vector<json> lines_of(const std::filesystem::path& file) {
  std::vector<json> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(json::parse(line, nullptr, false));
  }
  return lines;
}

[[nodiscard]] inline Words lines_in(const std::string& text) {
  Words lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Runs a command to its end.
[[nodiscard]] inline Said run_command(const Words& command) {
  const auto finished = device::host::run_program(
      command, {.deadline = std::chrono::minutes(14), .most_output = std::size_t{1} << 28});
  EXPECT_FALSE(finished.timed_out) << "hangs";
  const int status = finished.status;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), finished.output,
          finished.errors};
}

/// Runs a command to its end on a terminal of so many columns: all that it writes there.
[[nodiscard]] inline std::string run_on_terminal(const Words& command,
                                                 unsigned short columns = 120) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  EXPECT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  const winsize size{50, columns, 0, 0};
  EXPECT_EQ(ioctl(terminal, TIOCSWINSZ, &size), 0);
  Words shell{"/bin/sh", "-c", "file=$1; shift; exec \"$@\" > \"$file\" 2>&1", "sh",
              ptsname(terminal)};
  shell.insert(shell.end(), command.begin(), command.end());
  auto running = std::async(std::launch::async, [&] { return run_command(shell); });
  // Nobody may have opened it yet, and when the last has closed it, reading fails.
  std::string drawn;
  std::array<char, 4096> part{};
  const int held = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  for (bool is_over = false;;) {
    const ssize_t got = read(terminal, part.data(), part.size());
    if (got > 0) {
      drawn.append(part.data(), static_cast<std::size_t>(got));
    } else if (is_over) {
      break;
    } else {
      is_over = running.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready;
    }
  }
  close(held);
  close(terminal);
  std::erase(drawn, '\r');
  EXPECT_EQ(running.get().code, 0) << drawn;
  return drawn;
}

/// A person's folders, all empty at first.
class Home {
 public:
  Home() { std::filesystem::create_directory(folder_ / "run"); }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return folder_ / name;
  }

  /// redtune with these words; environment: more "NAME=value", or "-uNAME" to unset one.
  [[nodiscard]] Said run(const Words& words, const Words& environment = {}) const {
    return run_command(command(words, environment));
  }
  /// redtune on a terminal that understands escape codes: what it shows, standard error included.
  [[nodiscard]] std::string on_terminal(const Words& words, const Words& environment = {}) const {
    Words more{"TERM=xterm"};
    more.insert(more.end(), environment.begin(), environment.end());
    return run_on_terminal(command(words, more));
  }
  /// redtune with these words behind a piece of shell, in which "$@" is redtune.
  [[nodiscard]] Said run_in_shell(const std::string& script, const Words& words,
                                  const Words& environment = {}) const {
    Words shell{"/bin/sh", "-c", script, "sh"};
    const Words redtune = command(words, environment);
    shell.insert(shell.end(), redtune.begin(), redtune.end());
    return run_command(shell);
  }
  /// The whole command line.
  [[nodiscard]] Words command(const Words& words, const Words& environment) const {
    Words all{"/usr/bin/env",
              "-uREDTUNE_CACHE",
              "-uREDTUNE_FUZZ_SECONDS",
              "-uREDTUNE_FUZZ_SEED",
              "-uREDTUNE_LOG",
              "-uNO_COLOR",
              "HOME=" + (folder_ / "home").string(),
              "XDG_DATA_HOME=" + (folder_ / "data").string(),
              "XDG_STATE_HOME=" + (folder_ / "state").string(),
              "XDG_CACHE_HOME=" + (folder_ / "cache").string(),
              "XDG_RUNTIME_DIR=" + (folder_ / "run").string(),
              "REDTUNE_MODULE_PATH=" REDTUNE_MODULES};
    // env takes its options before the variables.
    for (const std::string& one : environment) {
      all.insert(one.starts_with("-u") ? all.begin() + 1 : all.end(), one);
      if (one.starts_with("-u"))
        std::erase_if(
            all, [&](const std::string& word) { return word.starts_with(one.substr(2) + "="); });
    }
    all.emplace_back(REDTUNE_PROGRAM);
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }
  /// The JSON-lines logs of all runs, oldest first.
  [[nodiscard]] std::vector<std::filesystem::path> logs() const {
    std::vector<std::filesystem::path> files;
    std::error_code none_yet;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder_ / "state/redtune", none_yet)) {
      files.push_back(entry.path());
    }
    // Named by the second and the process, whose numbers are of no order.
    std::ranges::sort(files, {}, [](const std::filesystem::path& file) {
      const std::string name = file.filename().string();
      return std::pair(name.substr(0, name.rfind('-')), std::filesystem::last_write_time(file));
    });
    return files;
  }

 private:
  cache::testing::ScratchFolder folder_;
};

/// Words and more of them; an option of those stands instead of the same one of these.
[[nodiscard]] inline Words with(Words words, const Words& more) {
  for (const std::string& one : more) {
    const auto same = std::ranges::find(words, one);
    if (same == words.end() || !one.starts_with("--")) continue;
    const bool has_value = same + 1 != words.end() && !same[1].starts_with("--");
    words.erase(same, same + (has_value ? 2 : 1));
  }
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A small search on the host that takes a few seconds.
[[nodiscard]] inline Words quick_tune(const Words& more = {}) {
  // Other tests run beside this one: a host's times differ as they please.
  return with({"tune", "--force-noisy", "--device", "host", "--count", "1000", "--budget", "6"},
              more);
}

/// redtune at work while the test goes on.
class Running {
 public:
  Running(const Home& home, const Words& words, const Words& environment = {})
      : Running(WholeCommand{}, home, home.command(words, environment)) {}
  struct WholeCommand {};
  Running(WholeCommand /*unused*/, const Home& home, const Words& redtune)
      : out_(home / "running.out"), err_(home / "running.err") {
    Words all{"/bin/sh", "-c", "out=$1 err=$2; shift 2; exec \"$@\" > \"$out\" 2> \"$err\"",
              "sh",      out_, err_};
    all.insert(all.end(), redtune.begin(), redtune.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    child_ = fork();
    if (child_ != 0) return;
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  ~Running() {
    if (child_ > 0) (void)end_with(SIGKILL);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  [[nodiscard]] pid_t id() const { return child_; }
  [[nodiscard]] Said end_with(int signal) {
    kill(child_, signal);
    return wait();
  }
  [[nodiscard]] Said wait() {
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
            cache::testing::read_text(out_), cache::testing::read_text(err_)};
  }

 private:
  std::filesystem::path out_;
  std::filesystem::path err_;
  pid_t child_ = -1;
};

/// Waits until the newest log of a home, of so many, has so many trials; false after half a minute.
[[nodiscard]] inline bool await_trials(const Home& home, std::size_t trials, std::size_t runs = 1) {
  using namespace std::chrono_literals;
  for (int turn = 0; turn < 600; ++turn) {
    const auto logs = home.logs();
    if (logs.size() >= runs) {
      const std::string text = cache::testing::read_text(logs.back());
      if (count_of(text, "\"kind\":\"trial\"") >= trials) return true;
    }
    std::this_thread::sleep_for(50ms);
  }
  return false;
}

}  // namespace redtune::cli
