// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The trials of a run in the open auto-tuning results format T4, for tools that compare tuners.
#pragma once

#include <string>
#include <string_view>

#include "cache/keys/shared_run.hpp"

namespace redtune::cache {

/// What a trial's status is called there. "constraints" never occurs: redtune tries only what its
/// rules allow.
[[nodiscard]] std::string_view invalidity_of(std::string_view status);

/// One run and its trials; the results are no part of it.
[[nodiscard]] std::string t4_text(const SharedRun& run);

}  // namespace redtune::cache
