// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whether a measured time can be true at all. A time that cannot is the measurement's fault and
// never wins.
#pragma once

#include <string>

#include "tuner/measure/sampler.hpp"

namespace redtune::tuner {

/// Empty when a batch's time is believable, else why not.
[[nodiscard]] std::string why_implausible(const device::BatchTime& time);

/// Likewise of a sample. bytes is what one execution reads; peak_bytes_per_us the fastest that this
/// device was seen to read, 0 when unknown.
[[nodiscard]] std::string why_implausible(const Sample& sample, double bytes,
                                          double peak_bytes_per_us);

}  // namespace redtune::tuner
