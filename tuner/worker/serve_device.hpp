// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The process that owns a device: it does what the tuner asks, and may die of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cache/binaries/binaries.hpp"
#include "device/registry.hpp"
#include "kernel_templates/family/family.hpp"

namespace redtune::tuner {

struct DeviceService {
  const device::Registry* registry = nullptr;
  /// By name; throws UsageError.
  std::function<const kernels::Family&(std::string_view)> find_family = kernels::find_family;
  std::vector<std::string> compile_worker;  ///< the command of a compile worker
  const cache::Binaries* binaries = nullptr;
};

/// Answers requests from one descriptor on the other until the first is at its end. Returns the
/// exit code.
[[nodiscard]] int serve_device(const DeviceService& service, int requests, int answers);

}  // namespace redtune::tuner
