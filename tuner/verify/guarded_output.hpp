// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A result's place on the device, poisoned before a launch and guarded on both sides.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "redtune/problem.hpp"

namespace redtune::tuner {

class GuardedOutput {
 public:
  explicit GuardedOutput(device::Device& device);

  [[nodiscard]] void* address() const;
  /// Overwrites result and guards, so that a kernel which writes nothing cannot look right.
  void poison();
  /// The bytes at the result's place, which read() brought over.
  [[nodiscard]] const void* value() const;
  /// Copies from the device; returns one line when something was written beside a result of that
  /// problem, else nothing.
  [[nodiscard]] std::string read(const Problem& problem);

 private:
  static constexpr std::size_t guard_bytes = 256;
  static constexpr std::size_t most_bytes = 16;  // of a result
  static constexpr std::byte pattern{0xa5};

  device::Device& device_;
  device::Buffer memory_;
  std::vector<std::byte> copy_;
};

}  // namespace redtune::tuner
