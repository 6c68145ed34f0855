// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs a program to its end, feeds it and keeps what it printed.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::device::host {

struct ProgramOptions {
  std::string_view input = {};                             ///< what it reads from standard input
  std::optional<std::chrono::milliseconds> deadline = {};  ///< killed afterwards
  std::size_t most_output = 64 * 1024;                     ///< bytes kept of standard output
  std::size_t most_memory = 0;  ///< bytes of data it may allocate; 0: no limit
  int stop = -1;                ///< a descriptor; the program is killed when it becomes readable
};

struct Finished {
  int status = 0;          ///< as waitpid gives it
  bool timed_out = false;  ///< killed at the deadline
  bool stopped = false;    ///< killed since ProgramOptions::stop became readable
  std::string output;      ///< standard output
  std::string errors;      ///< standard error, at most 64 KiB

  [[nodiscard]] bool succeeded() const { return status == 0 && !timed_out && !stopped; }

  /// "exit status 1", "killed by signal 6 (Aborted)", "no answer before its deadline".
  [[nodiscard]] std::string ending() const;
};

/// The program is looked up on the path; it and all it started is killed at the deadline. Throws
/// IoError when it cannot be started.
[[nodiscard]] Finished run_program(const std::vector<std::string>& command,
                                   const ProgramOptions& options = {});

/// Whether a program of this name can be run from the path.
[[nodiscard]] bool is_on_path(const std::string& program);

}  // namespace redtune::device::host
