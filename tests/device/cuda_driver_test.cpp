// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune's calls to the CUDA driver, as a driver sees them that this program brings along.
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "device/cuda/cuda_identity.hpp"
#include "device/cuda/cuda_vendor.hpp"
#include "invented_driver.hpp"

namespace redtune::device::cuda::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// All functions of the table.
constexpr std::string_view all_calls[] = {
#define REDTUNE_CUDA_CALL(name) "cu" #name,
#include "device/cuda/driver_calls.def"
#undef REDTUNE_CUDA_CALL
};

std::vector<std::string> calls() {
  std::istringstream lines(invented_calls());
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) found.push_back(line);
  return found;
}

/// Makes a call fail while it lives.
class Failing {
 public:
  Failing(std::string_view call, int status) {
    setenv("INVENTED_FAILURE", fmt::format("{}={}", call, status).c_str(), 1);
  }
  Failing(const Failing&) = delete;
  Failing& operator=(const Failing&) = delete;
  ~Failing() { unsetenv("INVENTED_FAILURE"); }
};

/// What the action throws.
template <class Expected, class Action>
std::string thrown_by(Action&& action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  return "nothing";
}

class CudaDriverTest : public ::testing::Test {
 protected:
  using Opened = gpu::GpuDevice<CudaApi>;

  void SetUp() override { ASSERT_EQ(CudaPlatform().device_count(), 1); }
  void TearDown() override { EXPECT_EQ(invented_alive(), 0); }

  static std::unique_ptr<Opened> open() { return std::make_unique<Opened>(0, facts_of(0)); }
  static std::unique_ptr<Module> load(Device& device) {
    const std::array<std::byte, 4> image = {std::byte{0x7f}, std::byte{'E'}, std::byte{'L'},
                                            std::byte{'F'}};
    return device.load(image);
  }
  /// Two launches, the second of which starts early.
  static std::array<Launch, 2> launches(const Module& module) {
    return {Launch{module.kernel("k"), 4, 64, {}},
            Launch{module.kernel("k"), 1, 32, {}, Start::early}};
  }
};

TEST_F(CudaDriverTest, EveryCallIsBoundToTheDriver) {
  ASSERT_NE(find_driver(), nullptr) << driver_problem();
  const auto expect_bound = [](const char* name, auto function) {
    Dl_info where{};
    ASSERT_NE(dladdr(reinterpret_cast<const void*>(function), &where), 0) << name;
    EXPECT_THAT(where.dli_fname, HasSubstr("libcuda.so.1")) << name;
    // A renamed function keeps the beginning of its name.
    EXPECT_THAT(where.dli_sname, ::testing::StartsWith(name));
  };
#define REDTUNE_CUDA_CALL(name) expect_bound("cu" #name, find_driver()->name);
#include "device/cuda/driver_calls.def"
#undef REDTUNE_CUDA_CALL
}

TEST_F(CudaDriverTest, ReadingADeviceOpensNothingOnIt) {
  const CudaPlatform platform;
  ASSERT_EQ(platform.device_count(), 1);
  (void)calls();
  (void)platform.readings(0);
  (void)platform.users(0);
  EXPECT_THAT(calls(), ElementsAre("cuDeviceGet", "cuDeviceGetPCIBusId", "cuDeviceGet",
                                   "cuDeviceGetPCIBusId"));
  EXPECT_EQ(invented_alive(), 0);
  EXPECT_EQ(address_of(0), "0000:fe:00.0");
  const Failing failing("cuDeviceGetPCIBusId", 999);
  EXPECT_EQ(platform.readings(0), Readings{});
  EXPECT_EQ(platform.users(0), std::nullopt);
}

TEST_F(CudaDriverTest, TellingWhatADeviceIsMakesNoContext) {
  const CudaPlatform platform;
  (void)calls();
  EXPECT_EQ(platform.facts(0, "").identity.name, "Invented GPU");
  EXPECT_THAT(calls(), ::testing::Each(AnyOf("cuInit", ::testing::StartsWith("cuDeviceGet"),
                                             "cuDeviceTotalMem", "cuDriverGetVersion")));
  EXPECT_EQ(invented_alive(), 0);
}

TEST_F(CudaDriverTest, APlatformStartsNoDriverBeforeItIsAskedForDevices) {
  (void)calls();
  CudaPlatform platform;
  (void)platform.limits_of("sm_90");
  EXPECT_THAT(calls(), IsEmpty());
  EXPECT_EQ(platform.device_count(), 1);
  EXPECT_EQ(platform.device_count(), 1);
  EXPECT_EQ(platform.why_no_devices(), "");
  EXPECT_THAT(calls(), ElementsAre("cuInit", "cuDeviceGetCount"));
  EXPECT_THROW((void)platform.open(1, ""), NoSuchDevice);
}

