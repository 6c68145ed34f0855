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

class CudaFamilies : public NvrtcArchTest {};

TEST_P(CudaFamilies, CompileWithoutSpills) {
  const std::string arch = GetParam();
  const device::testing::Turn turn{
      .number = static_cast<std::size_t>(std::ranges::find(family_architectures, arch) -
                                         family_architectures),
      .of = std::size(family_architectures)};
  Limits limits = limits_of(arch);
  limits.compute_units = 132;
  for (const kernels::Family* family : kernels::all_families()) {
    if (family->name() == "reduce") continue;
    const auto names = device::testing::sample_of_names(*family, limits, turn);
    const auto program = compiled({family->device_text(Problem{}), names, arch});
    device::testing::expect_no_spills(program, names);
  }
}

TEST_P(CudaFamilies, CompileForPlansWithoutSpills) {
  const std::string arch = GetParam();
  const auto number = static_cast<std::size_t>(std::ranges::find(family_architectures, arch) -
                                               family_architectures);
  Limits limits = limits_of(arch);
  limits.compute_units = 132;
  const auto making = device::testing::plan_names(limits);
  device::testing::expect_no_spills(compiled({kernels::plan_text(), making, arch}), making);
  const auto names = device::testing::planned_names(
      limits, {.number = number, .of = std::size(family_architectures)});
  device::testing::expect_no_spills(
      compiled({kernels::planned_segments().device_text(Problem{}), names, arch}), names);
}

TEST_P(CudaFamilies, CompileForKeysWithoutSpills) {
  const std::string arch = GetParam();
  const auto number = static_cast<std::size_t>(std::ranges::find(family_architectures, arch) -
                                               family_architectures);
  Limits limits = limits_of(arch);
  limits.compute_units = 132;
  const auto grouping = device::testing::group_names(limits);
  device::testing::expect_no_spills(compiled({kernels::group_text(), grouping, arch}), grouping);
  const auto names = device::testing::counted_names(
      limits, {.number = number, .of = std::size(family_architectures)});
  device::testing::expect_no_spills(
      compiled({kernels::counted_segments().device_text(Problem{}), names, arch}), names);
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaFamilies, ::testing::ValuesIn(family_architectures),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace redtune::device::cuda::testing
