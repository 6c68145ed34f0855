// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Maps of rows x columns: how near to the most that a device reads its tuned arrays are.
#pragma once

#include <vector>

#include "cli/plot/heat_map.hpp"
#include "cli/report/device_story.hpp"

namespace redtune::cli {

/// One for each operator, type and way of reducing of which results differ in rows and in columns;
/// none where the peak is not known. Ratios are times over that of reading at the peak.
[[nodiscard]] std::vector<HeatMap> shape_maps(const DeviceStory& device);

}  // namespace redtune::cli
