// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The vocabulary as JSON: one spelling for --json and for the run logs.
#pragma once

#include <nlohmann/json.hpp>

#include "redtune/device_identity.hpp"
#include "redtune/interval.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"

namespace redtune::tuner {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json json_of(const Problem& problem);
[[nodiscard]] Json json_of(const DeviceIdentity& device);
[[nodiscard]] Json json_of(const Settings& settings);
/// {"low", "median", "high"}.
[[nodiscard]] Json json_of(const Interval& interval);

/// Prints a document on standard output; bytes that are no UTF-8 become replacement characters.
}  // namespace redtune::tuner
