// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Devices that are not here, as text.
#pragma once

#include <string_view>

#include "redtune/device_identity.hpp"
#include "redtune/export.hpp"

namespace redtune {

/// Reads one device of `redtune devices --json`: {"platform": "hip", "isa": ..., "compute_units":
/// ..., "wave_size": ..., ...}. What is missing keeps its default, but for the four named here.
/// Throws UsageError that says what is wrong.
[[nodiscard]] REDTUNE_API DeviceIdentity parse_identity(std::string_view json);

}  // namespace redtune
