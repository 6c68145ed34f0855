// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a bench compiles of its own is known before there is one.
#include "tuner/worker/bench_programs.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>

#include "cache/binaries/binaries.hpp"
#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "kernel_templates/probe/fill.hpp"
#include "tests/cache/samples.hpp"
#include "tuner/measure/input_filler.hpp"
#include "tuner/verify/device_comparison.hpp"
#include "tuner/worker/device_bench.hpp"

namespace redtune::tuner {
namespace {

class CountingHostCompiler final : public device::Compiler {
 public:
  [[nodiscard]] device::CompilerPlace place() const override { return real_.place(); }
  [[nodiscard]] std::string version() const override { return real_.version(); }
  void check_arch(std::string_view arch) const override { real_.check_arch(arch); }
  [[nodiscard]] int wave_size(std::string_view arch) const override {
    return real_.wave_size(arch);
  }
  [[nodiscard]] device::CompileResult compile(
      const device::CompileRequest& request) const override {
    ++calls;
    return real_.compile(request);
  }

  mutable std::atomic<int> calls = 0;

 private:
  device::host::HostCompiler real_;
};

class BenchPrograms : public testing::TestWithParam<Problem> {};

TEST_P(BenchPrograms, AreAllThatABenchCompiles) {
  const Problem& problem = GetParam();
  const auto device = device::host::make_host_device({.threads = 2});
  const cache::testing::ScratchFolder folder;
  const cache::Binaries binaries(folder / "binaries");
  const CountingHostCompiler compiler;
  CompileTarget target{.compiler = &compiler, .platform = "host", .arch = "native", .text = ""};
  target.binaries = &binaries;
  const CompilePool pool(target, {}, 2);
  constexpr std::uint64_t seed = 1;
  for (const ConfigProgram& program : bench_programs(problem, seed, device->limits())) {
    for (const UnitResult& unit : pool.with_text(program.text).compile(program.units)) {
      EXPECT_TRUE(std::holds_alternative<CompiledUnit>(unit));
    }
  }
  EXPECT_GT(compiler.calls, 0);
  compiler.calls = 0;
  const DeviceBench bench({device.get(), &kernels::family_of(problem), problem, seed}, pool);
  EXPECT_EQ(compiler.calls, 0);
}

constexpr std::int64_t many = least_compared_results;

INSTANTIATE_TEST_SUITE_P(
    OfKinds, BenchPrograms,
    testing::Values(make_problem(Op::sum, DType::f32, 1000),
                    make_problem(Op::sum, DType::f32, Shape::rows(many, 3)),
                    make_problem(Op::argmax, DType::f16, Shape{.count = 2, .inner = many + 1}),
                    make_problem(Op::mean_variance, DType::f32, Shape::segments(3 * many, many))));

/// A host's bench copies its input; a GPU's writes a large one by a kernel.
TEST(BenchProgramsOfGpus, HaveOneThatWritesLargeInputs) {
  Limits gpu = device::host::make_host_device({.threads = 2})->limits();
  gpu.wave_size = 32;
  const auto writes = [&](std::int64_t count) {
    const auto programs = bench_programs(make_problem(Op::sum, DType::f32, count), 1, gpu);
    return std::ranges::count(programs, kernels::fill_text(), &ConfigProgram::text);
  };
  const auto least = static_cast<std::int64_t>(least_filled_bytes / sizeof(float));
  EXPECT_EQ(writes(least), 1);
  EXPECT_EQ(writes(least - 1), 0);
}

}  // namespace
}  // namespace redtune::tuner
