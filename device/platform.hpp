// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A platform is a family of devices with one driver and one run-time compiler: the host, HIP, CUDA.
// Vendors' platforms live in loadable modules, so one build serves machines with and without them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/compiler.hpp"
#include "device/device.hpp"

namespace redtune::device {

/// What a device's sensors and its driver tell at a moment, and who else uses it. All of it is for
/// people and for records: nothing is computed from it. Each only where it can be read.
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

class Platform {
 public:
  virtual ~Platform() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Number of usable devices. 0: see why_no_devices().
  [[nodiscard]] virtual int device_count() const = 0;
  /// One line for people; empty when there are devices.
  [[nodiscard]] virtual std::string why_no_devices() const = 0;
  /// Opens device ordinal. variant is what followed the platform's name on the command line, e.g.
  /// "wave32" of "host:wave32", and empty for plain ordinals. Throws UsageError or DeviceError.
  [[nodiscard]] virtual std::unique_ptr<Device> open(int ordinal, std::string_view variant) = 0;
  /// Of the device that open() would open. Opens nothing on it: whoever measures there is not
  /// disturbed. Throws as open().
  [[nodiscard]] virtual Facts facts(int ordinal, std::string_view variant) const = 0;
  /// Throws DeviceError when the platform has no run-time compiler on this machine.
  [[nodiscard]] virtual const Compiler& compiler() const = 0;
  /// The architecture to compile for to run on this device, e.g. its whole ISA name.
  [[nodiscard]] virtual std::string arch_of(const DeviceIdentity& identity) const = 0;
  /// Limits of any device of an architecture, for compiling without one.
  [[nodiscard]] virtual Limits limits_of(std::string_view arch) const = 0;

  /// "NAME=value" for the environment of a process that is to see this device alone, as its number
  /// 0: a driver takes time to begin and to end with each device that it sees. Empty: all are seen.
  [[nodiscard]] virtual std::string variable_to_see_only(
      [[maybe_unused]] const DeviceIdentity& identity) const {
    return {};
  }

  /// What the sensors of a device show now. Opens nothing on the device: what
  /// cannot be read has no value. Throws DeviceLost, nothing else.
  [[nodiscard]] virtual Readings readings([[maybe_unused]] int ordinal) const { return {}; }
  /// The processes on the device, also on its other partitions, and this one where it is there
  /// too; nothing where the platform cannot tell. Opens nothing on the device.
  /// Throws DeviceLost, nothing else.
  [[nodiscard]] virtual std::optional<std::vector<DeviceUser>> users(
      [[maybe_unused]] int ordinal) const {
    return std::nullopt;
  }
};

/// Raised by one whenever anything in device/*.hpp changes; modules with another number are
/// refused.
inline constexpr int module_abi = 14;

/// What a module exports, with C linkage, as "redtune_device_module".
struct ModuleEntry {
  int abi = module_abi;
  /// Never throws: a platform that cannot be used is returned with the reason.
  std::unique_ptr<Platform> (*open)() = nullptr;
};

}  // namespace redtune::device
