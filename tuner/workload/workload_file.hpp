// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A workload that somebody wrote down as TOML; see docs/reference/workloads.md.
#pragma once

#include <string>
#include <string_view>

#include "tuner/workload/workload.hpp"

namespace redtune::tuner {

/// file: what it is called. A problem that several tables name is taken once, as the first says.
/// Throws UsageError: one line with file, line and column, and what would be right.
[[nodiscard]] Workload workload_from_toml(std::string_view text, const std::string& file);

}  // namespace redtune::tuner
