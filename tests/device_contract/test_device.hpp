// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The device that the contract is tried on, opened once, and the tests that need it.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "device/registry.hpp"
#include "tests/kernels/reduction_checks.hpp"

namespace redtune {

/// REDTUNE_TEST_DEVICE names it, as --device does; by default the first usable GPU.
/// Of each cell's configs every eighth is tried, from one cell to the next another eighth: eight
/// cells together hold every value of every tunable with every finish. REDTUNE_TEST_EVERY=1 tries
/// them all, which takes long.
struct TestDevice {
  device::Registry registry;
  device::Platform* platform = nullptr;
  std::unique_ptr<device::Device> device;  ///< null: see why_none
  std::string why_none;
  bool is_host = false;
  std::size_t every = 1;
};

/// Throws UsageError or NoSuchDevice for a device that was asked for by name.
[[nodiscard]] TestDevice& test_device();

class OnTestDevice : public testing::Test {
 protected:
  /// Passes over the test where there is no device.
  void SetUp() override;

  [[nodiscard]] device::Device& device() const { return *test_device().device; }
  /// Every n-th, from number on.
  [[nodiscard]] std::vector<Settings> sampled(const std::vector<Settings>& configs,
                                              std::size_t number) const;
  /// Compiles the configs as one program and loads them.
  [[nodiscard]] std::vector<checks::Runner> loaded(const Problem& problem,
                                                   std::vector<Settings> configs) const;
};

}  // namespace redtune
