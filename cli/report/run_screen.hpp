// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A run in words, on a screen of 100 columns: what a person reads in a terminal.
#pragma once

#include <string>
#include <vector>

#include "cli/report/run_story.hpp"

namespace redtune::cli {

/// answers: which counts its result answers, a line each.
[[nodiscard]] std::string screen_of(const RunStory& story, const std::vector<std::string>& answers);

/// Every trial that failed, with the whole of its reason.
[[nodiscard]] std::string failures_of(const RunStory& story);

}  // namespace redtune::cli
