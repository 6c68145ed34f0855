// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels of columns for a device that need not be here: of problems in turn the default or a
// config of one of the ways; of all problems in a full run.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/compiler.hpp"
#include "kernel_templates/family/family.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tests/support/samples.hpp"

namespace redtune::device::testing {

[[nodiscard]] inline const kernels::Family& columns_family() {
  return kernels::find_family("reduce_columns");
}

/// Their name expressions; number: which problems and configs it begins with.
[[nodiscard]] inline std::vector<std::string> names_of_columns(const Limits& limits,
                                                               std::size_t number) {
  constexpr std::size_t configs = 4;  // the default, and one of each way
  constexpr Shape shapes[] = {Shape::columns(1 << 14, 4097), Shape::columns(1 << 24, 7),
                              Shape{.count = 8, .outer = 1000, .inner = 2048}};
  const std::size_t some = 60;
  std::vector<std::string> names;
  for (checks::Cell& cell : checks::every_nth(checks::contract_cells(1), some, number * 7)) {
    static_cast<Shape&>(cell.problem) = shapes[cell.number % std::size(shapes)];
    const auto settings =
        checks::sample(columns_family(), cell.problem, limits, cell.number, configs);
    const std::size_t turn = (cell.number + number) % settings.size();
    for (auto& name :
         columns_family().name_expressions(settings[turn], cell.problem, limits.wave_size)) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

/// Nothing that a thread holds is kept in memory.
inline void expect_no_spills(const CompiledProgram& program, std::size_t kernels) {
  ASSERT_EQ(program.kernels.size(), kernels);
  for (const CompiledKernel& kernel : program.kernels) {
    EXPECT_EQ(kernel.resources.spills.value_or(0), 0) << kernel.symbol;
    EXPECT_EQ(kernel.resources.scratch_bytes.value_or(0), 0) << kernel.symbol;
  }
}

}  // namespace redtune::device::testing
