// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One file of JSON lines for each tuning run: what was asked, every trial as it ends, what was
// decided.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "tuner/session/tune.hpp"
#include "tuner/text/json.hpp"

namespace redtune::tuner {

/// The logs in a folder, oldest first, as their names tell.
[[nodiscard]] std::vector<std::filesystem::path> run_logs_in(const std::filesystem::path& folder);

class RunLog {
 public:
  /// Makes a new file in the folder, named by the time and the process. Without a folder, or when
  /// it cannot be written, lines go nowhere and problem() says why.
  explicit RunLog(const std::optional<std::filesystem::path>& folder);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// Adds a line of this kind; each line is flushed, so that a killed run leaves what it had.
  void write(const std::string& kind, const Json& fields);
  void write(const Trial& trial);
  void write(const TuneResult& result);

 private:
  std::filesystem::path file_;
  std::ofstream stream_;
  std::string problem_;
};

}  // namespace redtune::tuner
