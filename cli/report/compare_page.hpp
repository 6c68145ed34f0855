// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Two runs, or two devices, side by side on one HTML page.
#pragma once

#include <string>

#include "cli/report/device_story.hpp"
#include "cli/report/run_story.hpp"

namespace redtune::cli {

[[nodiscard]] std::string page_of(const RunStory& a, const RunStory& b);
[[nodiscard]] std::string page_of(const DeviceStory& a, const DeviceStory& b);

}  // namespace redtune::cli
