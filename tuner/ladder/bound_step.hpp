// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A step of the ladder on a device: its plan with loaded kernels and a workspace, ready to launch.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "kernel_templates/ladder/ladder.hpp"

namespace redtune::tuner {

/// Loaded kernels by their name expressions.
using LadderKernels = std::map<std::string, device::Kernel>;

class BoundStep {
 public:
  /// Throws OutOfMemory when the workspace does not fit, Error when a kernel is missing.
  BoundStep(device::Device& device, kernels::LadderPlan plan, const LadderKernels& kernels,
            const Problem& problem);

  [[nodiscard]] const kernels::LadderPlan& plan() const { return plan_; }
  /// One sum, from the first write of its output to the last; all on one stream.
  [[nodiscard]] std::vector<device::Launch> launches(const void* in, void* out) const;

 private:
  [[nodiscard]] std::uint64_t address(kernels::LadderPlace place, std::int64_t offset,
                                      const void* in, void* out) const;

  kernels::LadderPlan plan_;
  std::vector<device::Kernel> kernels_;  // of each call
  std::int64_t element_bytes_;
  std::int64_t accumulator_bytes_;
  device::Buffer front_;
  device::Buffer back_;
};

}  // namespace redtune::tuner
