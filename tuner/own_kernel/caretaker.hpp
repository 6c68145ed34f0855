// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Looks after buffers where they lie: tells whether bytes are the same without bringing them to the
// host, and has launches that bring back what they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/device.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::tuner {

class Caretaker {
 public:
  /// compiler: for any text. Throws DeviceError.
  Caretaker(device::Device& device, const CompilePool& compiler);

  /// Of bytes on the device, behind all that was queued: other bytes have another sum, as far as 64
  /// bits go. Throws DeviceError.
  [[nodiscard]] std::uint64_t checksum(const void* bytes, std::size_t count);
  /// Both begin at a multiple of four.
  [[nodiscard]] device::Launch restoring(void* to, const void* from, std::size_t bytes) const;

 private:
  device::Device& device_;
  std::unique_ptr<device::Module> module_;
  device::Kernel checksum_;
  device::Kernel restore_;
  device::Buffer sums_;
};

}  // namespace redtune::tuner
