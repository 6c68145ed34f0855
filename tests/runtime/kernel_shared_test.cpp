// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels of users that have dynamic shared memory, on a GPU that does nothing: more than 48 KiB is
// there for those kernels only for which it was asked.
#include <gtest/gtest.h>

#include "redtune/kernel.hpp"
#include "tests/runtime/null_gpu.hpp"

namespace redtune {
namespace {

class KernelShared : public testing::Test {
 protected:
  [[nodiscard]] std::string why_not_prepared(std::string_view shared) const {
    const std::string path = folder_ / "k.hip.cpp";
    cache::testing::write_text(path,
                               "// redtune: kernel k\n// redtune: size n = 100\n"
                               "// redtune: launch block = 64 grid = 1 shared = " +
                                   std::string(shared) +
                                   "\n// redtune: arg float out[n] out\n"
                                   "// redtune: check out within 1e-5\n"
                                   "__global__ void k(float* out) {}\n");
    try {
      const Kernel kernel(path, {.device = "cuda:0", .lookup = gpu_.results.options()});
      kernel.prepare({100});
      return {};
    } catch (const Error& error) {
      return error.what();
    }
  }

  testing_runtime::NullGpu gpu_;
  cache::testing::ScratchFolder folder_;
};

TEST_F(KernelShared, IsAskedForBeforeTheFirstLaunch) {
  EXPECT_EQ(why_not_prepared("4 * n"), "");
  setenv("REDTUNE_NULL_NO_SHARED", "1", 1);
  EXPECT_EQ(why_not_prepared("4 * n"), "cannot give a kernel more shared memory: nothing");
  EXPECT_EQ(why_not_prepared("0"), "") << "nothing to ask for";
  unsetenv("REDTUNE_NULL_NO_SHARED");
}

TEST_F(KernelShared, IsRefusedWhereADeviceHasLess) {
  EXPECT_EQ(why_not_prepared("SHARED_MAX"), "");
  const std::string why = why_not_prepared("SHARED_MAX + 1");
  const std::string end =
      "the default of k n=100 cold cannot run: 49153 bytes of shared memory are not there; a block "
      "of the device has 0 to 49152";
  EXPECT_TRUE(why.ends_with(end)) << why;
}

}  // namespace
}  // namespace redtune
