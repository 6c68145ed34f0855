// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is no ordinary number.
#pragma once

#include <limits>

namespace redtune::checks {

inline constexpr float inf = std::numeric_limits<float>::infinity();
inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr double double_inf = inf;
inline constexpr double double_nan = nan;

}  // namespace redtune::checks
