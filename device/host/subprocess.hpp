// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs a program to its end and keeps what it printed.
#pragma once

#include <string>
#include <vector>

namespace redtune::device::host {

struct Finished {
  int status = 0;      ///< as waitpid gives it
  std::string output;  ///< standard output and error together, at most 64 KiB

  [[nodiscard]] bool succeeded() const { return status == 0; }
};

/// The program is looked up on the path. Throws IoError when it cannot be started.
[[nodiscard]] Finished run_program(const std::vector<std::string>& command);

/// Whether a program of this name can be run from the path.
[[nodiscard]] bool is_on_path(const std::string& program);

}  // namespace redtune::device::host
