// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The HIP runtime for tests itself, called as a program calls HIP: what it promises is what the
// other tests build on.
#include <array>
#include <cstdlib>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#include <string>
#include <thread>
#include <vector>

#include "packed_program.hpp"
#include "redtune/error.hpp"

namespace redtune::testing::hip {
namespace {

constexpr const char* text = R"(
extern "C" __global__ void add(int* data, int value) { data[threadIdx.x] += value; }
extern "C" __global__ void mixed(long long* out, char a, short b, int c, long long d) {
  if (threadIdx.x == 0) *out = a + 10 * b + 100 * c + 1000 * d;
}
extern "C" __global__ void wait_long(int* data, int turns) {
  volatile int spin = 0;
  for (int i = 0; i < turns; ++i) spin = spin + 1;
  data[threadIdx.x] = 1;
}
extern "C" __global__ void wave_sum(int* data) {
  int value = data[threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down(value, distance, 32);
  data[threadIdx.x] = __builtin_amdgcn_readfirstlane(value);
}
__constant__ int table[4];
extern "C" __global__ void look_up(int* data) {
  extern __shared__ int shared[];
  const int i = threadIdx.y * blockDim.x + threadIdx.x;
  shared[i] = table[i % 4];
  __syncthreads();
  data[i] = shared[i ^ 1] + 100 * blockDim.y;
}
extern "C" __global__ void uneven() { if (threadIdx.x == 0) __syncthreads(); }
)";
const std::vector<const char*> kernel_names{"add",      "mixed",   "wait_long",
                                            "wave_sum", "look_up", "uneven"};

std::vector<char> code_for(const std::string& isa) {
  hiprtcProgram program{};
  EXPECT_EQ(hiprtcCreateProgram(&program, text, "test", 0, nullptr, nullptr), HIPRTC_SUCCESS);
  for (const char* name : kernel_names) (void)hiprtcAddNameExpression(program, name);
  const std::string target = "--offload-arch=" + isa;
  const char* option = target.c_str();
  const hiprtcResult compiled = hiprtcCompileProgram(program, 1, &option);
  std::size_t bytes = 0;
  (void)hiprtcGetProgramLogSize(program, &bytes);
  std::string log(bytes, '\0');
  if (bytes > 0) (void)hiprtcGetProgramLog(program, log.data());
  EXPECT_EQ(compiled, HIPRTC_SUCCESS) << log;
  (void)hiprtcGetCodeSize(program, &bytes);
  std::vector<char> code(bytes);
  (void)hiprtcGetCode(program, code.data());
  EXPECT_EQ(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
  return code;
}

class HipRuntime : public ::testing::Test {
 protected:
  static constexpr int lanes = 64;

  static void SetUpTestSuite() {
    code_ = code_for("gfx90a:sramecc+:xnack-");
    ASSERT_EQ(hipModuleLoadData(&module_, code_.data()), hipSuccess);
  }
  static void TearDownTestSuite() { EXPECT_EQ(hipModuleUnload(module_), hipSuccess); }

  void SetUp() override {
    ASSERT_EQ(hipSetDevice(0), hipSuccess);
    ASSERT_EQ(hipMalloc(&memory_, lanes * sizeof(int)), hipSuccess);
    ASSERT_EQ(hipStreamCreate(&stream_), hipSuccess);
    ASSERT_EQ(hipMemsetAsync(memory_, 0, lanes * sizeof(int), stream_), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipStreamDestroy(stream_), hipSuccess);
    EXPECT_EQ(hipFree(memory_), hipSuccess);
  }

  static hipFunction_t function(const char* name) {
    hipFunction_t found{};
    EXPECT_EQ(hipModuleGetFunction(&found, module_, name), hipSuccess) << name;
    return found;
  }
  static hipError_t launch(const char* name, hipStream_t stream, void** arguments,
                           void** extra = nullptr) {
    return hipModuleLaunchKernel(function(name), 1, 1, 1, lanes, 1, 1, 0, stream, arguments, extra);
  }
  std::vector<int> data(hipStream_t stream) const {
    std::vector<int> values(lanes);
    EXPECT_EQ(
        hipMemcpyAsync(values.data(), memory_, lanes * sizeof(int), hipMemcpyDeviceToHost, stream),
        hipSuccess);
    EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
    return values;
  }

  static inline std::vector<char> code_;
  static inline hipModule_t module_ = nullptr;
  void* memory_ = nullptr;
  hipStream_t stream_ = nullptr;
};

TEST_F(HipRuntime, GraphsKeepTheValuesOfArgumentsFromTheirCapture) {
  ASSERT_EQ(hipStreamBeginCapture(stream_, hipStreamCaptureModeThreadLocal), hipSuccess);
  int value = 3;
  void* arguments[] = {&memory_, &value};
  ASSERT_EQ(launch("add", stream_, arguments), hipSuccess);
  value = 1000;  // too late
  hipGraph_t graph{};
  ASSERT_EQ(hipStreamEndCapture(stream_, &graph), hipSuccess);
  EXPECT_THAT(data(stream_), ::testing::Each(0));  // captured is not done
  hipGraphExec_t executable{};
  ASSERT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(hipGraphLaunch(executable, stream_), hipSuccess);
  EXPECT_THAT(data(stream_), ::testing::Each(6));
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, stream_), hipErrorInvalidHandle);
}

TEST_F(HipRuntime, WaitingWhileCapturingBreaksTheCapture) {
  ASSERT_EQ(hipStreamBeginCapture(stream_, hipStreamCaptureModeThreadLocal), hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream_), hipErrorStreamCaptureUnsupported);
  hipGraph_t graph{};
  EXPECT_EQ(hipStreamEndCapture(stream_, &graph), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(hipStreamSynchronize(stream_), hipSuccess);
}

TEST_F(HipRuntime, TakesPackedArgumentsAtTheirOffsets) {
  struct {
    void* out;
    char a;
    short b;
    int c;
    long long d;
  } packed{memory_, 1, 2, 3, 4};
  std::size_t bytes = sizeof(packed);
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  EXPECT_EQ(launch("mixed", stream_, nullptr, extra), hipSuccess);
  EXPECT_EQ(data(stream_)[0], 4321);
  bytes = sizeof(void*);
  EXPECT_EQ(launch("mixed", stream_, nullptr, extra), hipErrorInvalidValue);
}

TEST_F(HipRuntime, TheDefaultStreamWaitsForAllOthersAndTheyForIt) {
  int turns = 30'000'000;
  void* slow[] = {&memory_, &turns};
  ASSERT_EQ(launch("wait_long", stream_, slow), hipSuccess);
  int value = 1;
  void* arguments[] = {&memory_, &value};
  ASSERT_EQ(launch("add", nullptr, arguments), hipSuccess);
  EXPECT_THAT(data(stream_), ::testing::Each(2));
}

TEST_F(HipRuntime, EventsTellWhenTheStreamCameToThem) {
  std::array<hipEvent_t, 2> events{};
  for (hipEvent_t& event : events) ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  float milliseconds = -1;
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, events[0], events[1]), hipErrorInvalidHandle);
  int turns = 30'000'000;
  void* slow[] = {&memory_, &turns};
  ASSERT_EQ(hipEventRecord(events[0], stream_), hipSuccess);
  ASSERT_EQ(launch("wait_long", stream_, slow), hipSuccess);
  ASSERT_EQ(hipEventRecord(events[1], stream_), hipSuccess);
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, events[0], events[1]), hipErrorNotReady);
  ASSERT_EQ(hipEventSynchronize(events[1]), hipSuccess);
  ASSERT_EQ(hipEventElapsedTime(&milliseconds, events[0], events[1]), hipSuccess);
  EXPECT_GT(milliseconds, 0);
  for (hipEvent_t event : events) EXPECT_EQ(hipEventDestroy(event), hipSuccess);
}

