// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How long a batch must be for its time to say something.
#pragma once

#include <cstddef>

#include "tuner/measure/terms.hpp"

namespace redtune::tuner {

/// Executions of a batch, at most.
inline constexpr std::size_t most_executions = 4096;

/// How many executions make a batch of so many microseconds: a power of two, so that candidates
/// share what is known of a size.
[[nodiscard]] std::size_t executions_for(double one_us, double batch_us);

/// The executions that a batch should have from now on: as many as now when it is long enough, so
/// that it can be replayed, else more.
[[nodiscard]] std::size_t grown(std::size_t executions, double one_us, double batch_us);

/// Microseconds of a batch at least, in the search as in the final: 0.7 ms, which is 1 ms in the
/// mean of powers of two, and at each site 140 times what the device's clock can tell apart.
[[nodiscard]] double batch_us_for(double resolution_us);

}  // namespace redtune::tuner
