// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A process that compiles what it is asked for, one request after another, from both sides.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "device/compiler.hpp"
#include "device/host/child.hpp"

namespace redtune::tuner {

/// The compiler took its process down, or did not come back.
struct CompileCrash {
  std::string why;
};

class CompileWorker {
 public:
  /// Starts the process. Throws IoError when it cannot be started.
  explicit CompileWorker(const std::vector<std::string>& command);

  [[nodiscard]] const std::vector<std::string>& command() const { return command_; }
  /// Requests that it was given so far.
  [[nodiscard]] int requests() const { return requests_; }
  /// Whether its process is gone.
  [[nodiscard]] bool has_ended() {
    return child_.wait(device::host::SteadyClock::now()).has_value();
  }

  using Answer = std::variant<device::CompileResult, CompileCrash>;
  /// After a crash the process is gone. stop: a descriptor; throws Stopped when it becomes
  /// readable.
  [[nodiscard]] Answer ask(const device::CompileRequest& request, std::chrono::milliseconds timeout,
                           int stop);
  /// Kills it, and does not wait for its end.
  void end() { (void)child_.kill_group(std::chrono::milliseconds(0)); }

 private:
  /// The bytes of an answer; nothing: they did not come.
  [[nodiscard]] std::optional<std::string> converse(std::string_view request,
                                                    const device::host::Deadline& until, int stop);
  void take_errors();
  [[nodiscard]] CompileCrash crash(const device::host::Deadline& until);

  std::vector<std::string> command_;
  device::host::Child child_;
  int requests_ = 0;
  std::string errors_;  // what it has printed since it was asked
};

/// The worker's side: compiles what is asked for on standard input, and answers on standard output,
/// until that is closed at the other end; ends at once when that happens at work. What compilers
/// print goes to standard error. Returns the exit code.
[[nodiscard]] int serve_compile_requests(const device::Compiler& compiler);

}  // namespace redtune::tuner
