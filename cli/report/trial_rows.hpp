// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A run's trials, one row each, for people's own notebooks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/report/run_story.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

/// Names of all tunables that a trial sets, in the order in which they come first.
[[nodiscard]] std::vector<std::string> tunables_of(const std::vector<cache::StoredTrial>& trials);
/// Empty: it does not set it.
[[nodiscard]] std::string_view setting_in(const Settings& settings, std::string_view name);

/// By RFC 4180, but lines end in a line feed alone.
[[nodiscard]] std::string csv_of(const RunStory& story);
[[nodiscard]] Json json_of(const RunStory& story);
[[nodiscard]] Json json_of_finalists(const RunStory& story);

}  // namespace redtune::cli
