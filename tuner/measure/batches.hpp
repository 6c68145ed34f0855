// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Samples of one candidate, in batches that are long enough.
#pragma once

#include <vector>

#include "tuner/measure/clock_guard.hpp"

namespace redtune::tuner {

class Batches {
 public:
  /// order: the candidate and how it is queued; the executions are found out.
  Batches(ClockGuard& guard, const BatchOrder& order, Phase phase);

  /// One execution alone, the first thing to ask for: roughly how long it took, in microseconds; no
  /// number where nothing is left of it without the other kernels.
  double single();
  /// Enlarges the batch until it is long enough, which warms up as well. What an execution took in
  /// the last batch.
  double warm_up(double batch_us);
  /// Microseconds of one execution.
  [[nodiscard]] double sample();
  /// So many of them.
  [[nodiscard]] std::vector<double> samples(std::size_t count);
  /// One with all that it is made of.
  [[nodiscard]] Sample whole_sample();

  [[nodiscard]] std::size_t executions() const { return order_.executions; }
  /// Known when warm.
  [[nodiscard]] bool is_one_by_one() const { return is_one_by_one_; }
  void resize(std::size_t executions) { order_.executions = executions; }

 private:
  ClockGuard* guard_;
  BatchOrder order_;
  Phase phase_;
  double single_us_ = 0;  // without the charge
  bool is_one_by_one_ = false;
};

}  // namespace redtune::tuner
