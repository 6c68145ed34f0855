// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How well a score tells what a program gets: in each pattern the order of all configs, and what
// following the score costs.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bench/in_context/findings.hpp"
#include "bench/in_context/ranks.hpp"

namespace redtune::bench {

/// Configs of a pattern's own share up to so many times its least are near: among them a tuner has
/// to choose.
inline constexpr double near_share = 1.5;

/// One score against one pattern.
struct Prediction {
  std::optional<double> correlation;       ///< of ranks, over all configs
  std::optional<double> near_correlation;  ///< over those that are near
  /// Of the config with the best score, in the pattern.
  std::optional<Regret> own_regret;
  std::optional<Regret> step_regret;
};

struct PatternVerdict {
  std::string_view name;
  double alone_us = 0;     ///< of the pattern's other kernels
  double best_own_us = 0;  ///< the least own share
  double noise_us = 0;     ///< of an own share: the median of all configs' noise
  std::size_t ranks = 0;   ///< that noise leaves distinct
  std::size_t near = 0;    ///< configs
  Prediction by_score;
  Prediction by_row;
  /// Of odd with even rounds of the pattern itself: noise lets nobody come closer.
  std::optional<double> itself;
};

/// A score's own figures.
struct ScoreFacts {
  std::size_t winner = 0;
  double best_us = 0;
  double worst_us = 0;
  double noise_us = 0;
  std::size_t ranks = 0;
};

struct ProblemVerdict {
  ScoreFacts score;
  ScoreFacts row;
  std::vector<PatternVerdict> patterns;
};

/// Of at least one contestant and two rounds.
[[nodiscard]] ProblemVerdict judge(const ProblemFindings& findings);

/// A pattern over several counts: mean correlations, geometric means of regrets and the worst one;
/// of those that there are.
struct PatternSummary {
  struct Means {
    std::optional<double> correlation;
    std::optional<double> near_correlation;
    std::optional<double> own_regret;
    std::optional<double> worst_own_regret;
    std::optional<double> step_regret;
  };
  std::string_view name;
  Means by_score;
  Means by_row;
  std::optional<double> itself;
};

/// One for each pattern; all verdicts have the same ones.
[[nodiscard]] std::vector<PatternSummary> summary_of(const std::vector<ProblemVerdict>& verdicts);

}  // namespace redtune::bench
