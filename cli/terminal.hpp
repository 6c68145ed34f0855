// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What may be drawn where: colours, a progress bar on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

namespace redtune::cli {

/// A terminal that understands escape codes, and no NO_COLOR.
[[nodiscard]] bool color_wanted(std::FILE* stream);

/// A status that changes in place on a terminal, is a plain line every few seconds on one whose
/// cursor cannot be moved, and is nothing elsewhere: logs are not filled by it. Draws on standard
/// error.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// share: of the work that is done, 0 to 1.
  void show(double share, const std::string& text);
  /// Something begins that has no share: with the seconds that it takes, which go on by themselves
  /// in place until something else is shown.
  void begin(const std::string& what);
  /// Removes the bar, so that other lines can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const std::string& line);
  void tick();
  void stop_ticking();

  bool in_place_;
  bool is_quiet_;  ///< no terminal
  std::mutex drawing_;
  bool is_drawn_ = false;
  Clock::time_point last_;
  std::string stage_;  ///< that has begun; empty: none
  Clock::time_point stage_begin_;
  std::condition_variable ended_;
  std::thread ticker_;
};

}  // namespace redtune::cli
