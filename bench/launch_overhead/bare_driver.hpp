// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A driver's launch call without anything of redtune around it, for each vendor whose module is
// built. Its shape and arguments are made before.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "device/device.hpp"

namespace redtune::bench {

class BareDriver {
 public:
  virtual ~BareDriver() = default;
  /// The same kernels, grids and arguments again and again; what is timed calls nothing virtual.
  virtual void launch(std::span<const device::Launch> launches, int times) = 0;
  virtual void synchronize() = 0;
};

/// Of device 0 of a platform; null where there is no such driver in this build.
[[nodiscard]] std::unique_ptr<BareDriver> bare_driver(std::string_view platform,
                                                      const Limits& limits);

[[nodiscard]] std::unique_ptr<BareDriver> bare_null(const Limits& limits);
[[nodiscard]] std::unique_ptr<BareDriver> bare_cuda(const Limits& limits);
[[nodiscard]] std::unique_ptr<BareDriver> bare_hip(const Limits& limits);

}  // namespace redtune::bench
