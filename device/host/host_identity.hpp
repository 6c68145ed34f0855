// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What this machine's processor is, in the terms of a device.
#pragma once

#include "device/host/lane_order.hpp"
#include "redtune/device_identity.hpp"
#include "redtune/limits.hpp"

namespace redtune::device::host {

/// Processors this process may run on.
[[nodiscard]] int usable_processors();

[[nodiscard]] DeviceIdentity host_identity(const HostOptions& options,
                                           const std::string& compiler_version);
[[nodiscard]] Limits host_limits(const HostOptions& options);

}  // namespace redtune::device::host
