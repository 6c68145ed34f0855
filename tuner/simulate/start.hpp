// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a search of redtune's own begins with, for replays of what 'redtune tune --record' wrote.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "cache/shared_run.hpp"
#include "search/point.hpp"
#include "tuner/simulate/recorded_space.hpp"

namespace redtune::tuner {

/// The run that a file holds. Throws UsageError that names the file for one that is not redtune's.
[[nodiscard]] cache::SharedRun read_own_run(const std::filesystem::path& file);

/// The default, the winners of the runs among others that 'redtune tune' would begin with, and the
/// family's known shapes, as far as they were recorded. space: read from the file of the run.
[[nodiscard]] std::vector<search::Point> start_points(const RecordedSpace& space,
                                                      const cache::SharedRun& run,
                                                      std::span<const cache::SharedRun> others);

}  // namespace redtune::tuner
