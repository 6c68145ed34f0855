// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// NVRTC really compiles here, with no GPU, and what it cannot be asked for is refused before.
#include "device/cuda/cuda_compiler.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda_texts.hpp"
#include "device/cuda/cuda_arch.hpp"

namespace redtune::device::cuda::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::string refusal(std::string_view arch) {
  try {
    CudaCompiler().check_arch(arch);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

class CudaCompilerTest : public NvrtcTest {};
class CudaCompilerArchTest : public NvrtcArchTest {};

TEST_P(CudaCompilerArchTest, CompilesManyInstantiationsOfOneText) {
  const CompiledProgram program = compiled(request_for(GetParam()));
  ASSERT_EQ(program.kernels.size(), 4U);
  EXPECT_THAT(program.kernels[0].symbol, HasSubstr("rotateIfLi64E"));
  EXPECT_THAT(program.kernels[1].symbol, HasSubstr("rotateIdLi256E"));
  EXPECT_THAT(program.kernels[2].symbol, HasSubstr("holdILi1000E"));
  EXPECT_THAT(program.kernels[3].symbol, HasSubstr("crowdILi120E"));
  ASSERT_GT(program.binary.size(), 4U);
  EXPECT_EQ(std::memcmp(program.binary.data(), "\177ELF", 4), 0);
  EXPECT_EQ(CudaCompiler().wave_size(GetParam()), 32);
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaCompilerArchTest,
                         ::testing::Values("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100",
                                           "sm_120"),
                         [](const auto& test) { return std::string(test.param); });

TEST_F(CudaCompilerTest, KnowsTheArchitecturesOfItsVersion) {
  // All of CUDA 12.0; 13 no longer knows those before sm_75.
  for (const char* arch : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}) {
    EXPECT_EQ(refusal(arch), "") << arch;
  }
}

TEST_F(CudaCompilerTest, TellsTheKernelsItIsForCuda) {
  const auto program =
      compiled({"#if REDTUNE_CUDA == 1\n__global__ void k() {}\n#endif", {"k"}, "sm_90"});
  EXPECT_EQ(program.kernels.size(), 1U);
}

TEST_F(CudaCompilerTest, ABrokenTextIsAFailureWithItsLog) {
  CompileRequest request{"__global__ void k(int* p) {\n  p[0] = missing;\n}\n", {"k"}, "sm_90"};
  const auto result = CudaCompiler().compile(request);
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(result));
  const std::string& log = std::get<CompileFailure>(result).log;
  EXPECT_THAT(log, HasSubstr("(2): error: "));
  EXPECT_THAT(log, HasSubstr("identifier \"missing\" is undefined"));
  EXPECT_NE(log.back(), '\0');
  request.text = "__global__ void k(int* p) {}";
  request.name_expressions = {"nosuch<1>"};
  EXPECT_TRUE(std::holds_alternative<CompileFailure>(CudaCompiler().compile(request)));
}

TEST_F(CudaCompilerTest, WhatTheAssemblerRefusesIsAFailureWithItsLog) {
  const CompileRequest request{
      "__global__ void k(int* p) { __shared__ int t[1 << 20]; t[p[0]] = 1; p[1] = t[p[2]]; }",
      {"k"},
      "sm_90"};
  const auto result = CudaCompiler().compile(request);
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(result));
  EXPECT_THAT(std::get<CompileFailure>(result).log, HasSubstr("too much shared data"));
}

TEST_F(CudaCompilerTest, LongLogsAreCut) {
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    text += "__device__ void f" + std::to_string(i) + "() { int unused; }\n";
  }
  const CompileRequest request{text + "__global__ void k() { missing(); }", {"k"}, "sm_90"};
  const auto result = CudaCompiler().compile(request);
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(result));
  EXPECT_EQ(std::get<CompileFailure>(result).log.size(), 64U * 1024U);
  EXPECT_THAT(std::get<CompileFailure>(result).log, HasSubstr("(the log was longer)"));
}

TEST_F(CudaCompilerTest, AskingForAKernelTwiceGivesItTwice) {
  const auto program =
      compiled({kernel_text, {"sample::rotate<int, 64>", "sample::rotate<int, 64>"}, "sm_90"});
  ASSERT_EQ(program.kernels.size(), 2U);
  EXPECT_EQ(program.kernels[0].symbol, program.kernels[1].symbol);
  EXPECT_EQ(program.kernels[0].resources.vector_registers,
            program.kernels[1].resources.vector_registers);
}

TEST_F(CudaCompilerTest, EmptyRequestsAreTheCallersMistake) {
  const CudaCompiler compiler;
  EXPECT_THROW((void)compiler.compile({kernel_text, {}, "sm_90"}), UsageError);
  EXPECT_THROW((void)compiler.compile({kernel_text, {""}, "sm_90"}), UsageError);
  EXPECT_THROW((void)compiler.compile({"", {"k"}, "sm_90"}), UsageError);
}

