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
                         "  for (int i = 0; threadIdx.x < n && i < 20000; ++i) *total += 1;\n"
                         "}\n";
  const Said tuned =
      home.run({"tune", file, "--device", "hip:0", "--budget", "2", "--force-noisy", "--json"});
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_THAT(tuned.out, HasSubstr("\"op\": \"kernel\""));
  EXPECT_THAT(tuned.out, HasSubstr("\"trials\": 2"));
  const Said found = home.run({"query", file, "--device", "hip:0"});
  EXPECT_THAT(found.out, HasSubstr("match    exact"));
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
