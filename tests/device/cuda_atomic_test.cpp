// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What NVRTC makes of the atomics: every change of every type compiles, nothing is kept in memory.
#include <gtest/gtest.h>

#include "cuda_texts.hpp"
#include "tests/kernels/atomic_kernels.hpp"

namespace redtune::device::cuda::testing {
namespace {

class CudaAtomics : public NvrtcArchTest {};

TEST_P(CudaAtomics, CompileForEveryTypeWithoutSpills) {
  const auto names = checks::atomic_names();
  const auto program = compiled({checks::atomic_text(), names, GetParam()});
  ASSERT_EQ(program.kernels.size(), names.size());
  for (const CompiledKernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.resources.scratch_bytes, 0) << kernel.symbol;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaAtomics, ::testing::Values("sm_80", "sm_90"));

}  // namespace
}  // namespace redtune::device::cuda::testing
