// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC makes of the probe's kernels: all of them compile, and nothing is kept in memory.
#include <gtest/gtest.h>
#include <set>

#include "device/hip/hip_arch.hpp"
#include "hip_texts.hpp"
#include "kernel_templates/probe/pace.hpp"
#include "kernel_templates/probe/probe.hpp"

namespace redtune::device::hip::testing {
namespace {

using kernels::ProbeKind;

class HipProbe : public ::testing::TestWithParam<const char*> {};

TEST_P(HipProbe, CompilesEveryShapeWithoutSpills) {
  const Limits limits = limits_of(GetParam());
  std::set<std::string> names{kernels::empty_probe_name(limits)};
  for (const ProbeKind kind : {ProbeKind::read, ProbeKind::cached_read, ProbeKind::copy}) {
    for (const auto& shape : kernels::probe_shapes(kind, limits)) {
      names.insert(kernels::probe_name(kind, shape, limits));
    }
  }
  const auto program = compiled({kernels::probe_text(), {names.begin(), names.end()}, GetParam()});
  ASSERT_EQ(program.kernels.size(), names.size());
  for (const CompiledKernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.resources.spills, 0) << kernel.symbol;
    EXPECT_EQ(kernel.resources.scratch_bytes, 0) << kernel.symbol;
    EXPECT_GT(kernel.resources.code_bytes.value_or(0), 0) << kernel.symbol;
  }
}

TEST_P(HipProbe, CompilesThePieceThatTellsTheClock) {
  const auto program =
      compiled({kernels::pace_text(), {kernels::pace_name(limits_of(GetParam()))}, GetParam()});
  ASSERT_EQ(program.kernels.size(), 1U);
  EXPECT_EQ(program.kernels[0].resources.spills, 0);
  // A loop, however many steps it has: nobody has found a formula for the end of it.
  EXPECT_LT(program.kernels[0].resources.code_bytes.value_or(0), 2000);
}

INSTANTIATE_TEST_SUITE_P(Architectures, HipProbe, ::testing::Values("gfx906", "gfx90a", "gfx1030"));

}  // namespace
}  // namespace redtune::device::hip::testing
