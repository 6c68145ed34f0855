// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How many samples a candidate is worth: few when it is far behind the fastest so far.
#pragma once

#include "tuner/measure/batches.hpp"

namespace redtune::tuner {

/// Samples of a race that is run to the end.
inline constexpr std::size_t race_samples = 9;

/// Times a candidate against the fastest so far (microseconds at the device's present speed; 0:
/// there is none), in batches of batch_us. The result is at the present speed, too.
[[nodiscard]] Raced race(Batches& candidate, double batch_us, double fastest_us);

}  // namespace redtune::tuner
