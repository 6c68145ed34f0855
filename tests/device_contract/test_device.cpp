// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tests/device_contract/test_device.hpp"

#include <cstdlib>
#include <fmt/format.h>

namespace redtune {
namespace {

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

/// Why no platform but the host's has a device.
std::string why_no_gpu(const device::Registry& registry) {
  std::string why = "no GPU to test on";
  for (const device::PlatformEntry& entry : registry.platforms()) {
    if (entry.name == "host") continue;
    why += fmt::format("; {}: {}", entry.name,
                       entry.platform ? entry.platform->why_no_devices() : entry.problem);
  }
  return why + "; REDTUNE_TEST_DEVICE=host tries the tests themselves";
}

std::unique_ptr<TestDevice> open_test_device() {
  auto opened = std::make_unique<TestDevice>();
  const std::string name = variable("REDTUNE_TEST_DEVICE", "auto");
  const device::Selection selection = opened->registry.select(name);
  opened->platform = selection.platform;
  opened->is_host = selection.platform->name() == "host";
  const std::string every = variable("REDTUNE_TEST_EVERY", "8");
  opened->every = std::max<std::size_t>(1, std::strtoul(every.c_str(), nullptr, 10));
  if (name == "auto" && opened->is_host) {
    opened->why_none = why_no_gpu(opened->registry);
  } else {
    opened->device = device::open(selection);
  }
  return opened;
}

}  // namespace

TestDevice& test_device() {
  // Never closed: a vendor's driver may end before the objects of this program do.
  static TestDevice& opened = *open_test_device().release();
  return opened;
}

void OnTestDevice::SetUp() {
  if (!test_device().device) GTEST_SKIP() << test_device().why_none;
}

std::vector<Settings> OnTestDevice::sampled(const std::vector<Settings>& configs,
                                            std::size_t number) const {
  std::vector<Settings> some;
  // A cell of few configs has one of them tried all the same.
  const std::size_t every = std::clamp<std::size_t>(configs.size(), 1, test_device().every);
  for (std::size_t i = number % every; i < configs.size(); i += every) some.push_back(configs[i]);
  return some;
}

std::vector<checks::Runner> OnTestDevice::loaded(const Problem& problem,
                                                 std::vector<Settings> configs) const {
  device::Platform& platform = *test_device().platform;
  checks::ConfigProgram program(kernels::find_family("reduce"), problem, device().limits());
  program.compile(platform.compiler(), std::move(configs), platform.arch_of(device().identity()));
  return program.load(device());
}

}  // namespace redtune
