// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A run as one HTML page that needs nothing else. Every text of somebody else's stays text, and the
// page's own policy lets nothing load and nothing run but its own style sheet and script.
#pragma once

#include <string>

#include "cli/report/run_story.hpp"

namespace redtune::cli {

[[nodiscard]] std::string page_of(const RunStory& story);

}  // namespace redtune::cli
