// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What NVRTC makes of the kernels of families: they compile, and keep nothing in memory. How few
// registers reduce may keep there is cuda_kernels_test.cpp's.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iterator>

#include "cuda_texts.hpp"
#include "device/cuda/cuda_arch.hpp"
#include "tests/device/family_texts.hpp"

namespace redtune::device::cuda::testing {
namespace {

constexpr const char* family_architectures[] = {"sm_80", "sm_90", "sm_120"};

Limits limits_on(const std::string& arch) {
  Limits limits = limits_of(arch);
  limits.compute_units = 132;
  return limits;
}

/// But for reduce.
std::vector<std::string> names_of_others() {
  auto names = device::testing::family_names();
  std::erase(names, "reduce");
  return names;
}

class CudaFamily : public NeedsNvrtc<::testing::TestWithParam<std::string>> {};

TEST_P(CudaFamily, CompilesEveryValueWithoutSpills) {
  const kernels::Family& family = kernels::find_family(GetParam());
  std::vector<std::string> archs;
  std::vector<Limits> limits;
  for (const char* arch : family_architectures) {
    if (!is_known(arch)) continue;
    archs.emplace_back(arch);
    limits.push_back(limits_on(arch));
  }
  ASSERT_GE(archs.size(), 2U);
  const auto names = device::testing::names_of_every_value(family, limits);
  for (std::size_t i = 0; i < archs.size(); ++i) {
    SCOPED_TRACE(archs[i]);
    const auto program = compiled({family.device_text(Problem{}), names[i].all(), archs[i]});
    device::testing::expect_no_spills(program, names[i].all());
  }
}

INSTANTIATE_TEST_SUITE_P(All, CudaFamily, ::testing::ValuesIn(names_of_others()),
                         [](const auto& test) { return test.param; });

class CudaFamilies : public NvrtcArchTest {};

TEST_P(CudaFamilies, CompileWithoutSpills) {
  const std::string arch = GetParam();
  const device::testing::Turn turn{
      .number = static_cast<std::size_t>(std::ranges::find(family_architectures, arch) -
                                         family_architectures),
      .of = std::size(family_architectures)};
  for (const std::string& name : names_of_others()) {
    const kernels::Family& family = kernels::find_family(name);
    const auto names = device::testing::sample_of_names(family, limits_on(arch), turn);
    const auto program = compiled({family.device_text(Problem{}), names.all(), arch});
    device::testing::expect_no_spills(program, names.all());
  }
}

INSTANTIATE_TEST_SUITE_P(Full, CudaFamilies, ::testing::ValuesIn(family_architectures),
                         [](const auto& test) { return std::string(test.param); });

/// Streams of this kernel text and of these problems, with as many ends and loads as it is their
/// turn for, in blocks of 64 and 128 threads.
void expect_streams_without_spills(const kernels::Family& family, const std::string& arch,
                                   std::size_t turn) {
  const Limits limits = limits_on(arch);
  std::vector<std::string> names;
  for (const std::size_t bytes : {1, 2, 4, 8}) {
    const auto problems = device::testing::problems_of_elements(bytes);
    for (std::size_t i = turn % 7; i < problems.size(); i += checks::is_full_run() ? 1 : 42) {
      Problem problem = problems[i];
      static_cast<Shape&>(problem) = Shape::segments(1 << 24, 1 << 20, i % 2 == 0 ? 32 : 64);
      for (const int loads : {8, 4, 2, 1}) {
        const Settings settings = parse_settings(fmt::format(
            "way=slots staging=stream block_size={} threads_per_segment=1 segments_per_thread={} "
            "loads_per_thread={} vector_width={} blocks_per_unit=4",
            64 << (i + turn) % 2, 1 << i % 4, loads, 16 / bytes));
        if (!family.why_invalid(settings, problem, limits).empty()) continue;
        for (auto& name : family.name_expressions(settings, problem, limits.wave_size)) {
          if (std::ranges::count(names, name) == 0) names.push_back(std::move(name));
        }
        break;
      }
    }
  }
  EXPECT_GE(names.size(), 3U);
  const auto program = compiled({family.device_text(Problem{}), names, arch});
  device::testing::expect_no_spills(program, names);
}

class CudaStreams : public NvrtcTest {};

/// On sm_75 loads go by registers, of which streams ask for room for many threads.
TEST_F(CudaStreams, CompileWithoutSpills) {
  std::size_t turn = 0;
  for (const char* arch : {"sm_75", "sm_80", "sm_90"}) {
    if (!is_known(arch)) continue;
    SCOPED_TRACE(arch);
    expect_streams_without_spills(kernels::find_family("reduce_segments"), arch, turn);
    expect_streams_without_spills(kernels::counted_segments(), arch, turn + 3);
    turn += 2;
  }
}

/// Also where the device counts segments a multiprocessor has room for as many waves.
TEST_F(CudaStreams, HaveRoomForAsManyWaves) {
  const std::string arch = "sm_80";
  const Problem problem = make_problem(Op::sum, DType::f32, Shape::segments(1 << 24, 1 << 20));
  const Settings settings = parse_settings(
      "way=slots staging=stream block_size=128 threads_per_segment=1 segments_per_thread=4 "
      "loads_per_thread=4 vector_width=4 blocks_per_unit=8");
  for (const kernels::Family* family :
       {&kernels::find_family("reduce_segments"),
        static_cast<const kernels::Family*>(&kernels::counted_segments())}) {
    ASSERT_EQ(family->why_invalid(settings, problem, limits_on(arch)), "");
    const auto names = family->name_expressions(settings, problem, 32);
    const auto program = compiled({family->device_text(problem), names, arch});
    EXPECT_LE(program.kernels.front().resources.vector_registers.value(), 65536 / 768);
    device::testing::expect_no_spills(program, names);
  }
}

class CudaPlans : public NvrtcArchTest {};

TEST_P(CudaPlans, CompileWithoutSpills) {
  const std::string arch = GetParam();
  const auto number = static_cast<std::size_t>(std::ranges::find(family_architectures, arch) -
                                               family_architectures);
  const Limits limits = limits_on(arch);
  const auto making = device::testing::plan_names(limits);
  device::testing::expect_no_spills(compiled({kernels::plan_text(), making, arch}), making);
  const auto names = device::testing::planned_names(
      limits, {.number = number, .of = std::size(family_architectures)});
  device::testing::expect_no_spills(
      compiled({kernels::planned_segments().device_text(Problem{}), names, arch}), names);
}

TEST_P(CudaPlans, AndGroupsByKeyCompileWithoutSpills) {
  const std::string arch = GetParam();
  const auto number = static_cast<std::size_t>(std::ranges::find(family_architectures, arch) -
                                               family_architectures);
  const Limits limits = limits_on(arch);
  const auto grouping = device::testing::group_names(limits);
  device::testing::expect_no_spills(compiled({kernels::group_text(), grouping, arch}), grouping);
  const auto names = device::testing::counted_names(
      limits, {.number = number, .of = std::size(family_architectures)});
  device::testing::expect_no_spills(
      compiled({kernels::counted_segments().device_text(Problem{}), names, arch}), names);
  const auto in_tiles = device::testing::keyed_tile_names(
      limits, {.number = number, .of = std::size(family_architectures)});
  device::testing::expect_no_spills(
      compiled({kernels::keyed_tiles_text(Problem{}), in_tiles, arch}), in_tiles);
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaPlans, ::testing::ValuesIn(family_architectures),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace redtune::device::cuda::testing
