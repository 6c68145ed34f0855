// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernel that tells how fast a device's clock runs: its text and its name.
#pragma once

#include <string>

#include "redtune/limits.hpp"

namespace redtune::kernels {

/// The whole device program, for a run-time compiler.
[[nodiscard]] const std::string& pace_text();
/// The instantiation for one block of the smallest size of a device, as a name expression. Its
/// arguments: where each thread leaves a 32-bit value, and how many steps (32 bits).
[[nodiscard]] std::string pace_name(const Limits& limits);

}  // namespace redtune::kernels
