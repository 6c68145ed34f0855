// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device can do at best, for people and as JSON.
#pragma once

#include <string>

#include "tuner/measure/peak.hpp"
#include "tuner/measure/probe.hpp"
#include "tuner/report/json.hpp"

namespace redtune::tuner {

/// A row for each figure: what, how much, how it was measured. What was not measured has no row.
[[nodiscard]] std::string text_of(const Probe& probe);
[[nodiscard]] Json json_of(const Probe& probe);
/// {"gigabytes_per_second", "of"}.
[[nodiscard]] Json json_of(const Peak& peak);

}  // namespace redtune::tuner
