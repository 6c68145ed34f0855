// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// hipRTC really compiles here, with no GPU, and what would abort it is refused before.
#include "device/hip/hip_compiler.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/hip/code_object.hpp"
#include "device/hip/hip_arch.hpp"
#include "device/hip/hip_runtime.hpp"
#include "device/registry.hpp"
#include "hip_texts.hpp"
#include "redtune/error.hpp"

namespace redtune::device::hip::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::string refusal(std::string_view arch) {
  try {
    HipCompiler().check_arch(arch);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

class HipCompilerTest : public ::testing::TestWithParam<const char*> {};

TEST_P(HipCompilerTest, CompilesManyInstantiationsOfOneText) {
  const CompiledProgram program = compiled(request_for(GetParam()));
  ASSERT_EQ(program.kernels.size(), 3U);
  EXPECT_THAT(program.kernels[0].symbol, HasSubstr("rotateIfLi64E"));
  EXPECT_THAT(program.kernels[1].symbol, HasSubstr("rotateIdLi256E"));
  EXPECT_THAT(program.kernels[2].symbol, HasSubstr("holdILi1000E"));
  ASSERT_GT(program.binary.size(), 4U);
  EXPECT_EQ(std::memcmp(program.binary.data(),
                        "\x7f"
                        "ELF",
                        4),
            0);
}

INSTANTIATE_TEST_SUITE_P(Architectures, HipCompilerTest,
                         ::testing::Values("gfx906", "gfx90a", "gfx1030", "gfx90a:sramecc+:xnack-",
                                           "gfx90a:xnack+"));

TEST(HipCompiler, ArchitectureStringsReachTheCompilerWhole) {
  // The target is part of the metadata: features that were lost on the way would be missing there.
  const auto program = compiled(request_for("gfx90a:sramecc+:xnack-"));
  const std::string bytes(reinterpret_cast<const char*>(program.binary.data()),
                          program.binary.size());
  EXPECT_THAT(bytes, HasSubstr("--gfx90a:sramecc+:xnack-"));
}

TEST(HipCompiler, WaveSizesFollowTheArchitecture) {
  const HipCompiler compiler;
  for (const char* arch : {"gfx803", "gfx906", "gfx908", "gfx90a", "gfx90a:sramecc+:xnack-"}) {
    EXPECT_EQ(compiler.wave_size(arch), 64) << arch;
  }
  for (const char* arch : {"gfx1010", "gfx1030", "gfx1036"}) {
    EXPECT_EQ(compiler.wave_size(arch), 32) << arch;
  }
  EXPECT_THROW((void)compiler.wave_size("gfx9999"), UsageError);
}

TEST(HipCompiler, ABrokenTextIsAFailureWithItsLog) {
  CompileRequest request{"__global__ void k(int* p) {\n  p[0] = missing;\n}\n", {"k"}, "gfx90a"};
  const auto result = HipCompiler().compile(request);
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(result));
  const std::string& log = std::get<CompileFailure>(result).log;
  EXPECT_THAT(log, HasSubstr(":2:"));
  EXPECT_THAT(log, HasSubstr("use of undeclared identifier 'missing'"));
  EXPECT_NE(log.back(), '\0');
  request.text = "__global__ void k(int* p) {}";
  request.name_expressions = {"nosuch<1>"};
  EXPECT_TRUE(std::holds_alternative<CompileFailure>(HipCompiler().compile(request)));
}

TEST(HipCompiler, LongLogsAreCut) {
  const std::string name(200'000, 'x');
  const CompileRequest request{"#error " + name + "\n__global__ void k() {}", {"k"}, "gfx90a"};
  const auto result = HipCompiler().compile(request);
  ASSERT_TRUE(std::holds_alternative<CompileFailure>(result));
  EXPECT_EQ(std::get<CompileFailure>(result).log.size(), 64U * 1024U);
  EXPECT_THAT(std::get<CompileFailure>(result).log, HasSubstr("(the log was longer)"));
}

TEST(HipCompiler, AskingForAKernelTwiceGivesItTwice) {
  const auto program =
      compiled({kernel_text, {"sample::rotate<int, 64>", "sample::rotate<int, 64>"}, "gfx906"});
  ASSERT_EQ(program.kernels.size(), 2U);
  EXPECT_EQ(program.kernels[0].symbol, program.kernels[1].symbol);
}

TEST(HipCompiler, EmptyRequestsAreTheCallersMistake) {
  const HipCompiler compiler;
  EXPECT_THROW((void)compiler.compile({kernel_text, {}, "gfx90a"}), UsageError);
  EXPECT_THROW((void)compiler.compile({kernel_text, {""}, "gfx90a"}), UsageError);
  EXPECT_THROW((void)compiler.compile({"", {"k"}, "gfx90a"}), UsageError);
}

TEST(HipCompiler, RefusesArchitecturesThatWouldAbortIt) {
  for (const char* arch : {"gfx9999", "", "gfx", "native", "GFX90A", "gfx90a ",
                           "gfx90a:", "gfx90a:xnack", "gfx90a:bogus+", "gfx90a::xnack+",
                           "gfx1030:xnack+", "gfx90a;gfx906", "gfx90a\n", "gfx90a --version"}) {
    EXPECT_NE(refusal(arch), "") << arch;
    EXPECT_THROW((void)HipCompiler().compile(request_for(arch)), UsageError) << arch;
  }
  if (HIP_VERSION_MAJOR == 5 && HIP_VERSION_MINOR <= 2) {
    for (const char* arch : {"gfx1100", "gfx942"}) EXPECT_NE(refusal(arch), "") << arch;
  }
}

TEST(HipCompiler, RefusalsSayWhatIsKnown) {
  EXPECT_THAT(refusal("gfx9999"), HasSubstr("gfx906"));
  EXPECT_THAT(refusal("gfx9999"), HasSubstr("gfx1030"));
  EXPECT_THAT(refusal("gfx90"), HasSubstr("did you mean"));
  EXPECT_THAT(refusal("gfx90a:bogus+"), HasSubstr("gfx90a has other features"));
}

TEST(HipCompiler, ItsVersionIsTheRuntimesWithBuildIds) {
  EXPECT_THAT(HipCompiler().version(),
              MatchesRegex("hipRTC [0-9]+\\.[0-9]+\\.[0-9]+ \\([0-9a-f]{12}, code generator "
                           "([0-9a-f]{12}|no build id)\\)"));
}

/// Compiles in a child: 0 when it gave a binary for waves of the size told, 1 when it gave none, 2
/// when its waves are others, a signal's number + 128.
int fate_of_compiling(const std::string& arch) {
  const pid_t child = fork();
  if (child == 0) {
    const CompileRequest request{"__global__ void k(int* p) { p[0] = 1; }", {"k"}, arch};
    const auto result = HipCompiler().compile(request);
    const auto* program = std::get_if<CompiledProgram>(&result);
    if (program == nullptr) _exit(1);
    const auto notes = read_code_object(program->binary);
    _exit(notes.at(program->kernels[0].symbol).wave_size == wave_size(arch) ? 0 : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(HipCompiler, EveryArchitectureItCallsKnownCompiles) {
  ASSERT_GE(known_processors().size(), 10U);
  for (const std::string& processor : known_processors()) {
    EXPECT_EQ(refusal(processor), "") << processor;
    EXPECT_EQ(fate_of_compiling(processor), 0) << processor;
  }
}

TEST(HipArch, LimitsFollowThePublishedRegisterFiles) {
  EXPECT_EQ(limits_of("gfx906").registers_per_unit, 65536);
  EXPECT_EQ(limits_of("gfx90a:xnack-").registers_per_unit, 131072);
  EXPECT_EQ(limits_of("gfx1030").registers_per_unit, 65536);
  EXPECT_EQ(limits_of("gfx1030").wave_size, 32);
  EXPECT_EQ(limits_of("gfx90a").max_registers_per_thread, 256);
  // The largest launch stays under 2^32 threads.
  const Limits limits = limits_of("gfx90a");
  EXPECT_LT(limits.max_grid * limits.max_block_size, std::int64_t{1} << 32);
  EXPECT_THROW((void)limits_of("gfx9999"), UsageError);
}

TEST(HipArch, WhatIsKnownWithoutACompilerIsTheSame) {
  for (const std::string& processor : known_processors()) {
    EXPECT_EQ(device::architecture_limits("hip", processor), limits_of(processor)) << processor;
  }
}

}  // namespace
}  // namespace redtune::device::hip::testing
