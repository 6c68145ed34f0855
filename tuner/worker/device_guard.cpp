// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/device_guard.hpp"

#include <cstdint>

namespace redtune::tuner {

bool DeviceGuard::works() const noexcept {
  try {
    device::Buffer word = device_.allocate(sizeof(std::uint32_t));
    device_.fill(word.data(), std::byte{0}, word.bytes());
    device_.synchronize({});
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::shared_ptr<device::Module> DeviceGuard::module_of(const runtime::CompiledUnit& unit) {
  auto& known = modules_[unit.binary];
  std::shared_ptr<device::Module> module = known.lock();
  if (!module) known = module = device_.load(*unit.binary);
  return module;
}

}  // namespace redtune::tuner
