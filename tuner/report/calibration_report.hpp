// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a session found out before it began, for people and programs.
#pragma once

#include <string>

#include "tuner/measure/terms.hpp"
#include "tuner/report/json.hpp"

namespace redtune::tuner {

[[nodiscard]] Json json_of(const Calibration& calibration);
/// One line: "noise floor 0.12 %, clock resolution 0.50 us, ...".
[[nodiscard]] std::string text_of(const Calibration& calibration);

[[nodiscard]] Json json_of(const Figures& figures);
/// One line and its end; nothing where they are not known.
[[nodiscard]] std::string text_of(const Figures& figures);

}  // namespace redtune::tuner
