// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/launch_overhead/bare_api.hpp"
#include "device/hip/hip_api.hpp"

namespace redtune::bench {

std::unique_ptr<BareDriver> bare_hip(const Limits& limits) {
  return std::make_unique<BareApi<device::hip::HipApi>>(limits);
}

}  // namespace redtune::bench
