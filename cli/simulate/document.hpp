// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A simulation with every evaluation of every run, so that others can score it themselves.
#pragma once

#include "cli/names.hpp"
#include "search/replay/simulate.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

/// Raised when a reader of older documents would misread newer ones.
inline constexpr std::string_view simulation_format = "redtune simulation 1";

/// The shape: docs/reference/exchange.md.
[[nodiscard]] Json json_of(const search::Simulation& simulation);

}  // namespace redtune::cli
