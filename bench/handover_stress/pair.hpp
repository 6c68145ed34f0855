// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Two Reducers of one configuration at the same time, each on a stream and in a workspace of its
// own, as an application has them.
#pragma once

#include <filesystem>

#include "bench/handover_stress/stress.hpp"

namespace redtune::bench {

/// Of the device that a selection names, on inputs of different seeds. scratch: a folder for made
/// up results, by which the Reducers choose the configuration. Throws DeviceError, and Error where
/// they choose another.
[[nodiscard]] Tally run_pair(const StressCase& one, const std::string& device,
                             const std::filesystem::path& scratch, const Endurance& endurance,
                             std::chrono::seconds patience);

}  // namespace redtune::bench
