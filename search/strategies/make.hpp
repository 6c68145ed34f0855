// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Makes a strategy of each kind; how each goes about it stands on top of its own file. For the
// registry, which tells them apart by name.
#pragma once

#include <memory>

#include "search/space.hpp"
#include "search/strategy.hpp"

namespace redtune::search {

using StrategyMaker = std::unique_ptr<Strategy>(const Space& space, const StrategyOptions& options);

StrategyMaker make_annealing;
StrategyMaker make_genetic;
StrategyMaker make_grid;
StrategyMaker make_hill_climbing;
StrategyMaker make_random;
StrategyMaker make_surrogate;

}  // namespace redtune::search