TEST_F(HipRuntime, LanesOfAWaveExchangeWords) {
  std::vector<int> ones(lanes, 1);
  ASSERT_EQ(
      hipMemcpyAsync(memory_, ones.data(), lanes * sizeof(int), hipMemcpyHostToDevice, stream_),
      hipSuccess);
  void* arguments[] = {&memory_};
  ASSERT_EQ(launch("wave_sum", stream_, arguments), hipSuccess);
  EXPECT_THAT(data(stream_), ::testing::Each(32));
}

TEST_F(HipRuntime, BelievesNoHandleAndNoAddressThatItDidNotMake) {
  int here = 0;
  EXPECT_EQ(hipFree(&here), hipErrorInvalidValue);
  EXPECT_EQ(hipMemsetAsync(memory_, 0, lanes * sizeof(int) + 1, stream_), hipErrorInvalidValue);
  EXPECT_EQ(hipMemsetAsync(&here, 0, sizeof(here), stream_), hipErrorInvalidValue);
  auto* none = reinterpret_cast<hipStream_t>(&here);
  EXPECT_EQ(hipStreamSynchronize(none), hipErrorInvalidHandle);
  EXPECT_EQ(hipEventDestroy(reinterpret_cast<hipEvent_t>(&here)), hipErrorInvalidHandle);
  EXPECT_EQ(hipModuleUnload(reinterpret_cast<hipModule_t>(&here)), hipErrorInvalidHandle);
  hipFunction_t found{};
  EXPECT_EQ(hipModuleGetFunction(&found, module_, "missing"), hipErrorNotFound);
  EXPECT_EQ(hipSetDevice(2), hipErrorInvalidDevice);
}

