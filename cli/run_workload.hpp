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
#include "cli/terminal.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {

/// How far a run over many problems is; a run of one problem is as far as its search.
class RunProgress {
 public:
  /// From now on the run has so many problems.
  void begin(std::size_t problems);
  /// One of them begins.
  void begin_problem(std::size_t index, std::string name);
  /// It was tuned, and was not known before.
  void end_tuned(std::chrono::duration<double> took);

  [[nodiscard]] bool has_many() const { return problems_ > 1; }
  /// Of the run, where this share of the problem's search is done.
  [[nodiscard]] double share(double of_problem) const;
  /// Which problem it is and how long the others are likely to take; empty for a run of one.
  [[nodiscard]] std::string prefix() const;

 private:
  std::size_t problems_ = 1;
  std::size_t index_ = 0;
  std::string name_;
  std::size_t tuned_ = 0;
  std::chrono::duration<double> took_{0};  ///< those that were tuned, together
};

/// Tunes them one after the other and says what was found: the exit code.
int run_workload(const Options& options, Tuner& tuner, const std::vector<TuneTask>& tasks,
                 RunProgress& progress, ProgressLine& line);

}  // namespace redtune::cli
