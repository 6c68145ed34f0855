// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What redtune simulate shows: a table, a chart, and the whole of it as JSON.
#pragma once

#include <string>

#include "cli/names.hpp"
#include "cli/plot/charts.hpp"
#include "search/replay/simulate.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

/// Scores as people read them: a row for each strategy on each space, then, of several spaces, for
/// the mean over them.
[[nodiscard]] std::string table_of(const search::Simulation& simulation);

/// What strategies have found after each evaluation, as curves: optimum over the best found, mean
/// over runs and spaces, as far as all runs go.
[[nodiscard]] LineChart chart_of(const search::Simulation& simulation);

/// Raised when a reader of older documents would misread newer ones.
inline constexpr std::string_view simulation_format = "redtune simulation 1";

/// The shape: docs/reference/exchange.md.
[[nodiscard]] Json json_of(const search::Simulation& simulation);

}  // namespace redtune::cli
