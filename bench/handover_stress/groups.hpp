// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions by key in tiles, whose blocks wait for those of the tiles before: launched again and
// again with other keys and counts, and every group compared.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "bench/handover_stress/cases.hpp"
#include "bench/handover_stress/stress.hpp"

namespace redtune::bench {

/// Sums of all types whose hand-overs differ; none where a device cannot have tiles.
[[nodiscard]] std::vector<StressCase> cases_of_groups(const Limits& limits);

/// One of these cases. Throws DeviceError.
[[nodiscard]] Tally run_groups(const StressCase& one, const std::string& device,
                               const Endurance& endurance, std::chrono::seconds patience);

}  // namespace redtune::bench