TEST_F(HipRuntime, HasConstantsAndSharedMemoryAndLinesOfThreads) {
  hipDeviceptr_t table{};
  std::size_t bytes = 0;
  ASSERT_EQ(hipModuleGetGlobal(&table, &bytes, module_, "table"), hipSuccess);
  EXPECT_EQ(bytes, 4 * sizeof(int));
  EXPECT_EQ(hipModuleGetGlobal(&table, &bytes, module_, "chair"), hipErrorNotFound);
  const std::vector<int> values{5, 6, 7, 8};
  ASSERT_EQ(hipMemcpyAsync(table, values.data(), bytes, hipMemcpyHostToDevice, stream_),
            hipSuccess);
  EXPECT_EQ(hipMemcpyAsync(table, values.data(), bytes + 1, hipMemcpyHostToDevice, stream_),
            hipErrorInvalidValue);
  EXPECT_EQ(hipFree(table), hipErrorInvalidValue);
  void* arguments[] = {&memory_};
  ASSERT_EQ(hipModuleLaunchKernel(function("look_up"), 1, 1, 1, lanes / 4, 4, 1,
                                  lanes * sizeof(int), stream_, arguments, nullptr),
            hipSuccess);
  const std::vector<int> found = data(stream_);
  for (int i = 0; i < lanes; ++i) {
    EXPECT_EQ(found[static_cast<std::size_t>(i)],
              values[static_cast<std::size_t>((i ^ 1) % 4)] + 400);
  }
}

TEST_F(HipRuntime, CopiesWithinADevice) {
  void* other = nullptr;
  ASSERT_EQ(hipMalloc(&other, lanes * sizeof(int)), hipSuccess);
  ASSERT_EQ(hipMemsetAsync(other, 1, lanes * sizeof(int), stream_), hipSuccess);
  ASSERT_EQ(hipMemcpyAsync(memory_, other, lanes * sizeof(int), hipMemcpyDeviceToDevice, stream_),
            hipSuccess);
  EXPECT_EQ(data(stream_), std::vector<int>(lanes, 0x01010101));
  int here = 0;
  EXPECT_EQ(hipMemcpyAsync(memory_, &here, sizeof(here), hipMemcpyDeviceToDevice, stream_),
            hipErrorInvalidValue);
  EXPECT_EQ(hipFree(other), hipSuccess);
}

