// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What this machine's processor is, in the terms of a device, and the choices of how it acts as
// one.
#pragma once

#include <cstdint>

#include "redtune/device_identity.hpp"
#include "redtune/limits.hpp"

namespace redtune::device::host {

/// The order in which the lanes of a block, and the blocks of a grid, get their turn. A kernel that
/// misses a barrier gives a wrong result in at least one of them.
enum class LaneOrder { forward, reverse, random };

struct HostOptions {
  int wave_size = 1;  ///< 1 (what a CPU is), 32 or 64
  LaneOrder order = LaneOrder::forward;
  std::uint64_t seed = 0;  ///< of the random order
  int threads = 0;         ///< compute units; 0: the processors this process may use
};

/// Processors this process may run on.
[[nodiscard]] int usable_processors();

[[nodiscard]] DeviceIdentity host_identity(const HostOptions& options,
                                           const std::string& compiler_version);
[[nodiscard]] Limits host_limits(const HostOptions& options);

}  // namespace redtune::device::host
