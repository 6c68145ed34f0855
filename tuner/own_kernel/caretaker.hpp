// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Looks after buffers where they lie: tells whether bytes are the same without bringing them to the
// host, and has launches that bring back what they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "device/device.hpp"
#include "kernel_templates/description/kernel_description.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::tuner {

/// Types of the numbers that are compared.
[[nodiscard]] std::set<DType> types_of_outputs(const kernels::KernelDescription& description);

class Caretaker {
 public:
  /// What it is compiled from: kernels::checksum_text() and these names.
  [[nodiscard]] static CompileUnit unit(const std::set<DType>& types, const Limits& limits);
  /// types: of numbers that will be compared. compiler: for any text. Throws DeviceError.
  Caretaker(device::Device& device, const std::set<DType>& types, const CompilePool& compiler);

  /// Of bytes on the device, behind all that was queued: other bytes have another sum, as far as 64
  /// bits go. Throws DeviceError.
  [[nodiscard]] std::uint64_t checksum(const void* bytes, std::size_t count);
  /// How many of some numbers on the device are not certainly as near to what is expected as they
  /// have to be, behind all that was queued. ulps are of no account. Throws DeviceError.
  [[nodiscard]] std::uint64_t far_apart(DType type, const void* got, const void* expected,
                                        std::int64_t numbers, const kernels::Tolerance& tolerance);
  /// Both begin at a multiple of four.
  [[nodiscard]] device::Launch restoring(void* to, const void* from, std::size_t bytes) const;

 private:
  [[nodiscard]] std::uint64_t sum_of(device::Launch launch, std::size_t bytes);

  device::Device& device_;
  std::unique_ptr<device::Module> module_;
  device::Kernel checksum_;
  device::Kernel restore_;
  std::map<DType, device::Kernel> far_apart_;
  device::Buffer sums_;
};

}  // namespace redtune::tuner
