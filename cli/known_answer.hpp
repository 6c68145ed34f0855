// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune tune where the answer is in the store.
#pragma once

#include "cache/store/store.hpp"
#include "cli/command.hpp"
#include "cli/tune_job.hpp"

namespace redtune::cli {

/// Shows what is stored, where that is all that was asked for; false: the device must be tuned.
[[nodiscard]] bool is_answered(const Options& options, const cache::Store& store, const Job& job);

/// One line when what the store knows was measured by an earlier protocol; else nothing.
[[nodiscard]] std::string why_tuned_anew(const cache::Store& store, const Job& job);

}  // namespace redtune::cli
