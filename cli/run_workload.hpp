// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune tune, where there is more than one problem to tune.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/names.hpp"
#include "cli/report/time_left.hpp"
#include "cli/report/workload_list.hpp"
#include "cli/terminal.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {

/// How far a run over many problems is; a run of one problem is as far as its search.
class RunProgress {
 public:
  /// From now on the run has these problems.
  void begin(std::vector<ListedItem> items);
  /// One of them begins.
  void begin_problem(std::size_t index) { index_ = index; }
  /// It was tuned, and was not known before.
  void end_tuned(std::chrono::duration<double> took) { left_.add(index_, took.count()); }

  [[nodiscard]] bool has_many() const { return items_.size() > 1; }
  /// Of what the run is to tune, where this share of the problem's search is done.
  [[nodiscard]] double share(double of_problem) const;
  /// Which problem it is: "3/16 sum f32 2^20 cold: "; empty for a run of one.
  [[nodiscard]] std::string name() const;
  /// Likewise, with how long it and those behind it are likely to take.
  [[nodiscard]] std::string name_and_time_left() const;

 private:
  [[nodiscard]] std::string text(const std::string& more) const;

  std::vector<ListedItem> items_;
  std::size_t index_ = 0;
  TimeLeft left_;
};

/// Tunes them one after the other and says what was found: the exit code. progress: has begun.
int run_workload(const Options& options, Tuner& tuner, const std::vector<TuneTask>& tasks,
                 RunProgress& progress, ProgressLine& line);

}  // namespace redtune::cli
