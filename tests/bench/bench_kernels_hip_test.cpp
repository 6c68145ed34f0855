// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC makes of the benchmarks' own kernels; they run on a GPU only.
#include <gtest/gtest.h>

#include "bench/device_texts.hpp"
#include "bench/in_context/program.hpp"
#include "device/hip/hip_compiler.hpp"

namespace redtune::device::hip {
namespace {

class HipBenchKernels : public ::testing::TestWithParam<const char*> {};

TEST_P(HipBenchKernels, OfAProgramCompile) {
  const auto names = bench::program_kernels({});
  const CompileResult result =
      HipCompiler().compile({bench::program_text("in_context/program.hip.h"), names, GetParam()});
  if (const auto* failure = std::get_if<CompileFailure>(&result)) FAIL() << failure->log;
  EXPECT_EQ(std::get<CompiledProgram>(result).kernels.size(), names.size());
}

INSTANTIATE_TEST_SUITE_P(Architectures, HipBenchKernels, ::testing::Values("gfx90a", "gfx1030"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace redtune::device::hip
