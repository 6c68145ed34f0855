// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/simulate/plot.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace redtune::cli {
namespace {

/// The shortest run that did not end with its space; of those that did, the longest.
std::size_t common_length(const search::Simulation& simulation) {
  std::size_t longest = 0;
  std::size_t shortest = static_cast<std::size_t>(-1);
  for (const search::SimulatedSpace& space : simulation.spaces) {
    for (const search::Result& result : space.results) {
      for (const search::ReplayedRun& run : result.runs) {
        const std::size_t length = run.evaluated.size();
        longest = std::max(longest, length);
        if (length < space.recorded.points.size()) shortest = std::min(shortest, length);
      }
    }
  }
  return std::min(longest, shortest);
}

/// Adds to each value what a run has found by then, times a weight.
void add_run(std::vector<double>& values, const search::ReplayedRun& run,
             const search::SimulatedSpace& space, double weight) {
  double share = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i < run.evaluated.size()) {
      const auto& cost = space.recorded.records[run.evaluated[i]].cost;
      if (cost) share = std::max(share, space.scale.best() / *cost);
    }
    values[i] += share * weight;
  }
}

}  // namespace

LineChart chart_of(const search::Simulation& simulation) {
  const std::size_t spaces = simulation.spaces.size();
  const std::size_t length = common_length(simulation);
  const double weight = 1 / static_cast<double>(spaces * simulation.terms.runs);
  LineChart chart{
      spaces == 1 ? simulation.spaces[0].recorded.name : fmt::format("Mean of {} spaces", spaces),
      "evaluations",
      "optimum / best found",
      {}};
  for (std::size_t i = 0; i < simulation.terms.strategies.size(); ++i) {
    Curve curve{simulation.terms.strategies[i], std::vector<double>(length)};
    for (const search::SimulatedSpace& space : simulation.spaces) {
      for (const search::ReplayedRun& run : space.results[i].runs)
        add_run(curve.values, run, space, weight);
    }
    chart.curves.push_back(std::move(curve));
  }
  return chart;
}

}  // namespace redtune::cli
