// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/tune_probe.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cli/names.hpp"
#include "redtune/error.hpp"
#include "tuner/session/casualties.hpp"

namespace redtune::cli {
namespace {

/// Smaller inputs are all launch: no bandwidth of theirs comes near a peak.
constexpr std::size_t least_probed_bytes = 1 << 20;

}  // namespace

Probe probe_for(const Job& job, DeviceSite& site, Journal& journal) {
  const auto count = static_cast<std::size_t>(job.problem.count);
  if (count * size_of(job.problem.in) < least_probed_bytes) return {};
  try {
    Probe found = site.probe();
    journal.record(found);
    spdlog::info("this device reads {:.2f} GB/s from memory, {:.2f} GB/s from its cache",
                 found.read.gbps, found.cached_read.gbps);
    return found;
  } catch (const BenchMishap& mishap) {
    throw DeviceUnhealthy(fmt::format("the device cannot even be read: {}", mishap.what()));
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    spdlog::warn("how fast this device can read is not known: {}", error.what());
    return {};
  }
}

}  // namespace redtune::cli
