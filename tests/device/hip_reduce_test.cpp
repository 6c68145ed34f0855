// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC makes of every operator and type: the default config keeps nothing in memory.
#include <algorithm>
#include <gtest/gtest.h>

#include "device/hip/hip_arch.hpp"
#include "hip_texts.hpp"
#include "kernel_templates/family.hpp"
#include "tests/kernels/operator_cells.hpp"

namespace redtune::device::hip::testing {
namespace {

class HipReduce : public ::testing::TestWithParam<checks::OperatorCell> {};

/// Of large inputs, with each finish.
TEST_P(HipReduce, TheDefaultNeverSpills) {
  const auto [op, type] = GetParam();
  const Problem problem = make_problem(op, type, std::int64_t{1} << 24);
  const kernels::Family& reduce = kernels::find_family("reduce");
  for (const char* arch : {"gfx906", "gfx90a", "gfx1030"}) {
    Limits limits = limits_of(arch);
    limits.compute_units = 60;
    std::vector<std::string> names;
    for (const char* finish : {"last_block", "last_wave", "second_pass", "single_block"}) {
      Settings config = reduce.default_settings(problem, limits);
      std::ranges::find(config, "finish", &Setting::name)->value = finish;
      const auto more = reduce.name_expressions(config, problem, limits.wave_size);
      names.insert(names.end(), more.begin(), more.end());
    }
    const auto program = compiled({reduce.device_text(problem), names, arch});
    ASSERT_EQ(program.kernels.size(), names.size()) << arch;
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(program.kernels[i].resources.spills, 0) << arch << ' ' << names[i];
      EXPECT_EQ(program.kernels[i].resources.scratch_bytes, 0) << arch << ' ' << names[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HipReduce, ::testing::ValuesIn(checks::operator_cells()),
                         checks::OperatorCellName());

}  // namespace
}  // namespace redtune::device::hip::testing
