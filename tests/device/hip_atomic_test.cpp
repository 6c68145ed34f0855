// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC makes of the atomics: every change of every type compiles, nothing is kept in memory.
#include <gtest/gtest.h>

#include "hip_texts.hpp"
#include "tests/kernels/atomic_kernels.hpp"

namespace redtune::device::hip::testing {
namespace {

class HipAtomics : public ::testing::TestWithParam<const char*> {};

TEST_P(HipAtomics, CompileForEveryTypeWithoutSpills) {
  const auto names = checks::atomic_names();
  const auto program = compiled({checks::atomic_text(), names, GetParam()});
  ASSERT_EQ(program.kernels.size(), names.size());
  for (const CompiledKernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.resources.scratch_bytes, 0) << kernel.symbol;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, HipAtomics,
                         ::testing::Values("gfx906", "gfx90a", "gfx1030"));

}  // namespace
}  // namespace redtune::device::hip::testing
