// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device's sensors and its driver tell at a moment, and who else uses it. All of it is for
// people and for records: nothing is computed from it.
#pragma once

#include <optional>
#include <string>

namespace redtune::device {

/// Each only where it can be read.
struct Readings {
  std::optional<double> clock_mhz;
  std::optional<double> memory_clock_mhz;
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::optional<double> power_cap_w;
  /// What keeps the clocks down, e.g. "power cap, temperature"; empty: nothing, or not told.
  std::string throttled_by;

  bool operator==(const Readings&) const = default;
};

/// A process with memory or work on a device. Where processes are numbered apart, as in containers,
/// the number is the one that the driver gives, and may be of the machine outside.
struct DeviceUser {
  long pid = 0;
  std::string name;  ///< empty where it is not told

  bool operator==(const DeviceUser&) const = default;
};

}  // namespace redtune::device
