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

/// Likewise of all batches of a sample, whatever is left of them without the other kernels: in
/// a batch that is too short that may be anything.
[[nodiscard]] std::string why_clocks_disagree(const Sample& sample);

/// Likewise of a sample and its shares. bytes is what one execution reads; peak_bytes_per_us the
/// fastest that this device was seen to read, 0 when unknown.
[[nodiscard]] std::string why_implausible(const Sample& sample, double bytes,
                                          double peak_bytes_per_us);

}  // namespace redtune::tuner
