// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC makes of the ladder: every step compiles for every type, nothing is kept in memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "device/hip/hip_arch.hpp"
#include "hip_texts.hpp"
#include "tests/kernels/ladder_names.hpp"
#include "tests/support/samples.hpp"

namespace redtune::device::hip::testing {
namespace {

constexpr const char* targets[] = {"gfx906", "gfx90a", "gfx1030"};

/// Every type for one of them; in a full run for all.
std::vector<DType> types_for(const std::string& target) {
  std::vector<DType> types;
  for (std::size_t i = 0; i < std::size(targets); ++i) {
    if (target != targets[i]) continue;
    types = checks::every_nth(kernels::ladder_types(), std::size(targets), i);
  }
  return types;
}

class HipLadder : public ::testing::TestWithParam<const char*> {};

TEST_P(HipLadder, CompilesEveryStepWithoutSpills) {
  for (const DType in : types_for(GetParam())) {
    const auto names = checks::ladder_names(in, limits_of(GetParam()));
    const auto program = compiled({kernels::ladder_text(), names, GetParam()});
    ASSERT_EQ(program.kernels.size(), names.size()) << to_string(in);
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(program.kernels[i].resources.spills, 0) << names[i];
      EXPECT_EQ(program.kernels[i].resources.scratch_bytes, 0) << names[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, HipLadder, ::testing::ValuesIn(targets));

}  // namespace
}  // namespace redtune::device::hip::testing
