// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The loop: ask a strategy, evaluate, tell it, until the budget is spent; then time the finalists
// against the default and decide.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernel_templates/family.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"
#include "search/budget.hpp"
#include "tuner/session/evaluator.hpp"

namespace redtune::tuner {

struct TuneRequest {
  const kernels::Family* family = nullptr;
  Problem problem;
  Limits limits;
  std::string strategy = "hill_climbing";
  std::uint64_t seed = 0;
  search::Budget budget;
  /// Tried after the default and before the family's known shapes; invalid ones are left out.
  std::vector<Settings> start = {};
  std::map<search::Point, Outcome> known =
      {};  ///< from an earlier, interrupted run: not evaluated again
  const std::atomic<bool>* stop = nullptr;  ///< set by a signal: finish, confirm, return
};

struct Trial {
  std::size_t sequence = 0;
  search::Point point;
  Settings settings;
  Evaluation evaluation;
  bool replayed = false;  ///< known from an earlier run
};

/// What a person watching wants to know after each step.
struct Progress {
  std::size_t trials = 0;
  std::size_t space_size = 0;
  double share = 0;  ///< of the budget that is spent, 0 to 1
  std::optional<double> default_us;
  std::optional<double> best_us;
};

struct TuneObserver {
  std::function<void(const Trial&, const Progress&)> on_trial = [](const auto&, const auto&) {};
  std::function<void(std::size_t finalists)> on_final = [](std::size_t) {};
};

struct TuneResult {
  Settings default_settings;
  std::vector<Settings> finalists;  ///< the first is the default
  Decision decision;
  double stream_us = 0;  ///< the winner when each execution is queued by the host
  std::size_t trials = 0;
  std::size_t space_size = 0;
  std::map<std::string, std::size_t> statuses;  ///< how many trials ended how
  bool interrupted = false;

  [[nodiscard]] const Settings& winner() const { return finalists[decision.winner]; }
};

/// Throws NothingValid when not even the default gives a right result.
[[nodiscard]] TuneResult tune(const TuneRequest& request, Evaluator& evaluator,
                              const TuneObserver& observer);

}  // namespace redtune::tuner