TEST_F(CudaDriverTest, ADeviceIsWhatTheDriverTells) {
  const gpu::Facts facts = facts_of(0);
  const DeviceIdentity& identity = facts.identity;
  EXPECT_EQ(identity.name, "Invented GPU");
  EXPECT_EQ(identity.address, "0000:fe:00.0");
  EXPECT_EQ(identity.uuid, "GPU-abababab-abab-abab-abab-abababababab");
  EXPECT_EQ(identity.device_class.isa, "sm_90");
  EXPECT_EQ(identity.device_class.compute_units, 20);
  EXPECT_EQ(identity.device_class.last_level_cache_bytes, 6 << 20);
  EXPECT_EQ(identity.device_class.memory_bytes, std::int64_t{8} << 30);
  EXPECT_THAT(identity.toolchain.driver, ::testing::EndsWith("CUDA 12.8"));
  EXPECT_EQ(identity.toolchain.runtime, "CUDA 12.8");
  EXPECT_EQ(facts.limits.compute_units, 20);
  EXPECT_EQ(facts.limits.max_block_size, 512);          // less than the architecture's
  EXPECT_EQ(facts.limits.max_shared_bytes, 100 << 10);  // likewise
  EXPECT_EQ(facts.limits.early_start, EarlyStart::present);
}

TEST_F(CudaDriverTest, MemoryKeepsWhatIsCopied) {
  const auto device = open();
  EXPECT_EQ(device->free_memory(), std::size_t{7} << 30);
  const Buffer buffer = device->allocate(8);
  const Buffer nothing = device->allocate(0);
  EXPECT_NE(nothing.data(), nullptr);
  const std::uint64_t in = 0x0123456789abcdef;
  std::uint64_t out = 0;
  device->copy_to_device(buffer.data(), &in, sizeof(in));
  device->copy_to_host(&out, buffer.data(), sizeof(out));
  EXPECT_EQ(out, in);
  device->fill(buffer.data(), std::byte{0x5a}, 8);
  device->copy_to_host(&out, buffer.data(), sizeof(out));
  EXPECT_EQ(out, 0x5a5a5a5a5a5a5a5aU);
}

TEST_F(CudaDriverTest, LaunchesAreQueuedInOrderAndEarlyOnesAreMarked) {
  const auto device = open();
  const auto module = load(*device);
  const auto all = launches(*module);
  (void)calls();
  device->launch(all, {});
  device->synchronize({});
  EXPECT_THAT(calls(), ElementsAre("cuLaunchKernel 4x64", "cuLaunchKernelEx 1x32 early",
                                   "cuStreamSynchronize"));
  EXPECT_THROW(device->launch(std::array{Launch{all[0].kernel, 1, 1024, {}}}, {}), DeviceError);
}

/// All but what the kernel has of its own.
TEST_F(CudaDriverTest, AKernelIsAllowedTheSharedMemoryThatADeviceHasForIt) {
  const auto device = open();
  const auto module = load(*device);
  const Kernel kernel = module->kernel("k");
  (void)calls();
  module->allow_shared(kernel);
  EXPECT_THAT(calls(), ElementsAre("cuFuncGetAttribute", "cuFuncSetAttribute 101400"));
}

TEST_F(CudaDriverTest, WhatStartsEarlyOutsideGraphsDoesSoWhereNothingIsCaptured) {
  const auto device = open();
  const auto module = load(*device);
  const std::array one{Launch{module->kernel("k"), 4, 64, {}, Start::early_outside_graphs}};
  (void)calls();
  device->launch(one, {});
  EXPECT_THAT(calls(), ElementsAre("cuStreamIsCapturing", "cuLaunchKernelEx 4x64 early"));
  (void)device->prepare(one);
  EXPECT_THAT(calls(),
              ElementsAre("cuStreamBeginCapture", "cuStreamIsCapturing", "cuLaunchKernel 4x64",
                          "cuStreamEndCapture", "cuGraphInstantiateWithFlags", "cuGraphDestroy",
                          "cuGraphExecDestroy"));
}

