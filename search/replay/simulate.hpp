// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Strategies against recorded spaces: many runs of each on each, over all processors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "search/replay/score.hpp"
#include "search/strategy.hpp"

namespace redtune::search {

/// After how many evaluations the best found is compared with the optimum.
inline constexpr std::array<std::size_t, 4> milestones{25, 50, 100, 200};

struct SimulationTerms {
  std::vector<std::string> strategies;
  std::size_t runs = 100;
  std::optional<std::uint64_t> budget = std::nullopt;  ///< of a run, in `unit`; nothing: as needed
  double percentile = 0.95;
  std::uint64_t seed = 1;
  AskSizes asks = {};
  Noise noise = Noise::none;
  CostUnit unit = CostUnit::evaluations;
  std::string start = "none";  ///< what the spaces' start points are, for the document
  unsigned threads = 0;        ///< 0: one for each processor; results do not depend on it
};

/// A strategy's runs on a space.
struct Result {
  std::vector<ReplayedRun> runs;
  std::optional<Score> score;  ///< nothing: the runs were too short for it
  std::array<std::optional<double>, milestones.size()> found;
  double strategy_us = 0;  ///< in the strategy, for an evaluation
};

struct SimulatedSpace {
  RecordedSpace recorded;
  search::Space space;
  Scale scale;
  Window window;
  std::vector<Result> results;  ///< of each strategy
};

struct Simulation {
  SimulationTerms terms;
  std::vector<SimulatedSpace> spaces;
};

/// Mean over spaces. Nothing where a space has nothing.
struct MeanResult {
  std::optional<Score> score;
  std::array<std::optional<double>, milestones.size()> found;
  double strategy_us = 0;
};

/// What a run begins with.
using KnownBefore = std::function<search::StrategyOptions(std::size_t space, std::size_t run)>;

/// Called on the caller's thread from time to time, with the runs that are done.
using SimulationProgress = std::function<void(std::size_t done, std::size_t of)>;

/// Throws UsageError for unknown strategies, and for seconds where a space has none.
/// known_before: the options of a run's strategy, but for the seed, instead of the start points of
/// its space; called on many threads.
[[nodiscard]] Simulation simulate(std::vector<RecordedSpace> spaces, const SimulationTerms& terms,
                                  const KnownBefore& known_before = {},
                                  const SimulationProgress& progress = {});

[[nodiscard]] MeanResult mean_over_spaces(const Simulation& simulation, std::size_t strategy);

}  // namespace redtune::search
