// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A program that only looks results up opens no module of a vendor: AMD's takes 30 to 40 ms. A
// program of its own, for what is once opened stays so.
#include <cstdlib>
#include <gtest/gtest.h>
#include <link.h>

#include "device/registry.hpp"
#include "redtune/best_results.hpp"
#include "redtune/error.hpp"
#include "redtune/launch_shape.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::ResultsFile;

const Problem problem = make_problem(Op::sum, DType::f32, std::int64_t{1} << 24);

/// Programs and libraries in this process.
int loaded_objects() {
  int count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info*, std::size_t, void* sum) { return ++*static_cast<int*>(sum), 0; }, &count);
  return count;
}

bool is_module_open() {
  return std::getenv("REDTUNE_TEST_OPENED") != nullptr;
}

DeviceIdentity amd_gpu() {
  return cache::testing::sample_device();
}

DeviceIdentity nvidia_gpu() {
  DeviceIdentity device = amd_gpu();
  device.device_class.platform = "cuda";
  device.device_class.isa = "sm_90";
  device.device_class.wave_size = 32;
  return device;
}

class NothingOpened : public testing::TestWithParam<DeviceIdentity> {
 protected:
  void SetUp() override { setenv("REDTUNE_MODULE_PATH", REDTUNE_TELLTALE_MODULES, 1); }
};

TEST_P(NothingOpened, ByALookUp) {
  const DeviceIdentity& device = GetParam();
  ResultsFile results;
  results.publish(problem, device, parse_settings("finish=second_pass block_size=512 load=cached"));
  const int before = loaded_objects();

  const Answer answer = find_best(problem, device, results.options());
  EXPECT_EQ(answer.match, Match::exact) << answer.explanation;
  EXPECT_FALSE(launch_shape(answer, problem.count, device).launches.empty());
  EXPECT_EQ(BestResults(device, results.options()).find(problem).settings, answer.settings);
  EXPECT_EQ(find_best(problem, device, ResultsFile().options()).match, Match::fallback);

  EXPECT_FALSE(is_module_open());
  EXPECT_EQ(loaded_objects(), before);
}

INSTANTIATE_TEST_SUITE_P(Vendors, NothingOpened, testing::Values(amd_gpu(), nvidia_gpu()),
                         [](const auto& one) { return one.param.device_class.platform; });

/// In another process: what it opens is open in that one alone, whichever test comes first.
TEST(OpenedModules, Tell) {
  setenv("REDTUNE_MODULE_PATH", REDTUNE_TELLTALE_MODULES, 1);
  for (const char* platform : {"hip", "cuda"}) {
    EXPECT_EQ(cache::testing::in_child([&] {
                EXPECT_THROW((void)identify_device(platform), NoSuchDevice);
                return is_module_open() ? 0 : 1;
              }),
              0)
        << platform;
  }
}

TEST(Architectures, OfEveryPlatformAreKnown) {
  // One of each platform; a new platform adds its own here and a row to device/registry.cpp.
  const std::pair<std::string_view, std::string_view> examples[] = {
      {"host", "x86-64-v3"}, {"hip", "gfx90a:sramecc+:xnack-"}, {"cuda", "sm_90"}};
  for (const std::string_view platform : device::platform_names()) {
    const auto* example = std::ranges::find(examples, platform, [](auto& e) { return e.first; });
    ASSERT_NE(example, std::end(examples)) << platform;
    EXPECT_TRUE(device::architecture_limits(platform, example->second)) << platform;
  }
}

TEST(Architectures, AreKnownByTheirGeneration) {
  EXPECT_EQ(device::architecture_limits("hip", "gfx942")->wave_size, 64);
  EXPECT_EQ(device::architecture_limits("hip", "gfx1201")->wave_size, 32);
  EXPECT_EQ(device::architecture_limits("hip", "gfx90a:xnack-")->registers_per_unit, 131072);
  EXPECT_EQ(device::architecture_limits("hip", "gfx9999")->wave_size, 32) << "newer than tables";
  EXPECT_EQ(device::architecture_limits("hip", "gfx90a")->max_shared_bytes, 64 << 10);
  EXPECT_EQ(device::architecture_limits("hip", "gfx950")->max_shared_bytes, 160 << 10);
  EXPECT_EQ(device::architecture_limits("cuda", "sm_80")->max_cluster_size, 1);
  EXPECT_EQ(device::architecture_limits("cuda", "sm_90")->max_cluster_size, 8);
}

TEST(Architectures, ThatAreNoneAreNotKnown) {
  for (const char* name : {"", "sm_", "sm_9", "sm_090", "sm_90x", "gfx90a", "null"}) {
    EXPECT_FALSE(device::architecture_limits("cuda", name)) << name;
  }
  for (const char* name : {"", "gfx", "gfx-", "gfxabc", "sm_90", "null"}) {
    EXPECT_FALSE(device::architecture_limits("hip", name)) << name;
  }
  EXPECT_FALSE(device::architecture_limits("abacus", "gfx90a"));
}

}  // namespace
}  // namespace redtune
