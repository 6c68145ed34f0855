// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// libredtune_hip.so as the registry opens it, on machines with and without an AMD GPU.
#include <array>
#include <cstdint>
#include <dlfcn.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/hip/hip_api.hpp"
#include "device/hip/hip_vendor.hpp"
#include "device/platform.hpp"
#include "hip_texts.hpp"
#include "redtune/error.hpp"

namespace redtune::device::hip::testing {
namespace {

using ::testing::HasSubstr;

class HipPlatformTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    // Never closed, as in the program: the HIP runtime leaves threads behind.
    void* module = dlopen(REDTUNE_HIP_MODULE, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(module, nullptr) << dlerror();
    entry_ = static_cast<const ModuleEntry*>(dlsym(module, "redtune_device_module"));
  }
  void SetUp() override {
    ASSERT_NE(entry_, nullptr);
    ASSERT_EQ(entry_->abi, module_abi);
    platform_ = entry_->open();
    ASSERT_NE(platform_, nullptr);
  }

  static inline const ModuleEntry* entry_ = nullptr;
  std::unique_ptr<Platform> platform_;
};

TEST(HipStreamTest, OneIsTheDefaultStream) {
  int other = 0;
  EXPECT_EQ(HipApi::stream_of(reinterpret_cast<void*>(std::uintptr_t{1})), nullptr);
  EXPECT_EQ(HipApi::stream_of(&other), static_cast<void*>(&other));
}

TEST_F(HipPlatformTest, IsCalledHip) {
  EXPECT_EQ(platform_->name(), "hip");
}

TEST_F(HipPlatformTest, CompilesWithoutADevice) {
  const CompileResult result = platform_->compiler().compile(request_for("gfx90a"));
  EXPECT_TRUE(std::holds_alternative<CompiledProgram>(result));
  EXPECT_EQ(platform_->limits_of("gfx90a").wave_size, 64);
  EXPECT_EQ(platform_->limits_of("gfx1030").wave_size, 32);
  DeviceIdentity identity;
  identity.device_class.isa = "gfx90a:sramecc+:xnack-";
  EXPECT_EQ(platform_->arch_of(identity), "gfx90a:sramecc+:xnack-");
}

TEST_F(HipPlatformTest, ErrorsOfTheModuleAreCaughtByTheProgram) {
  EXPECT_THROW((void)platform_->limits_of("gfx9999"), UsageError);
  EXPECT_THROW((void)platform_->open(0, "wave32"), UsageError);
  EXPECT_THROW((void)platform_->open(platform_->device_count(), ""), DeviceError);
}

TEST_F(HipPlatformTest, SaysWhyThereIsNoDevice) {
  if (platform_->device_count() > 0) GTEST_SKIP() << "this machine has an AMD GPU";
  const std::string why = platform_->why_no_devices();
  EXPECT_THAT(why, HasSubstr("no AMD GPU found (HIP runtime "));
  EXPECT_THAT(why, HasSubstr("hipError"));
  EXPECT_THAT(why, ::testing::Not(HasSubstr("\n")));
  if (!std::filesystem::exists("/dev/kfd")) {
    EXPECT_THAT(why, HasSubstr("/dev/kfd does not exist"));
  }
  try {
    (void)platform_->open(0, "");
    FAIL() << "opened a device that is not there";
  } catch (const DeviceError& error) {
    EXPECT_EQ(error.what(), why);
  }
}

TEST_F(HipPlatformTest, RunsAKernelWhereThereIsAGpu) {
  if (platform_->device_count() == 0) GTEST_SKIP() << platform_->why_no_devices();
  EXPECT_EQ(platform_->why_no_devices(), "");
  const auto device = platform_->open(0, "");
  const auto result =
      platform_->compiler().compile(request_for(platform_->arch_of(device->identity())));
  ASSERT_TRUE(std::holds_alternative<CompiledProgram>(result));
  const auto& program = std::get<CompiledProgram>(result);
  const auto module = device->load(program.binary);
  const Buffer buffer = device->allocate(64 * sizeof(float));
  std::array<float, 64> data{};
  for (int i = 0; i < 64; ++i) data[static_cast<std::size_t>(i)] = static_cast<float>(i);
  device->copy_to_device(buffer.data(), data.data(), sizeof(data));
  Arguments arguments;
  arguments.append(buffer.data());
  const std::array launches = {Launch{module->kernel(program.kernels[0].symbol), 1, 64, arguments}};
  const BatchTime time = device->time(launches);
  EXPECT_GT(time.host_us, 0);
  device->copy_to_host(data.data(), buffer.data(), sizeof(data));
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(data[static_cast<std::size_t>(i)], static_cast<float>(63 - i));
  }
}

TEST(HipDriverProblem, NamesTheMissingDriverAndTheGroups) {
  EXPECT_THAT(driver_problem("/nonexistent/kfd"), HasSubstr("amdgpu kernel driver is not loaded"));
  EXPECT_EQ(driver_problem("/dev/null"), "");
}

}  // namespace
}  // namespace redtune::device::hip::testing
