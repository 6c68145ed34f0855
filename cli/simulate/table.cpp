// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/simulate/table.hpp"

#include <fmt/format.h>

#include "cli/names.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::string> header() {
  std::vector<std::string> row{"space", "strategy", "target", "budget", "score", "+-"};
  for (const std::size_t evaluations : search::milestones)
    row.push_back(fmt::format("@{}", evaluations));
  row.emplace_back("ask+tell us");
  return row;
}

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

/// search::Result or MeanResult.
template <class Scored>
void append(Rows& rows, std::vector<std::string> row, const Scored& result) {
  row.push_back(result.score ? fmt::format("{:.3f}", result.score->value) : "-");
  row.push_back(result.score ? fmt::format("{:.3f}", result.score->deviation) : "-");
  for (const auto& share : result.found) row.push_back(cell(share));
  row.push_back(fmt::format("{:.2f}", result.strategy_us));
  rows.push_back(std::move(row));
}

}  // namespace

std::string table_of(const search::Simulation& simulation) {
  Rows rows{header()};
  const auto& strategies = simulation.terms.strategies;
  for (const search::SimulatedSpace& space : simulation.spaces) {
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      append(rows,
             {space.recorded.name, strategies[i], fmt::format("{:g}", space.window.percentile),
              fmt::format("{}", space.window.last)},
             space.results[i]);
    }
  }
  if (simulation.spaces.size() > 1) {
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      append(rows, {"mean", strategies[i], "-", "-"}, search::mean_over_spaces(simulation, i));
    }
  }
  return table(rows);
}

}  // namespace redtune::cli
