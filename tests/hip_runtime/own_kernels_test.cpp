// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The examples of users' kernels through the unchanged program and module, on fictional AMD GPUs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fictional_home.hpp"
#include "tests/support/own_kernel_examples.hpp"
#include "tests/support/scratch_folder.hpp"

namespace redtune::testing::hip {
namespace {

using ::testing::HasSubstr;

class FictionalOwnKernels : public ::testing::TestWithParam<std::string> {};

TEST_P(FictionalOwnKernels, AreRightThroughHip) {
  for (const char* device : {"gfx90a", "gfx1100"}) {
    const FictionalHome home(device);
    const Said said =
        home.run({"kernels", "check", checks::own_kernel_folder + GetParam(), "--device", "hip:0"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("\nright      on 2 inputs, again and again; one run took "));
    EXPECT_EQ(said.err, "");
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, FictionalOwnKernels,
                         ::testing::ValuesIn(checks::own_kernel_examples()),
                         checks::own_kernel_name);

/// All that AMD's GPUs have, which is more than every device has.
TEST(FictionalOwnKernel, HasTheSharedMemoryOfItsDevice) {
  const FictionalHome home("gfx90a");
  const checks::ScratchFolder folder;
  const std::string file = (folder / "k.hip.cpp").string();
  const auto checked = [&](const std::string& shared) {
    std::ofstream(file) << "// redtune: kernel k\n"
                           "// redtune: launch block = 64 grid = 1 shared = " +
                               shared +
                               "\n"
                               "// redtune: arg int out[64] out\n"
                               "// redtune: arg int bytes = SHARED_MAX\n"
                               "// redtune: check out exact\n"
                               "__global__ void k(int* out, int bytes) {\n"
                               "  extern __shared__ int values[];\n"
                               "  int* const last = values + bytes / 4 - 64;\n"
                               "  last[threadIdx.x] = threadIdx.x;\n"
                               "  __syncthreads();\n"
                               "  out[threadIdx.x] = last[63 - threadIdx.x];\n"
                               "}\n";
    return home.run_small({"kernels", "check", file, "--device", "hip:0"});
  };
  const Said all = checked("SHARED_MAX");
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("65536"));
  const Said more = checked("SHARED_MAX + 4");
  EXPECT_EQ(more.code, 2);
  EXPECT_THAT(more.err,
              HasSubstr("the kernel cannot run: 65540 bytes of shared memory are not there; a "
                        "block of the device has 0 to 65536"));
}

/// Every execution changes what it begins with, in graphs as well: that is brought back between.
TEST(FictionalOwnKernel, IsTunedWhereExecutionsChangeWhatTheyBeginWith) {
  const FictionalHome home("gfx90a");
  const checks::ScratchFolder folder;
  const std::string file = (folder / "k.hip.cpp").string();
  std::ofstream(file) << "// redtune: kernel k\n"
                         "// redtune: tune BLOCK = 64, 128\n"
                         "// redtune: size n = 64\n"
                         "// redtune: launch block = BLOCK grid = 1\n"
                         "// redtune: arg int totals[n] inout counting\n"
                         "// redtune: arg int n\n"
                         "// redtune: check totals exact of default\n"
                         "__global__ void k(int* totals, int n) {\n"
                         "  volatile int* const total = totals + threadIdx.x;\n"
                         "  for (int i = 0; threadIdx.x < n && i < 1000; ++i) *total += 1;\n"
                         "}\n";
  const Said tuned = home.run_small(
      {"tune", file, "--device", "hip:0", "--budget", "2", "--force-noisy", "--json"});
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_THAT(tuned.out, HasSubstr("\"op\": \"kernel\""));
  EXPECT_THAT(tuned.out, HasSubstr("\"trials\": 2"));
  const Said found = home.run_small({"query", file, "--device", "hip:0"});
  EXPECT_THAT(found.out, HasSubstr("match    exact"));
}

/// One element of many, in the middle of a block's threads: buffers are looked at where they lie.
TEST(FictionalOwnKernel, IsFoundOutWhereOneElementIsWrong) {
  const FictionalHome home("gfx90a");
  const checks::ScratchFolder folder;
  const std::string file = (folder / "k.hip.cpp").string();
  std::ofstream(file) << "// redtune: kernel k\n"
                         "// redtune: tune WRONG = 0, 1, 2\n"
                         "// redtune: size n = 3000\n"
                         "// redtune: launch block = 64 grid = ceil(n / 64)\n"
                         "// redtune: arg int out[n] out\n"
                         "// redtune: arg const int in[n] uniform(0, 9)\n"
                         "// redtune: arg int n\n"
                         "__global__ void k(int* out, const int* in, int n) {\n"
                         "  const int i = blockIdx.x * 64 + threadIdx.x;\n"
                         "  if (i < n) out[i] = in[i] + (WRONG == 1 && i == 777);\n"
                         "  if (WRONG == 2 && i == 1777) const_cast<int*>(in)[i] = 10;\n"
                         "}\n";
  const Said tuned =
      home.run_small({"tune", file, "--device", "hip:0", "--budget", "3", "--force-noisy"});
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_THAT(tuned.out, HasSubstr("2 wrong_result"));
  const Said failed = home.run_small({"log", "1", "--failed"});
  EXPECT_THAT(failed.out, HasSubstr("in: the kernel changed it, and it is no output"));
  EXPECT_THAT(failed.out, HasSubstr("out: element 777 "));
}

TEST(FictionalOwnKernel, ThatDoesNotCompileIsToldInOneLine) {
  const FictionalHome home("gfx90a");
  const checks::ScratchFolder folder;
  const std::string file = (folder / "k.hip.cpp").string();
  std::ofstream(file) << "// redtune: kernel k\n// redtune: launch block = WAVE grid = 1\n"
                         "// redtune: arg int out[64] out\n"
                         "__global__ void k(int* out) { out[threadIdx.x] = nothing; }\n";
  const Said said = home.run({"kernels", "check", file, "--device", "hip:0"});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err,
              HasSubstr(file + ": the kernel does not compile: " + file + ":4:50: error: "));
}

}  // namespace
}  // namespace redtune::testing::hip
