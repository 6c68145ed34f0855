// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How fast a device's clock runs, told by the time of a fixed piece of arithmetic: no vendor's
// interface is asked, and what limits the clock, be it heat, power or a person, shows all the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "device/device.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::tuner {

class Pacer {
 public:
  /// compiler: for any text. A device that is timed by the host's clock has no pace, nor has one
  /// whose compiler refuses the kernel.
  Pacer(device::Device& device, const CompilePool& compiler);

  /// Microseconds of the piece, always the same one. Throws DeviceError.
  [[nodiscard]] std::optional<double> pace_us();

 private:
  device::Device& device_;
  std::unique_ptr<device::Module> module_;
  device::Kernel kernel_;
  device::Buffer out_;
  std::unique_ptr<device::Batch> batch_;
};

}  // namespace redtune::tuner
