// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What NVRTC makes of the kernels of families: they compile, and keep nothing in memory. How few
// registers reduce may keep there is cuda_kernels_test.cpp's.
#include <algorithm>
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
