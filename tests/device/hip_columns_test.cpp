// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What hipRTC makes of the kernels of columns: they compile, and keep nothing in memory.
#include <algorithm>
#include <gtest/gtest.h>

#include "device/hip/hip_arch.hpp"
#include "hip_texts.hpp"
#include "tests/device/column_texts.hpp"
#include "tests/device/hip_architectures.hpp"
#include "tests/kernels/kernel_configs.hpp"

namespace redtune::device::hip::testing {
namespace {

/// One of each kind, as far as the installed HIP knows them.
std::vector<std::string> some_architectures() {
  std::vector<std::string> known = architectures();
  std::erase_if(known, [](const std::string& arch) {
    const std::vector<std::string> some{"gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"};
    return std::ranges::count(some, arch) == 0;
  });
  return known;
}

class HipColumns : public ::testing::TestWithParam<std::string> {};

TEST_P(HipColumns, CompileWithoutSpills) {
  const std::vector<std::string> known = some_architectures();
  const auto number = std::ranges::find(known, GetParam()) - known.begin();
  const Limits limits = checks::with_units(limits_of(GetParam()));
  const auto names = device::testing::names_of_columns(limits, static_cast<std::size_t>(number));
  const std::string text = device::testing::columns_family().device_text(Problem{});
  device::testing::expect_no_spills(compiled({text, names, GetParam()}), names.size());
}

INSTANTIATE_TEST_SUITE_P(Architectures, HipColumns, ::testing::ValuesIn(some_architectures()),
                         architecture_name);

}  // namespace
}  // namespace redtune::device::hip::testing
