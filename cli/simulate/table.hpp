// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Scores as people read them.
#pragma once

#include <string>

#include "search/replay/simulate.hpp"

namespace redtune::cli {

/// A row for each strategy on each space, then, of several spaces, for the mean over them.
[[nodiscard]] std::string table_of(const search::Simulation& simulation);

}  // namespace redtune::cli