TEST_F(CudaCompilerTest, RefusesArchitecturesThatItDoesNotKnow) {
  for (const char* arch :
       {"sm_10", "sm_091", "sm_99", "sm_99999", "sm_", "", "compute_90", "native", "sm_90 ",
        "sm_90;sm_80", "sm_90\n", "sm_90 --version", "gfx90a"}) {
    EXPECT_NE(refusal(arch), "") << arch;
    EXPECT_THROW((void)CudaCompiler().compile(request_for(arch)), UsageError) << arch;
    EXPECT_THROW((void)CudaCompiler().wave_size(arch), UsageError) << arch;
  }
}

TEST_F(CudaCompilerTest, RefusalsSayWhatIsKnown) {
  EXPECT_THAT(refusal("sm_71"), HasSubstr("does not know the architecture 'sm_71'"));
  EXPECT_THAT(refusal("sm_71"), HasSubstr("it knows "));
  EXPECT_THAT(refusal("sm_71"), HasSubstr("sm_80"));
  EXPECT_THAT(refusal("sm_71"), HasSubstr("sm_90"));
  EXPECT_THAT(refusal("sm_71"), HasSubstr("NVRTC 1"));
}

TEST_F(CudaCompilerTest, OlderOnesThanTheKernelsAreWrittenForAreRefusedWhateverItKnows) {
  for (const char* arch : {"sm_10", "sm_50", "sm_60", "sm_61", "sm_62"}) {
    EXPECT_THAT(refusal(arch), HasSubstr("redtune's kernels need sm_70 or later")) << arch;
  }
}

TEST_F(CudaCompilerTest, ItsVersionHasTheLibrarysBuildId) {
  EXPECT_THAT(CudaCompiler().version(),
              MatchesRegex("NVRTC [0-9]+\\.[0-9]+ \\(([0-9a-f]{12}|no build id)\\)"));
}

TEST(CudaArch, LimitsAreThoseOfTheProgrammingGuide) {
  for (const char* arch : {"sm_75", "sm_80", "sm_90", "sm_120"}) {
    const Limits limits = limits_of(arch);
    EXPECT_EQ(limits.wave_size, 32) << arch;
    EXPECT_EQ(limits.max_block_size, 1024) << arch;
    EXPECT_EQ(limits.max_vector_bytes, 16) << arch;
    EXPECT_EQ(limits.registers_per_unit, 65536) << arch;
    EXPECT_EQ(limits.max_registers_per_thread, 255) << arch;
    EXPECT_EQ(limits.max_grid, 2147483647) << arch;
    EXPECT_EQ(limits.compute_units, 1) << arch;
    EXPECT_EQ(limits.streaming_loads, StreamingLoads::present) << arch;
  }
}

TEST(CudaArch, SharedMemoryIsThatOfTheProgrammingGuide) {
  const std::pair<const char*, int> known[] = {{"sm_60", 48},  {"sm_70", 96},   {"sm_75", 64},
                                               {"sm_80", 163}, {"sm_86", 99},   {"sm_89", 99},
                                               {"sm_90", 227}, {"sm_100", 227}, {"sm_120", 99}};
  for (const auto& [arch, kib] : known) {
    EXPECT_EQ(limits_of(arch).max_shared_bytes, kib * 1024) << arch;
  }
}

TEST(CudaArch, KernelsStartEarlyFromHopperOn) {
  for (const char* arch : {"sm_75", "sm_80", "sm_86", "sm_89"}) {
    EXPECT_EQ(limits_of(arch).early_start, EarlyStart::absent) << arch;
  }
  for (const char* arch : {"sm_90", "sm_100", "sm_120"}) {
    EXPECT_EQ(limits_of(arch).early_start, EarlyStart::present) << arch;
  }
}

TEST(CudaArch, NamesAndNumbersBelongTogether) {
  EXPECT_EQ(arch_name(9, 0), "sm_90");
  EXPECT_EQ(arch_name(12, 1), "sm_121");
  for (const int number : {75, 80, 86, 89, 90, 100, 103, 120, 121}) {
    EXPECT_EQ(arch_number(arch_name(number / 10, number % 10)), number);
  }
}

TEST(CudaArch, OtherSpellingsAreRefusedWithAnExample) {
  for (const char* arch :
       {"", "sm_", "sm_9x", "sm_90a", "SM_90", "sm90", "90", "gfx90a", "sm_ 90", "sm_-90", "sm_+90",
        "sm_090", "sm_9", "sm_99999999999999999999", "sm_9.0", "compute_90"}) {
    try {
      (void)arch_number(arch);
      FAIL() << "took " << arch;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("write it as in sm_90"));
    }
    EXPECT_THROW((void)limits_of(arch), UsageError) << arch;
  }
}

}  // namespace
}  // namespace redtune::device::cuda::testing
