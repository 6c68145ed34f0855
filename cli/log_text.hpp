// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Texts of log lines as they may go to a terminal: no name makes a second line of one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redtune::cli {

class LogText {
 public:
  /// given: words and values of variables from outside, any of which a message may quote: the path
  /// of a file for one.
  explicit LogText(std::span<const std::string> given);

  /// A single line, whatever the text holds.
  [[nodiscard]] static std::string line(std::string_view text);
  /// For texts that may hold a compiler's log: what was given stays on its line, and lines that
  /// follow the first begin with a blank, so that none looks like one of redtune's.
  [[nodiscard]] std::string lines(std::string text) const;

 private:
  std::vector<std::pair<std::string, std::string>> names_;  ///< as they are, and as they are shown
};

/// The values of the variables that name files and folders.
[[nodiscard]] std::vector<std::string> values_of_variables();

}  // namespace redtune::cli
