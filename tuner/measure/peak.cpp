// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/peak.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/family/family.hpp"

namespace redtune::tuner {
namespace {

std::int64_t bytes_of(const Problem& problem) {
  const bool is_reduction = problem.op != Op::kernel;
  return static_cast<std::int64_t>(is_reduction ? input_bytes(problem)
                                                : kernels::family_of(problem).bytes_held(problem));
}

/// Inputs of so many last-level caches find next to nothing in them. Cold ones come back after
/// others of their size; of a warm one, each execution leaves a part to the next.
std::int64_t beyond_caches(CacheMode mode) {
  return mode == CacheMode::cold ? 2 : 8;
}

}  // namespace

cache::ReadPeaks peaks_of(const Probe& probe) {
  return {probe.read.gbps, probe.cached_read.gbps};
}

Peak peak_for(const Problem& problem, const cache::ReadPeaks& peaks, std::int64_t cache_bytes) {
  const bool is_cached = problem.cache_mode == CacheMode::warm && bytes_of(problem) <= cache_bytes;
  if (is_cached) return {peaks.cache_gbps, "cache"};
  return {peaks.memory_gbps, "memory"};
}

std::string share_text(double gbps, const Peak& peak) {
  const std::string roof =
      fmt::format("the {:.2f} GB/s this device reads from {}", peak.gbps, peak.of);
  const double share = gbps / peak.gbps;
  // Noise of two measurements; what is above it was no peak.
  constexpr double most_believed = 1.1;
  if (share <= most_believed) return fmt::format("{:.0f} % of {}", 100 * share, roof);
  return fmt::format(
      "more than {}: caches hold a part, or the device was slower when that was measured", roof);
}

std::string speed_text(double gbps) {
  return gbps > 0 ? fmt::format("{:.2f}", gbps) : "-";
}

double most_gbps(const Problem& problem, const Probe& probe, std::int64_t cache_bytes) {
  if (!probe.has_own_clock || cache_bytes <= 0) return 0;
  if (bytes_of(problem) / beyond_caches(problem.cache_mode) >= cache_bytes) {
    return probe.read.fastest_gbps;
  }
  if (probe.cached_read.fastest_gbps <= 0) return 0;
  return std::max(probe.read.fastest_gbps, probe.cached_read.fastest_gbps);
}

}  // namespace redtune::tuner
