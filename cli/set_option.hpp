// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What --set says: values of tunables.
#pragma once

#include "cli/command.hpp"
#include "redtune/settings.hpp"

namespace redtune::cli {

/// In the order in which they were typed. Throws UsageError for words that are no NAME=VALUE.
[[nodiscard]] Settings set_values(const Options& options);

}  // namespace redtune::cli
