// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/workspace.hpp"

#include <exception>

namespace redtune::runtime {

WorkspaceSize size_for(const kernels::WorkspaceBytes& needed) {
  return {.slots = static_cast<std::size_t>(needed.slots),
          .partials = static_cast<std::size_t>(needed.partials)};
}

Workspace::Workspace(device::Device& device, const WorkspaceSize& size)
    : memory_(device.allocate(bytes_of(size))),
      first_(memory_.data()),
      zero_bytes_(zero_bytes(size.slots)) {
  clear(device);
}

void Workspace::clear(device::Device& device) const {
  device.fill(first_, std::byte{0}, zero_bytes_);
}

void Workspace::clear(device::Device& device, device::Stream stream) const {
  device.clear(first_, zero_bytes_, stream);
}

void end_broken_off(device::Device& device, device::Stream stream) noexcept {
  try {
    if (!device.is_capturing(stream)) device.synchronize(stream);
  } catch (const std::exception&) {
    // What the launch said is told.
  }
}

}  // namespace redtune::runtime