TEST_F(CudaDriverTest, OnlyTheDefaultStreamsNameNoContext) {
  for (const CUstream every : {CUstream{}, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) {
    EXPECT_FALSE(CudaApi::stream_names_context(every)) << every;
  }
  const auto context = std::make_shared<const gpu::Context<CudaApi>>(0);
  EXPECT_TRUE(CudaApi::stream_names_context(gpu::create_stream<CudaApi>(context).get()));
}

TEST_F(CudaDriverTest, ABatchIsTimedBetweenTwoEvents) {
  const auto device = open();
  const auto module = load(*device);
  const auto all = launches(*module);
  (void)calls();
  EXPECT_DOUBLE_EQ(device->time(all).device_us, 1000);
  EXPECT_THAT(calls(),
              ElementsAre("cuEventRecord", "cuLaunchKernel 4x64", "cuLaunchKernelEx 1x32 early",
                          "cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime"));
}

TEST_F(CudaDriverTest, APreparedBatchIsAGraphLaunchedAsOne) {
  const auto device = open();
  const auto module = load(*device);
  const auto all = launches(*module);
  (void)calls();
  {
    const auto batch = device->prepare(all);
    EXPECT_THAT(calls(), ElementsAre("cuStreamBeginCapture", "cuLaunchKernel 4x64",
                                     "cuLaunchKernelEx 1x32 early", "cuStreamEndCapture",
                                     "cuGraphInstantiateWithFlags", "cuGraphDestroy"));
    for (int turn = 0; turn < 2; ++turn) {
      EXPECT_DOUBLE_EQ(batch->time().device_us, 1000);
      EXPECT_THAT(calls(), ElementsAre("cuEventRecord", "cuGraphLaunch", "cuEventRecord",
                                       "cuEventSynchronize", "cuEventElapsedTime"));
    }
  }
  EXPECT_THAT(calls(), ElementsAre("cuGraphExecDestroy"));
}

TEST_F(CudaDriverTest, TheApplicationsContextStaysCurrent) {
  int theirs = 0;
  const auto before = reinterpret_cast<CUcontext>(&theirs);
  ASSERT_EQ(driver().CtxSetCurrent(before), CUDA_SUCCESS);
  {
    const auto device = open();
    const auto module = load(*device);
    (void)device->time(launches(*module));
    const Buffer buffer = device->allocate(16);
  }
  CUcontext after = nullptr;
  EXPECT_EQ(driver().CtxGetCurrent(&after), CUDA_SUCCESS);
  EXPECT_EQ(after, before);
  (void)driver().CtxSetCurrent(nullptr);
}

TEST_F(CudaDriverTest, ErrorsHaveTheDriversNames) {
  const auto device = open();
  const auto module = load(*device);
  EXPECT_EQ(thrown_by<OutOfMemory>([&] { (void)device->allocate(std::size_t{1} << 40); }),
            "cannot allocate 1099511627776 bytes on the device: CUDA_ERROR_OUT_OF_MEMORY (out of "
            "memory)");
  EXPECT_EQ(thrown_by<DeviceError>([&] { (void)module->kernel("missing"); }),
            "cannot find the kernel 'missing': CUDA_ERROR_NOT_FOUND (named symbol not found)");
  EXPECT_THAT(thrown_by<DeviceError>([&] { (void)device->load(std::array<std::byte, 8>{}); }),
              HasSubstr("CUDA_ERROR_INVALID_IMAGE"));
  const Failing fault("cuStreamSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(thrown_by<DeviceError>([&] { device->synchronize({}); }),
              HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS (illegal memory access)"));
}

TEST_F(CudaDriverTest, AnErrorThatTheDriverCannotNameIsANumber) {
  const Failing strange("cuDevicePrimaryCtxRetain", 12345);
  EXPECT_EQ(thrown_by<DeviceError>([] { (void)open(); }), "cannot open device 0: CUDA error 12345");
}

TEST_F(CudaDriverTest, ARefusedLaunchEndsItsCapture) {
  const auto device = open();
  const auto module = load(*device);
  {
    const Failing refusal("cuLaunchKernelEx", CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THROW((void)device->prepare(launches(*module)), DeviceError);
  }
  EXPECT_DOUBLE_EQ(device->time(launches(*module)).device_us, 1000);
}

/// Each in turn, anywhere between opening and closing: an error with a text, and nothing is kept.
TEST_F(CudaDriverTest, WhateverFailsNothingIsLeftBehind) {
  int failed = 0;
  for (const std::string_view call : all_calls) {
    const Failing one(call, CUDA_ERROR_ILLEGAL_ADDRESS);
    const std::string text = thrown_by<DeviceError>([] {
      const auto device = open();
      (void)device->free_memory();
      const Buffer buffer = device->allocate(4);
      int value = 1;
      device->copy_to_device(buffer.data(), &value, 4);
      device->fill(buffer.data(), std::byte{0}, 4);
      device->copy_to_host(&value, buffer.data(), 4);
      const auto module = load(*device);
      (void)device->time(launches(*module));
      (void)device->prepare(launches(*module))->time();
    });
    EXPECT_EQ(invented_alive(), 0) << call;
    if (text == "nothing") continue;
    ++failed;
    EXPECT_THAT(text, HasSubstr("cannot ")) << call;
    EXPECT_THAT(text, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS")) << call;
  }
  // All but those which give back, tell errors and versions, or count devices.
  EXPECT_GE(failed, 25);
}

TEST_F(CudaDriverTest, SaysWhyTheDriverHasNoDevice) {
  {
    const Failing none("cuInit", CUDA_ERROR_NO_DEVICE);
    EXPECT_EQ(CudaPlatform().why_no_devices(),
              "no NVIDIA GPU found (driver for CUDA 12.8: CUDA_ERROR_NO_DEVICE (no device is "
              "detected))");
  }
  setenv("INVENTED_DEVICES", "0", 1);
  CudaPlatform platform;
  EXPECT_EQ(platform.why_no_devices(), "no NVIDIA GPU found (driver for CUDA 12.8: no devices)");
  unsetenv("INVENTED_DEVICES");
  EXPECT_THROW((void)platform.open(0, ""), NoSuchDevice);
}

}  // namespace
}  // namespace redtune::device::cuda::testing
