// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One block of a kernel that does nothing, or next to nothing: what is left of its time is what a
// kernel costs. For experiments about how GPUs start kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "device/registry.hpp"

namespace redtune::bench {

enum class SmallKernel {
  empty,  ///< without an argument
  touch,  ///< reads where its memory is, and changes it
};

class SmallKernels {
 public:
  /// Throws DeviceError, and UsageError where launches do not make graphs.
  SmallKernels(device::Device& device, const device::Platform& platform, SmallKernel which);

  /// Queues so many, and waits for them.
  void queue(int launches, device::Stream stream);
  /// A graph of so many.
  [[nodiscard]] std::unique_ptr<device::Batch> graph(std::size_t kernels);

 private:
  device::Device& device_;
  std::unique_ptr<device::Module> module_;
  device::Buffer memory_;
  device::Launch launch_;
};

}  // namespace redtune::bench
