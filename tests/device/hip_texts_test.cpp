// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC makes of the kernels that are no reductions, the atomics, the ladder and the probe:
// all of them compile, nothing is kept in memory, and floats are added as the limits of the
// architecture say.
#include "hip_texts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "device/hip/hip_arch.hpp"
#include "kernel_templates/probe/pace.hpp"
#include "kernel_templates/probe/probe.hpp"
#include "tests/device/hip_architectures.hpp"
#include "tests/device/machine_code.hpp"
#include "tests/kernels/atomic_kernels.hpp"
#include "tests/kernels/compare_names.hpp"
#include "tests/kernels/ladder_names.hpp"
#include "tests/support/own_kernel_programs.hpp"
#include "tests/support/samples.hpp"

namespace redtune::device::hip::testing {
namespace {

class HipAtomics : public ::testing::TestWithParam<std::string> {};

TEST_P(HipAtomics, CompileForEveryTypeWithoutSpills) {
  const auto names = checks::atomic_names();
  const auto& program = compiled_once({checks::atomic_text(), names, GetParam()});
  ASSERT_EQ(program.kernels.size(), names.size());
  for (const CompiledKernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.resources.scratch_bytes, 0) << kernel.symbol;
  }
}

TEST_P(HipAtomics, AreLoopsWhereTheLimitsSaySoOnly) {
  if (!checks::has_disassembler()) GTEST_SKIP() << "no llvm-objdump on this machine";
  const FloatAtomics known = limits_of(GetParam()).float_atomics;
  const auto names = checks::atomic_names();
  const auto& program = compiled_once({checks::atomic_text(), names, GetParam()});
  const auto code = checks::machine_code(program.binary);
  auto kernel = program.kernels.begin();
  for (const std::string& change : checks::atomic_changes) {
    for (const std::string& type : checks::atomic_types) {
      if (!checks::has_atomic(change, type)) continue;
      const std::string& lines = code.at((kernel++)->symbol);
      const bool is_loop = checks::has_instruction(lines, "global_atomic_cmpswap");
      EXPECT_EQ(is_loop, (type == "float" && known == FloatAtomics::absent) ||
                             (type == "double" && known != FloatAtomics::present))
          << change << ' ' << type;
      // Minima and maxima of integers say whether there are signs: smin, min_i32.
      const bool is_done = checks::has_instruction(lines, "global_atomic_" + change) ||
                           checks::has_instruction(lines, "global_atomic_u" + change) ||
                           checks::has_instruction(lines, "global_atomic_s" + change);
      EXPECT_NE(is_loop, is_done) << change << ' ' << type << '\n' << lines;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, HipAtomics, ::testing::ValuesIn(architectures()),
                         architecture_name);

// What hipRTC makes of the ladder: every step compiles for every type, nothing is kept in memory.

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

// What hipRTC makes of the probe's kernels: all of them compile, and nothing is kept in memory.

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

/// The kernels that compare results, which no tune launches before there are many.
TEST_P(HipProbe, CompilesComparisonsForEveryTypeWithoutSpills) {
  const auto names = checks::compare_names(limits_of(GetParam()));
  const auto program = compiled({kernels::compare_text(), names, GetParam()});
  ASSERT_EQ(program.kernels.size(), names.size());
  for (const CompiledKernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.resources.spills, 0) << kernel.symbol;
    EXPECT_EQ(kernel.resources.scratch_bytes, 0) << kernel.symbol;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, HipProbe, ::testing::Values("gfx906", "gfx90a", "gfx1030"));

// What hipRTC makes of the examples of users' kernels.

class HipOwnKernels : public ::testing::TestWithParam<std::string> {};

TEST_P(HipOwnKernels, CompileForBothSizesOfWaves) {
  for (const char* const arch : {"gfx90a", "gfx1030"}) {
    Limits limits = limits_of(arch);
    limits.compute_units = 64;
    for (const CompileRequest& request : checks::own_kernel_requests(GetParam(), arch, limits)) {
      EXPECT_EQ(compiled(request).kernels.size(), request.name_expressions.size()) << arch;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, HipOwnKernels,
                         ::testing::ValuesIn(checks::own_kernel_examples()),
                         checks::own_kernel_name);

}  // namespace
}  // namespace redtune::device::hip::testing
