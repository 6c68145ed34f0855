// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A turn of a service that works for a fleet: in the process that tunes, so that neither a database
// nor a driver ever holds the service up.
#pragma once

#include <functional>
#include <string>

#include "cli/command.hpp"

namespace redtune::cli {

/// Pushes what was found here and what is wanted, then claims questions of these devices, tunes
/// them, pushes again and gives them back, until there are none or the time of --budget is over.
/// tune: tunes what stands in a folder of wanted questions, and returns its exit code. Returns that
/// of the turn.
int run_fleet_turn(const Options& options, const std::function<int(const std::string&)>& tune);

}  // namespace redtune::cli
