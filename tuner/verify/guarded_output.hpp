// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Places of results on the device, poisoned before a launch and guarded on both sides.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "redtune/problem.hpp"

namespace redtune::tuner {

class GuardedOutput {
 public:
  /// Throws OutOfMemory.
  explicit GuardedOutput(device::Device& device, std::size_t places = 1);

  [[nodiscard]] std::size_t places() const { return copy_.size() / place_bytes; }
  [[nodiscard]] void* address(std::size_t place = 0) const;
  /// Of all places.
  [[nodiscard]] std::vector<const void*> addresses() const;
  /// Overwrites results and guards, so that a kernel which writes nothing cannot look right.
  void poison();
  /// The bytes at a result's place, which read() brought over.
  [[nodiscard]] const void* value(std::size_t place = 0) const;
  /// Copies from the device; returns one line when something was written beside a result of that
  /// problem at any place, else nothing.
  [[nodiscard]] std::string read(const Problem& problem);

 private:
  static constexpr std::size_t guard_bytes = 256;
  static constexpr std::size_t most_bytes = 16;  // of a result
  static constexpr std::size_t place_bytes = 2 * guard_bytes + most_bytes;
  static constexpr std::byte pattern{0xa5};

  device::Device& device_;
  device::Buffer memory_;
  std::vector<std::byte> copy_;
};

}  // namespace redtune::tuner
