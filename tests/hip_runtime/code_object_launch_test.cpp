// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Code objects for fictional AMD GPUs, launched by somebody who has the JSON beside them and a HIP
// runtime, and nothing of redtune.
#include <cstdlib>

#include "fictional_home.hpp"
#include "tests/code_object/launch_checks.hpp"
#include "tests/code_object/shape_checks.hpp"

namespace redtune::testing::hip {
namespace {

using code_object::CompiledFolder;
using code_object::LauncherApi;

/// The runtime of this process has all fictional devices, in the order of their table.
LauncherApi api_of(const FictionalDevice& device) {
  std::string keys;
  for (const FictionalDevice& one : fictional_devices) {
    keys += (keys.empty() ? "" : ",") + std::string(one.key);
  }
  setenv("REDTUNE_TEST_HIP", keys.c_str(), 1);
  const auto* place = find_device(device.key);
  return code_object::hip_launcher_api(REDTUNE_TEST_AMDHIP64,
                                       static_cast<int>(place - fictional_devices.data()));
}

class FictionalCodeObjects : public ::testing::TestWithParam<FictionalDevice> {
 protected:
  [[nodiscard]] CompiledFolder compiled(const code_object::LaunchedFamily& family) const {
    return CompiledFolder(family.options("hip:" + std::string(GetParam().isa), "128", true),
                          home_.environment());
  }
  /// Kernels of every finish for this device.
  [[nodiscard]] CompiledFolder compiled(const Words& problem) const {
    Words words{"--target", "hip:" + std::string(GetParam().isa),
                "--set",    "block_size=128",
                "--set",    "items_per_thread=8",
                "--set",    "vector_width=4",
                "--set",    "load=cached",
                "--set",    "blocks_per_unit=2"};
    words.insert(words.end(), problem.begin(), problem.end());
    return CompiledFolder(words, home_.environment());
  }

 private:
  FictionalHome home_{std::string(GetParam().key)};
};

TEST_P(FictionalCodeObjects, AreLaunchedByTheirJsonAlone) {
  const LauncherApi api = api_of(GetParam());
  const auto finishes = code_object::run_sums(api, compiled({"--op", "sum"}));
  EXPECT_TRUE(finishes.contains("last_block") && finishes.contains("second_pass"));
  EXPECT_FALSE(code_object::run_argmins(api, compiled({"--op", "argmin"})).empty());
}

TEST_P(FictionalCodeObjects, OfShapesAreLaunchedByTheirJsonAlone) {
  const LauncherApi api = api_of(GetParam());
  for (const code_object::LaunchedFamily& family : code_object::launched_families()) {
    EXPECT_FALSE(code_object::run_shapes(api, compiled(family), family, {3}).empty());
  }
}

/// The first device of each wave size, and the others.
std::vector<FictionalDevice> devices(bool are_first) {
  std::vector<FictionalDevice> found;
  std::set<int> waves;
  for (const FictionalDevice& device : fictional_devices) {
    if (waves.insert(device.wave_size).second == are_first) found.push_back(device);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Some, FictionalCodeObjects, ::testing::ValuesIn(devices(true)),
                         [](const auto& device) { return test_name(device.param.key); });
INSTANTIATE_TEST_SUITE_P(Full, FictionalCodeObjects, ::testing::ValuesIn(devices(false)),
                         [](const auto& device) { return test_name(device.param.key); });

}  // namespace
}  // namespace redtune::testing::hip
