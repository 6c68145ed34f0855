// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC makes of the atomics: every change of every type compiles, nothing is kept in memory,
// and floats are added as the limits of the architecture say.
#include <gtest/gtest.h>

#include "device/hip/hip_arch.hpp"
#include "hip_texts.hpp"
#include "tests/device/hip_architectures.hpp"
#include "tests/device/machine_code.hpp"
#include "tests/kernels/atomic_kernels.hpp"

namespace redtune::device::hip::testing {
namespace {

class HipAtomics : public ::testing::TestWithParam<std::string> {};

TEST_P(HipAtomics, CompileForEveryTypeWithoutSpills) {
  const auto names = checks::atomic_names();
  const auto program = compiled({checks::atomic_text(), names, GetParam()});
  ASSERT_EQ(program.kernels.size(), names.size());
  for (const CompiledKernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.resources.scratch_bytes, 0) << kernel.symbol;
  }
}

TEST_P(HipAtomics, AreLoopsWhereTheLimitsSaySoOnly) {
  if (!checks::has_disassembler()) GTEST_SKIP() << "no llvm-objdump on this machine";
  const FloatAtomics known = limits_of(GetParam()).float_atomics;
  const auto names = checks::atomic_names();
  const auto program = compiled({checks::atomic_text(), names, GetParam()});
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

}  // namespace
}  // namespace redtune::device::hip::testing
