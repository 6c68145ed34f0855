// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What strategies have found after each evaluation, as curves.
#pragma once

#include "cli/plot/line_chart.hpp"
#include "search/replay/simulate.hpp"

namespace redtune::cli {

/// Optimum over the best found, mean over runs and spaces, as far as all runs go.
[[nodiscard]] LineChart chart_of(const search::Simulation& simulation);

}  // namespace redtune::cli
