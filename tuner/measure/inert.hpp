// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whether a measurement reacts to what is measured at all.
#pragma once

#include <span>
#include <string>

namespace redtune::tuner {

/// Empty, or why these times of different configurations do not look measured: ten or more, all
/// equal to 0.1 %. One line.
[[nodiscard]] std::string why_inert(std::span<const double> times_us);

}  // namespace redtune::tuner
