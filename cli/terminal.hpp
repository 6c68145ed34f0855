// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What may be drawn where: colours, a progress bar on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace redtune::cli {

/// A terminal that understands escape codes, and no NO_COLOR.
[[nodiscard]] bool color_wanted(std::FILE* stream);

/// A status that changes in place on a terminal, and is a plain line every few seconds elsewhere.
/// Draws on standard error.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// share: of the work that is done, 0 to 1.
  void show(double share, const std::string& text);
  /// Removes the bar, so that other lines can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool in_place_;
  bool is_drawn_ = false;
  Clock::time_point last_;
};

}  // namespace redtune::cli
