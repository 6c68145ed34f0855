// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune tune, where there is more than one problem to tune.
#pragma once

#include "cli/command.hpp"
#include "cli/names.hpp"
#include "tuner/tuner.hpp"
#include "tuner/workload/workload.hpp"

namespace redtune::cli {

/// Tunes the items one after the other and says what was found: the exit code.
int run_workload(const Options& options, Tuner& tuner, const Workload& workload);

}  // namespace redtune::cli
