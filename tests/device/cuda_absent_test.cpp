// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A machine without driver and NVRTC, on any machine: this program's dlopen finds neither.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "device/cuda/cuda_vendor.hpp"
#include "device/cuda/nvrtc.hpp"

namespace {

int asked_for_nvrtc = 0;

}  // namespace

extern "C" {
void* __real_dlopen(const char* name, int flags);
// Linked in the place of dlopen, by --wrap.
void* __wrap_dlopen(const char* name, int flags) {
  const std::string text = name == nullptr ? "" : name;
  const bool is_nvrtc = text.find("libnvrtc.so") != std::string::npos;
  asked_for_nvrtc += is_nvrtc ? 1 : 0;
  const bool is_hidden = is_nvrtc || text.find("libcuda.so") != std::string::npos;
  return __real_dlopen(is_hidden ? ("/nowhere/" + text).c_str() : name, flags);
}
}

namespace redtune::device::cuda::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(CudaAbsent, NamesTheDriverAndWhatToDo) {
  const CudaPlatform platform;
  EXPECT_EQ(platform.device_count(), 0);
  EXPECT_THAT(
      platform.why_no_devices(),
      AllOf(HasSubstr("no NVIDIA driver here"), HasSubstr("libcuda.so.1"),
            HasSubstr("install it, or give this container the device"), Not(HasSubstr("\n"))));
}

TEST(CudaAbsent, OpeningADeviceSaysTheSame) {
  CudaPlatform platform;
  for (const int ordinal : {0, 1, -1}) {
    try {
      (void)platform.open(ordinal, "");
      FAIL() << "opened a device that is not there";
    } catch (const NoSuchDevice& error) {
      EXPECT_EQ(error.what(), platform.why_no_devices());
    }
  }
  EXPECT_THROW((void)platform.open(0, "wave32"), UsageError);
}

TEST(CudaAbsent, TheDriverIsNoneOfAnyVersion) {
  EXPECT_EQ(find_driver(), nullptr);
  EXPECT_EQ(driver_version(), 0);
  EXPECT_NE(driver_problem(), "");
}

TEST(CudaAbsent, SaysHowToGetACompiler) {
  const CudaPlatform platform;
  for (int again = 0; again < 2; ++again) {
    try {
      (void)platform.compiler();
      FAIL() << "found NVRTC";
    } catch (const DeviceError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("no NVRTC here"), HasSubstr("libnvrtc.so.13"),
                                      HasSubstr("install the CUDA toolkit 12 or later"),
                                      HasSubstr("CUDA_PATH"), Not(HasSubstr("\n"))));
    }
  }
  EXPECT_GE(asked_for_nvrtc, 6);  // two versions, each by the loader and in two folders
}

TEST(CudaAbsent, LimitsOfArchitecturesAreKnown) {
  EXPECT_EQ(CudaPlatform().limits_of("sm_90").wave_size, 32);
  EXPECT_THROW((void)CudaPlatform().limits_of("sm90"), UsageError);
}

}  // namespace
}  // namespace redtune::device::cuda::testing
