// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What strategies have found after each evaluation, as curves.
#pragma once

#include "tuner/report/line_chart.hpp"
#include "tuner/simulate/simulate.hpp"

namespace redtune::tuner {

/// Optimum over the best found, mean over runs and spaces, as far as all runs go.
[[nodiscard]] LineChart chart_of(const Simulation& simulation);

}  // namespace redtune::tuner
