// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every page of redtune report carries with it: its style sheet and its script.
#pragma once

#include <string_view>

namespace redtune::cli {

/// Without that of charts.
[[nodiscard]] std::string_view page_style();
/// Sorts and filters the table of trials; all is there without it.
[[nodiscard]] std::string_view page_script();

}  // namespace redtune::cli
