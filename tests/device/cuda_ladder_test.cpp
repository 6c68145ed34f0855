// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What NVRTC makes of the ladder: every step compiles for every type, nothing is kept in memory.
// In samples each type for one of the architectures.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iterator>

#include "cuda_texts.hpp"
#include "device/cuda/cuda_arch.hpp"
#include "tests/kernels/ladder_names.hpp"
#include "tests/support/samples.hpp"

namespace redtune::device::cuda::testing {
namespace {

constexpr const char* architectures[] = {"sm_80", "sm_90"};

class CudaLadder : public NvrtcArchTest {};

TEST_P(CudaLadder, CompilesEveryStepForEveryTypeWithoutSpills) {
  const auto turn = std::ranges::find(architectures, GetParam()) - std::begin(architectures);
  for (const DType in : checks::every_nth(kernels::ladder_types(), std::size(architectures),
                                          static_cast<std::size_t>(turn))) {
    const auto names = checks::ladder_names(in, limits_of(GetParam()));
    const auto program = compiled({kernels::ladder_text(), names, GetParam()});
    ASSERT_EQ(program.kernels.size(), names.size()) << to_string(in);
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(program.kernels[i].resources.spills, 0) << names[i];
      EXPECT_EQ(program.kernels[i].resources.scratch_bytes, 0) << names[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaLadder, ::testing::ValuesIn(architectures));

}  // namespace
}  // namespace redtune::device::cuda::testing
