// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A driver's launch call without anything of redtune around it, for each vendor whose module is
// built.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "device/device.hpp"

namespace redtune::bench {

class BareDriver {
 public:
  virtual ~BareDriver() = default;
  /// Shapes and arguments as the driver takes them; the launches must stay where they are.
  virtual void prepare(std::span<const device::Launch> launches) = 0;
  /// What is prepared, again and again: the driver's call and nothing else.
  virtual void launch(int times) = 0;
  virtual void synchronize() = 0;
};

/// Of device 0 of a platform; null where there is no such driver in this build.
[[nodiscard]] std::unique_ptr<BareDriver> bare_driver(std::string_view platform,
                                                      const Limits& limits);

[[nodiscard]] std::unique_ptr<BareDriver> bare_cuda(const Limits& limits);
[[nodiscard]] std::unique_ptr<BareDriver> bare_hip(const Limits& limits);

}  // namespace redtune::bench
