// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// libredtune_cuda.so as the registry opens it, on machines with and without an NVIDIA GPU.
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "cuda_texts.hpp"
#include "device/cuda/driver.hpp"
#include "device/host/subprocess.hpp"
#include "device/platform.hpp"
#include "device/registry.hpp"

namespace redtune::device::cuda::testing {
namespace {

using ::testing::HasSubstr;

class CudaPlatformTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    void* module = dlopen(REDTUNE_CUDA_MODULE, RTLD_NOW | RTLD_LOCAL);
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

TEST_F(CudaPlatformTest, IsCalledCuda) {
  EXPECT_EQ(platform_->name(), "cuda");
}

TEST_F(CudaPlatformTest, CompilesWithoutADevice) {
  if (!nvrtc_problem().empty()) GTEST_SKIP() << nvrtc_problem();
  const CompileResult result = platform_->compiler().compile(request_for("sm_90"));
  EXPECT_TRUE(std::holds_alternative<CompiledProgram>(result));
}

TEST_F(CudaPlatformTest, TellsLimitsWithoutADeviceOrACompiler) {
  EXPECT_EQ(platform_->limits_of("sm_90").wave_size, 32);
  DeviceIdentity identity;
  identity.device_class.isa = "sm_90";
  EXPECT_EQ(platform_->arch_of(identity), "sm_90");
}

TEST_F(CudaPlatformTest, ErrorsOfTheModuleAreCaughtByTheProgram) {
  EXPECT_THROW((void)platform_->limits_of("gfx90a"), UsageError);
  EXPECT_THROW((void)platform_->open(0, "wave32"), UsageError);
  EXPECT_THROW((void)platform_->open(platform_->device_count(), ""), NoSuchDevice);
}

TEST_F(CudaPlatformTest, SaysWhyThereIsNoDevice) {
  if (platform_->device_count() > 0) GTEST_SKIP() << "this machine has an NVIDIA GPU";
  const std::string why = platform_->why_no_devices();
  EXPECT_THAT(why, HasSubstr(find_driver() == nullptr ? "libcuda" : "no NVIDIA GPU found"));
  EXPECT_THAT(why, ::testing::Not(HasSubstr("\n")));
  try {
    (void)platform_->open(0, "");
    FAIL() << "opened a device that is not there";
  } catch (const NoSuchDevice& error) {
    EXPECT_EQ(error.what(), why);
  }
}

TEST_F(CudaPlatformTest, RunsAKernelWhereThereIsAGpu) {
  if (platform_->device_count() == 0) GTEST_SKIP() << platform_->why_no_devices();
  if (!nvrtc_problem().empty()) GTEST_SKIP() << nvrtc_problem();
  EXPECT_EQ(platform_->why_no_devices(), "");
  const auto device = platform_->open(0, "");
  const auto result =
      platform_->compiler().compile(request_for(platform_->arch_of(device->identity())));
  ASSERT_TRUE(std::holds_alternative<CompiledProgram>(result));
  const auto& program = std::get<CompiledProgram>(result);
  const auto module = device->load(program.binary);
  const Buffer buffer = device->allocate(64 * sizeof(float));
  std::array<float, 64> data{};
  for (std::size_t i = 0; i < 64; ++i) data[i] = static_cast<float>(i);
  device->copy_to_device(buffer.data(), data.data(), sizeof(data));
  Arguments arguments;
  arguments.append(buffer.data());
  const std::array launches = {Launch{module->kernel(program.kernels[0].symbol), 1, 64, arguments}};
  EXPECT_GT(device->time(launches).host_us, 0);
  device->copy_to_host(data.data(), buffer.data(), sizeof(data));
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(data[i], static_cast<float>(63 - i));
}

TEST(CudaModule, ShowsItsEntryAndNothingElse) {
  const auto finished =
      host::run_program({REDTUNE_NM, "-D", "--defined-only", REDTUNE_CUDA_MODULE}, {});
  ASSERT_EQ(finished.status, 0) << finished.errors;
  std::istringstream lines(finished.output);
  std::vector<std::string> shown;
  for (std::string address, kind, symbol; lines >> address >> kind >> symbol;) {
    // Weak ones are what exceptions are caught by, and the standard library's; a sanitizer adds its
    // own.
    const bool is_strong = kind.find_first_of("VWu") == std::string::npos;
    if (is_strong && !symbol.starts_with("__")) shown.push_back(symbol);
  }
  EXPECT_THAT(shown, ::testing::ElementsAre("redtune_device_module"));
  EXPECT_THAT(finished.output, HasSubstr(" V _ZTIN7redtune12NoSuchDeviceE"));
}

TEST(CudaModule, NeedsNoLibraryOfNvidiaToBeOpened) {
  const auto finished = host::run_program({REDTUNE_READELF, "-d", REDTUNE_CUDA_MODULE}, {});
  ASSERT_EQ(finished.status, 0) << finished.errors;
  EXPECT_THAT(finished.output, HasSubstr("NEEDED"));
  EXPECT_THAT(finished.output, ::testing::Not(HasSubstr("libcuda")));
  EXPECT_THAT(finished.output, ::testing::Not(HasSubstr("libnvrtc")));
}

TEST(CudaModule, TheRegistryOpensIt) {
  const auto folder = std::filesystem::path(REDTUNE_CUDA_MODULE).parent_path();
  setenv("REDTUNE_MODULE_PATH", folder.c_str(), 1);
  const Registry registry;
  unsetenv("REDTUNE_MODULE_PATH");
  Platform& platform = registry.platform("cuda");
  EXPECT_EQ(platform.name(), "cuda");
  const Selection selection = registry.select("cuda:99");
  EXPECT_EQ(selection.text(), "cuda:99");
  EXPECT_THROW((void)open(selection), NoSuchDevice);
  EXPECT_THROW((void)registry.select("cuda:first"), UsageError);
}

}  // namespace
}  // namespace redtune::device::cuda::testing
