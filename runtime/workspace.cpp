// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/workspace.hpp"

namespace redtune::runtime {

Workspace::Workspace(device::Device& device, std::int64_t partial_count,
                     std::size_t accumulator_bytes)
    : memory_(device.allocate(counter_bytes +
                              static_cast<std::size_t>(partial_count) * accumulator_bytes)) {
  device.fill(memory_.data(), std::byte{0}, counter_bytes);
}

}  // namespace redtune::runtime