TEST_F(HipRuntime, RefusesLaunchesThatNoDeviceTakes) {
  void* arguments[] = {&memory_};
  const auto shaped = [&](unsigned blocks, unsigned threads) {
    return hipModuleLaunchKernel(function("wave_sum"), blocks, 1, 1, threads, 1, 1, 0, stream_,
                                 arguments, nullptr);
  };
  EXPECT_EQ(shaped(0, 64), hipErrorInvalidConfiguration);
  EXPECT_EQ(shaped(1, 2048), hipErrorInvalidConfiguration);
  EXPECT_EQ(shaped(0x400000, 1024), hipErrorInvalidConfiguration);  // 2^32 threads
}

TEST_F(HipRuntime, LoadsCodeOfItsOwnTargetOnly) {
  hipModule_t module{};
  const std::vector<char> other = code_for("gfx1100");
  EXPECT_EQ(hipModuleLoadData(&module, other.data()), hipErrorNoBinaryForGpu);
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  EXPECT_EQ(hipModuleLoadData(&module, code_.data()), hipErrorNoBinaryForGpu);
  EXPECT_EQ(hipModuleLoadData(&module, other.data()), hipSuccess);
  EXPECT_EQ(hipModuleUnload(module), hipSuccess);
  EXPECT_EQ(hipModuleLoadData(&module, std::string(64, 'x').c_str()), hipErrorInvalidImage);
}

TEST_F(HipRuntime, HasNoMoreMemoryThanItSays) {
  std::size_t before = 0;
  std::size_t total = 0;
  ASSERT_EQ(hipMemGetInfo(&before, &total), hipSuccess);
  EXPECT_EQ(total, std::size_t{64} << 30);
  void* data = nullptr;
  EXPECT_EQ(hipMalloc(&data, total), hipErrorOutOfMemory);  // some is in use
  EXPECT_EQ(data, nullptr);
  ASSERT_EQ(hipMalloc(&data, 1000), hipSuccess);
  EXPECT_EQ(hipFree(data), hipSuccess);
  EXPECT_EQ(hipFree(data), hipErrorInvalidValue);
}

/// Last: a process in which a kernel failed is of no more use.
TEST(HipRuntimeLast, AKernelThatCannotEndMakesAllThatFollowsFail) {
  EXPECT_EXIT(
      {
        hipModule_t module{};
        hipFunction_t uneven{};
        const std::vector<char> code = code_for("gfx90a");
        (void)hipModuleLoadData(&module, code.data());
        (void)hipModuleGetFunction(&uneven, module, "uneven");
        (void)hipModuleLaunchKernel(uneven, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr);
        (void)hipStreamSynchronize(nullptr);
        int device = 0;
        std::_Exit(hipGetDevice(&device) == hipErrorLaunchFailure ? 7 : 1);
      },
      ::testing::ExitedWithCode(7), "block 0 hangs");
}

TEST(Targets, RunWhereProcessorAndFeaturesAreTheSame) {
  EXPECT_TRUE(runs_on("gfx90a", "gfx90a:sramecc+:xnack-"));
  EXPECT_TRUE(runs_on("gfx90a:xnack-", "gfx90a:sramecc+:xnack-"));
  EXPECT_FALSE(runs_on("gfx90a:xnack+", "gfx90a:sramecc+:xnack-"));
  EXPECT_FALSE(runs_on("gfx90", "gfx90a"));
  EXPECT_FALSE(runs_on("gfx1100", "gfx1101"));
}

}  // namespace
}  // namespace redtune::testing::hip

int main(int argc, char** argv) {
  setenv("REDTUNE_TEST_HIP", "gfx90a,gfx1100", 1);
  setenv("REDTUNE_TEST_HIP_OBJECTS", REDTUNE_HIP_OBJECTS, 1);
  testing::InitGoogleTest(&argc, argv);
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  return RUN_ALL_TESTS();
}
