// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What was measured, as JSON: for documents and the run log.
#pragma once

#include "tuner/measure/peak.hpp"
#include "tuner/measure/probe.hpp"
#include "tuner/measure/terms.hpp"
#include "tuner/text/json.hpp"

namespace redtune::tuner {

[[nodiscard]] Json json_of(const Calibration& calibration);
[[nodiscard]] Json json_of(const Figures& figures);
[[nodiscard]] Json json_of(const Probe& probe);
[[nodiscard]] Json json_of(const Peak& peak);

}  // namespace redtune::tuner
