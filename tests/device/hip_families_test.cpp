// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC makes of the kernels of every family: they compile, and keep nothing in memory.
#include <algorithm>
#include <gtest/gtest.h>
#include <tuple>

#include "device/hip/hip_arch.hpp"
#include "hip_texts.hpp"
#include "tests/device/family_texts.hpp"
#include "tests/device/hip_architectures.hpp"
#include "tests/kernels/kernel_configs.hpp"

namespace redtune::device::hip::testing {
namespace {

/// Of twins one.
Architectures without_twins() {
  Architectures found = architectures();
  for (const Twins& both : twins()) std::erase(found, both.other);
  return found;
}

class HipFamily : public ::testing::TestWithParam<std::string> {};

TEST_P(HipFamily, CompilesEveryValueWithoutSpills) {
  const kernels::Family& family = kernels::find_family(GetParam());
  const Architectures archs = without_twins();
  std::vector<Limits> limits;
  for (const auto& arch : archs) limits.push_back(checks::with_units(limits_of(arch)));
  const auto names = device::testing::names_of_every_value(family, limits);
  for (std::size_t i = 0; i < archs.size(); ++i) {
    SCOPED_TRACE(archs[i]);
    const auto program = compiled({family.device_text(Problem{}), names[i].all(), archs[i]});
    device::testing::expect_no_spills(program, names[i].all());
  }
}

INSTANTIATE_TEST_SUITE_P(All, HipFamily, ::testing::ValuesIn(device::testing::family_names()),
                         [](const auto& test) { return test.param; });

class HipFamilies : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(HipFamilies, CompileWithoutSpills) {
  const auto& [name, arch] = GetParam();
  const Architectures known = architectures();
  const auto number = static_cast<std::size_t>(std::ranges::find(known, arch) - known.begin());
  const kernels::Family& family = kernels::find_family(name);
  const auto names = device::testing::sample_of_names(family, checks::with_units(limits_of(arch)),
                                                      {.number = number, .of = known.size()});
  const auto program = compiled({family.device_text(Problem{}), names.all(), arch});
  device::testing::expect_no_spills(program, names.all());
}

INSTANTIATE_TEST_SUITE_P(Full, HipFamilies,
                         ::testing::Combine(::testing::ValuesIn(device::testing::family_names()),
                                            ::testing::ValuesIn(architectures())),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" + name_of(std::get<1>(test.param));
                         });

/// Plans and groups by key take turns: every second architecture has the one, the others the other.
/// Each has both in a full run.
Architectures every_second(std::size_t first) {
  const Architectures known = architectures();
  Architectures found;
  for (std::size_t i = first; i < known.size(); i += 2) found.push_back(known[i]);
  return found;
}

/// Its place among those that have the same.
device::testing::Turn turn_of_two(const std::string& arch) {
  const Architectures known = architectures();
  const auto number = static_cast<std::size_t>(std::ranges::find(known, arch) - known.begin());
  return {.number = number / 2, .of = known.size()};
}

class HipPlans : public ::testing::TestWithParam<std::string> {};

TEST_P(HipPlans, CompileWithoutSpills) {
  const std::string arch = GetParam();
  const Limits limits = checks::with_units(limits_of(arch));
  const auto making = device::testing::plan_names(limits);
  device::testing::expect_no_spills(compiled({kernels::plan_text(), making, arch}), making);
  const auto names = device::testing::planned_names(limits, turn_of_two(arch));
  device::testing::expect_no_spills(
      compiled({kernels::planned_segments().device_text(Problem{}), names, arch}), names);
}

class HipGroups : public ::testing::TestWithParam<std::string> {};

TEST_P(HipGroups, ByKeyCompileWithoutSpills) {
  const std::string arch = GetParam();
  const Limits limits = checks::with_units(limits_of(arch));
  const auto grouping = device::testing::group_names(limits);
  device::testing::expect_no_spills(compiled({kernels::group_text(), grouping, arch}), grouping);
  const auto names = device::testing::counted_names(limits, turn_of_two(arch));
  device::testing::expect_no_spills(
      compiled({kernels::counted_segments().device_text(Problem{}), names, arch}), names);
  const auto in_tiles = device::testing::keyed_tile_names(limits, turn_of_two(arch));
  device::testing::expect_no_spills(
      compiled({kernels::keyed_tiles_text(Problem{}), in_tiles, arch}), in_tiles);
}

INSTANTIATE_TEST_SUITE_P(Some, HipPlans, ::testing::ValuesIn(every_second(0)), architecture_name);
INSTANTIATE_TEST_SUITE_P(Full, HipPlans, ::testing::ValuesIn(every_second(1)), architecture_name);
INSTANTIATE_TEST_SUITE_P(Some, HipGroups, ::testing::ValuesIn(every_second(1)), architecture_name);
INSTANTIATE_TEST_SUITE_P(Full, HipGroups, ::testing::ValuesIn(every_second(0)), architecture_name);

}  // namespace
}  // namespace redtune::device::hip::testing
