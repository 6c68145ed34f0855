// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The memory that a probe reads and copies, and the check that it was really read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/device.hpp"
#include "tuner/measure/probe.hpp"

namespace redtune::tuner {

/// Bytes worth probing on a device: far more than its last-level cache where memory allows.
[[nodiscard]] std::int64_t probe_bytes(const device::Device& device, ProbeLevel level);

class ProbeBuffer {
 public:
  /// Allocates and fills. Throws OutOfMemory.
  ProbeBuffer(device::Device& device, ProbeLevel level);

  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(memory_.bytes()); }
  /// A quarter of the last-level cache; 0 where its size is unknown or the buffer is smaller.
  [[nodiscard]] std::int64_t cached_bytes() const;
  [[nodiscard]] std::uint32_t* words() const { return static_cast<std::uint32_t*>(memory_.data()); }

  /// Where so many threads leave their sums.
  [[nodiscard]] std::uint32_t* sums_of(std::int64_t threads);
  /// Throws DeviceError when the sums that were left are not those of the buffer's first bytes,
  /// read so many times: a bandwidth of something else would be no bound.
  void check_sums(std::int64_t bytes, int passes) const;

 private:
  device::Device& device_;
  device::Buffer memory_;
  device::Buffer sums_;
};

}  // namespace redtune::tuner
