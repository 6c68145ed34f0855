// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What was measured, for people.
#pragma once

#include <string>

#include "cli/names.hpp"
#include "tuner/measure/probe.hpp"
#include "tuner/measure/terms.hpp"

namespace redtune::cli {

[[nodiscard]] std::string text_of(const Calibration& calibration);
[[nodiscard]] std::string text_of(const Figures& figures);
[[nodiscard]] std::string text_of(const Probe& probe);

}  // namespace redtune::cli
