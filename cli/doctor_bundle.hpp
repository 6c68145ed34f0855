// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune doctor --bundle: one file with all that somebody far away needs to help.
#pragma once

#include "cli/command.hpp"

namespace redtune::cli {

/// Throws UsageError for a file that must not be written, IoError for one that cannot be.
[[nodiscard]] int write_doctor_bundle(const Options& options);

}  // namespace redtune::cli
