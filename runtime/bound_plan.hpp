// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A plan whose kernels are loaded: what every launch reads, close together, and how it becomes
// launches.
#pragma once

#include <cstdint>
#include <span>

#include "device/device.hpp"
#include "kernel_templates/family/launch_plan.hpp"
#include "runtime/workspace.hpp"

namespace redtune::runtime {

/// What a reduction reads and writes: device addresses.
struct Operands {
  const void* in = nullptr;  ///< element-aligned; may be null for 0 elements
  Shape shape;
  void* out = nullptr;
  const void* begins = nullptr;  ///< of segments: an offset for each
  const void* ends = nullptr;
  const void* plan = nullptr;  ///< likewise, where a config has one
};

using Launches = kernels::FixedList<device::Launch, kernels::most_calls>;

class BoundPlan {
 public:
  /// The planner must outlive it. kernels: one for each of the family's name expressions, in order;
  /// must stay loaded.
  BoundPlan(const kernels::Planner& planner, std::span<const device::Kernel> kernels);

  /// The launches of one reduction, in order, all on one stream. What an application pays for each
  /// reduction beside the driver's own work: no heap, no lock, no text.
  [[nodiscard]] Launches launches(const Operands& operands,
                                  const Workspace& workspace) const noexcept;

 private:
  struct BoundCall {
    device::Kernel kernel;
    kernels::KernelCall call;
  };

  const kernels::Planner* planner_;
  kernels::FixedList<BoundCall, kernels::most_calls> calls_;
};

}  // namespace redtune::runtime
