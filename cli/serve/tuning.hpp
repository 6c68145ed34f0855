// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A tune that runs beside this process and can be ended at any moment: what it says is passed on,
// what it has tried is in the store.
#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

#include "device/host/child.hpp"

namespace redtune::cli {

class Tuning {
 public:
  explicit Tuning(const std::vector<std::string>& command) : child_(command) {}

  [[nodiscard]] pid_t process() const { return child_.id(); }
  /// Passes on what it has said until now, and looks whether it has ended.
  [[nodiscard]] bool has_ended();
  /// Ends it, and all that it started, within a second: the trial under way is taken back, and the
  /// run can be gone on with.
  void stop();
  /// Once it has ended: its exit code, or minus the signal.
  [[nodiscard]] int code() const;
  /// Its standard streams, to wait until it says something; -1 for one that is closed.
  [[nodiscard]] int output() { return child_.channel(Stream::output).get(); }
  [[nodiscard]] int errors() { return child_.channel(Stream::errors).get(); }

 private:
  using Stream = device::host::StandardStream;
  void pass_on();

  device::host::Child child_;
  std::string errors_;  // the beginning of a line
};

/// A line of a command's standard error, "redtune: warning: text", as a line of this process.
void log_again(const std::string& line);

}  // namespace redtune::cli
