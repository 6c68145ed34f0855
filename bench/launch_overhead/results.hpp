// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results files made up for a benchmark.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "redtune/device_identity.hpp"
#include "redtune/find_best.hpp"

namespace redtune::bench {

/// Writes a file in which these settings were tuned for these problems. Returns the options to find
/// them by.
LookupOptions publish(const std::filesystem::path& file, const DeviceIdentity& device,
                      const std::vector<std::pair<Problem, Settings>>& tuned);
/// Writes a file in which these settings were tuned for these counts of a problem. Likewise.
LookupOptions publish(const std::filesystem::path& file, const Problem& problem,
                      const DeviceIdentity& device,
                      const std::map<std::int64_t, Settings>& settings);

}  // namespace redtune::bench
