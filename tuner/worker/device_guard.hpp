// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What benches on a device of this process have in common: binaries are loaded once, and what a
// failure means for the device is said.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "device/device.hpp"
#include "runtime/compiled_unit.hpp"
#include "tuner/worker/bench.hpp"

namespace redtune::tuner {

class DeviceGuard {
 public:
  explicit DeviceGuard(device::Device& device) : device_(device) {}

  /// Runs an action; what it throws of the device is a BenchMishap.
  template <class Action>
  auto guarded(Action&& action) -> decltype(action()) {
    try {
      return action();
    } catch (const BenchMishap&) {
      throw;
    } catch (const OutOfMemory& error) {
      throw BenchMishap(Mishap::out_of_memory, error.what());
    } catch (const DeviceError& error) {
      throw BenchMishap(works() ? Mishap::refused : Mishap::fault, error.what());
    }
  }

  /// Likewise for an action that brings a candidate to the device: it has not run yet, so that what
  /// is broken was broken by another.
  template <class Action>
  void bring(Action&& action) {
    constexpr const char* broken_before = "the device stopped working before this config ran";
    if (!works()) throw BenchMishap(Mishap::stale_fault, broken_before);
    try {
      guarded(action);
    } catch (const BenchMishap& mishap) {
      if (mishap.mishap() != Mishap::fault) throw;
      throw BenchMishap(Mishap::stale_fault, broken_before);
    }
  }

  /// The module of a binary, which may be loaded already.
  [[nodiscard]] std::shared_ptr<device::Module> module_of(const runtime::CompiledUnit& unit);

 private:
  [[nodiscard]] bool works() const noexcept;

  device::Device& device_;
  std::map<std::shared_ptr<const std::vector<std::byte>>, std::weak_ptr<device::Module>> modules_;
};

}  // namespace redtune::tuner
