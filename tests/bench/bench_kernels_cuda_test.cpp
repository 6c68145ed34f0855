// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What NVRTC makes of the benchmarks' own kernels; they run on a GPU only.
#include <gtest/gtest.h>

#include "bench/device_texts.hpp"
#include "bench/in_context/program.hpp"
#include "device/cuda/cuda_arch.hpp"
#include "tests/device/cuda_texts.hpp"

namespace redtune::device::cuda::testing {
namespace {

void expect_no_spills(const CompileRequest& request) {
  const CompiledProgram program = compiled(request);
  ASSERT_EQ(program.kernels.size(), request.name_expressions.size());
  for (const CompiledKernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.resources.spills, 0) << kernel.symbol;
    EXPECT_EQ(kernel.resources.scratch_bytes, 0) << kernel.symbol;
  }
}

class BenchKernels : public NvrtcArchTest {};

TEST_P(BenchKernels, OfAProgramCompileWithoutSpills) {
  expect_no_spills({bench::program_text("in_context/program.hip.h"),
                    bench::program_kernels(limits_of(GetParam())), GetParam()});
}

INSTANTIATE_TEST_SUITE_P(Architectures, BenchKernels, ::testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto& test) { return std::string(test.param); });

class RowKernels : public NvrtcArchTest {};

TEST_P(RowKernels, CompileInAllWaysWithoutSpills) {
  expect_no_spills({bench::program_text("row_of_launches/kernel.hip.h"),
                    {"redtune::noted_sum<64, 0>", "redtune::noted_sum<64, 1>",
                     "redtune::noted_sum<32, 2>", "redtune::noted_sum<1024, 2>"},
                    GetParam()});
}

INSTANTIATE_TEST_SUITE_P(Architectures, RowKernels, ::testing::Values("sm_90", "sm_100"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace redtune::device::cuda::testing
