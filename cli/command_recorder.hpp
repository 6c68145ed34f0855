// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Keeps what the commands of a program print. Each runs in a process of its own: a driver that
// takes one of them down costs its file, not the bundle.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/doctor/bundle.hpp"

namespace redtune::cli {

/// Whether a command opens devices, which may hang.
enum class Opens { nothing, devices };

class CommandRecorder {
 public:
  /// most_time: of a command.
  CommandRecorder(std::string program, std::chrono::milliseconds most_time)
      : program_(std::move(program)), most_time_(most_time) {}

  /// Keeps what a command prints under a name, and under NAME.err.txt its errors and how it ended,
  /// unless it had none and ended well. After one that hung, others that open devices are not run.
  /// Returns what it printed.
  std::string record(const std::string& name, const std::vector<std::string>& words, Opens opens);

  [[nodiscard]] const std::vector<BundleMember>& members() const { return members_; }

 private:
  std::string program_;
  std::chrono::milliseconds most_time_;
  std::string hung_;  ///< the command that opened devices and gave no answer
  std::vector<BundleMember> members_;
};

}  // namespace redtune::cli
