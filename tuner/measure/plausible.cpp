// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/plausible.hpp"

#include <cmath>
#include <fmt/format.h>

namespace redtune::tuner {

namespace {

constexpr double clock_tolerance = 1.05;

}  // namespace

std::string why_implausible(const device::BatchTime& time) {
  constexpr double long_batch_us = 10000;
  if (!std::isfinite(time.device_us) || time.device_us <= 0) {
    return fmt::format("the device reported {} us", time.device_us);
  }
  if (time.device_us > time.host_us * clock_tolerance + 10) {
    return fmt::format("the device reported {:.1f} us, the host's clock {:.1f} us", time.device_us,
                       time.host_us);
  }
  if (time.host_us >= long_batch_us && time.device_us < 0.3 * time.host_us) {
    return fmt::format("the device reported {:.1f} us of the host's {:.1f} us", time.device_us,
                       time.host_us);
  }
  return {};
}

std::string why_clocks_disagree(const Sample& sample) {
  for (const TimedBatch& batch : sample.batches) {
    std::string why = why_implausible(batch.time);
    if (!why.empty()) return why;
  }
  return {};
}

std::string why_implausible(const Sample& sample, double bytes, double peak_bytes_per_us) {
  std::string why = why_clocks_disagree(sample);
  if (!why.empty()) return why;
  for (const TimedBatch& batch : sample.batches) {
    const double share = sample.share_us(batch);
    if (!(share > 0)) {
      return fmt::format("the other kernels took {:.1f} us alone, and {:.1f} us with {} executions",
                         batch.others_us, batch.time.device_us, sample.executions);
    }
    if (peak_bytes_per_us > 0 && bytes > clock_tolerance * peak_bytes_per_us * share) {
      return fmt::format("{:.0f} GB/s are more than the {:.0f} GB/s this device can read",
                         bytes / share / 1e3, peak_bytes_per_us / 1e3);
    }
  }
  return {};
}

}  // namespace redtune::tuner
