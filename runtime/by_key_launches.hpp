// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions by key of a problem with one config: what is loaded and allocated for them.
#pragma once

#include "device/platform.hpp"
#include "runtime/by_key_memory.hpp"
#include "runtime/kernel_loader.hpp"
#include "runtime/load_config.hpp"

namespace redtune::runtime {

/// All that is loaded and allocated for a problem, whose elements are the most of a launch.
class ByKeyLaunches {
 public:
  /// Where the config of an answer does not compile as that of launches by key, the default takes
  /// its place, and answer() says so. Throws DeviceError, OutOfMemory, and UsageError where a
  /// custom operator does not compile.
  ByKeyLaunches(const device::Platform& platform, device::Device& device, const Answer& found,
                int key_bits);
  ByKeyLaunches(const ByKeyLaunches&) = delete;
  ByKeyLaunches& operator=(const ByKeyLaunches&) = delete;

  [[nodiscard]] const Answer& answer() const { return loaded_.answer; }
  [[nodiscard]] const LoadedConfig& config() const { return loaded_.config; }
  [[nodiscard]] const ByKeyMemory& memory() const { return memory_; }
  [[nodiscard]] std::array<device::Launch, 3> launches(const KeyedOperands& operands,
                                                       std::int64_t elements) const {
    return memory_.launches(grouping_.kernels, operands, elements);
  }

 private:
  LoadedAnswer loaded_;
  LoadedUnit grouping_;
  ByKeyMemory memory_;
};

}  // namespace redtune::runtime
