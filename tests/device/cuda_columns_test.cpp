// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What NVRTC makes of the kernels of columns: they compile, and keep nothing in memory.
#include <gtest/gtest.h>

#include "cuda_texts.hpp"
#include "device/cuda/cuda_arch.hpp"
#include "tests/device/column_texts.hpp"

namespace redtune::device::cuda::testing {
namespace {

class CudaColumns : public NvrtcArchTest {};

TEST_P(CudaColumns, CompileWithoutSpills) {
  const std::string arch = GetParam();
  Limits limits = limits_of(arch);
  limits.compute_units = 132;
  const auto names = device::testing::names_of_columns(limits, arch.size() + arch.back());
  const std::string text = device::testing::columns_family().device_text(Problem{});
  device::testing::expect_no_spills(compiled({text, names, arch}), names.size());
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaColumns, ::testing::Values("sm_80", "sm_90", "sm_120"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace redtune::device::cuda::testing
