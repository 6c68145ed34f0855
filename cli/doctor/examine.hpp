// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What redtune doctor looks at. Nothing here throws for what it finds, or leaves anything behind.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/report/doctor_report.hpp"
#include "device/registry.hpp"

namespace redtune::cli {

/// The program, its libraries, the formats it reads and writes, the system.
[[nodiscard]] Section examine_versions();

/// Every device, or the one that was asked for ("" for all): what it is, its sensors, who uses it
/// and who tunes it; and why a platform has none. That the device which tuning would take cannot be
/// used is a problem; others are remarks. Throws UsageError when asked is no name of a device.
[[nodiscard]] Section examine_devices(const device::Registry& registry, const std::string& asked);

/// The run-time compilers of the platforms; that of the device which tuning would take must work.
[[nodiscard]] Section examine_compilers(const device::Registry& registry, const std::string& asked);

/// Where results, logs, binaries and leases lie; cache: what --cache says, or empty.
[[nodiscard]] Section examine_folders(const std::string& cache);

/// The variables that change what redtune does.
[[nodiscard]] Section examine_environment();

/// Names of these variables, for the test that no other is read.
struct Variable {
  std::string_view name;
  std::string_view effect;
};
[[nodiscard]] std::span<const Variable> variables();

struct NoiseOrder {
  std::string device;                       ///< as it is typed
  std::vector<std::string> device_worker;   ///< command of a process that owns a device
  std::vector<std::string> compile_worker;  ///< command of a process that compiles
};

/// By how much times of the same thing differ on a device, measured as a run of tune does before it
/// searches. Holds the device's lease meanwhile. That the noise is too much to tune is a problem,
/// as is a device that fails; that somebody else holds the lease is a remark.
[[nodiscard]] Section examine_noise(const NoiseOrder& order);

}  // namespace redtune::cli
