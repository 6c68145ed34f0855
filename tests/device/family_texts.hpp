// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels of every family for devices that need not be here. In a full run all devices together
// have, of each size of elements, every two values of tunables that go together, with operators and
// types in turn, and each some of the kernels that fill its registers, of every operator and type;
// else each device has its share of one size.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/compiler.hpp"
#include "kernel_templates/family/family.hpp"
#include "kernel_templates/segments/group_by_key.hpp"
#include "kernel_templates/segments/plan_making.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tests/kernels/offered_kernels.hpp"
#include "tests/support/samples.hpp"

namespace redtune::device::testing {

/// A device's place among all that take a sample.
struct Turn {
  std::size_t number = 0;
  std::size_t of = 1;
};

[[nodiscard]] inline std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const kernels::Family* family : kernels::all_families()) names.emplace_back(family->name());
  return names;
}

[[nodiscard]] inline std::vector<Problem> problems_of_elements(std::size_t bytes) {
  std::vector<Problem> problems;
  for (const checks::Cell& cell : checks::contract_cells(0)) {
    if (size_of(cell.problem.in) == bytes) problems.push_back(cell.problem);
  }
  return problems;
}

/// Of elements, where a device takes one.
[[nodiscard]] inline std::size_t size_in_turn(Turn turn) {
  return std::size_t{1} << turn.number % 4;
}

/// Whether a device takes a kernel that fills registers of the i-th problem of this size of
/// elements: in a full run of every third, else of one problem of one size.
[[nodiscard]] inline bool is_filled(std::size_t i, std::size_t bytes, Turn turn) {
  if (checks::is_full_run()) return i % 3 == turn.number % 3;
  return bytes == size_in_turn(turn) && i == turn.number * 7 % 20;
}

/// Name expressions of a family's kernels on a device of these limits.
[[nodiscard]] inline std::vector<std::string> sample_of_names(const kernels::Family& family,
                                                              const Limits& limits, Turn turn) {
  std::vector<std::string> names;
  const auto add = [&](const Settings& settings, const Problem& problem) {
    for (auto& name : family.name_expressions(settings, problem, limits.wave_size)) {
      if (std::ranges::count(names, name) == 0) names.push_back(std::move(name));
    }
  };
  for (const std::size_t bytes : {1, 2, 4, 8}) {
    if (!checks::is_full_run() && bytes != size_in_turn(turn)) continue;
    const std::vector<Problem> problems = problems_of_elements(bytes);
    const auto offered = checks::offered_kernels(family, problems.front(), limits);
    const auto pairs = checks::pairs_among(offered);
    for (std::size_t i = turn.number; i < pairs.size(); i += turn.of) {
      std::size_t of = i;  // the next that has registers for it
      const auto problem = [&] { return problems[of % problems.size()]; };
      while (!family.why_invalid(pairs[i], problem(), limits).empty()) ++of;
      add(pairs[i], problem());
    }
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (!is_filled(i, bytes, turn)) continue;
      const auto all = checks::offered_kernels(family, problems[i], limits);
      const auto full = checks::fullest_among(all, family, problems[i], limits);
      if (!full.empty()) add(full[(i * turn.of + turn.number) * 7919 % full.size()], problems[i]);
    }
  }
  return names;
}

/// Which of so many problems a device takes: in a full run every third, else one.
[[nodiscard]] inline std::vector<std::size_t> some_problems(std::size_t many, Turn turn) {
  if (!checks::is_full_run()) return {turn.number * 7 % many};
  std::vector<std::size_t> some;
  for (std::size_t i = turn.number % 3; i < many; i += 3) some.push_back(i);
  return some;
}

/// What launches of segments with a plan have beside those of the family: shares that are not
/// looked for, and bins, which no space offers.
[[nodiscard]] inline std::vector<std::string> planned_names(const Limits& limits, Turn turn) {
  std::vector<std::string> names;
  const std::vector<Problem> problems = problems_of_elements(size_in_turn(turn));
  const kernels::Family& family = kernels::planned_segments();
  for (const std::size_t i : some_problems(problems.size(), turn)) {
    Problem problem = problems[i];
    static_cast<Shape&>(problem) =
        Shape::segments(1 << 24, 1 << 18, i % 2 == 0 ? 32 : 64, Skew::zipf);
    const Settings found = family.default_settings(problem, limits);
    for (const auto way : {kernels::PlannedWay::shares, kernels::PlannedWay::bins}) {
      const Settings settings = kernels::planned_settings(found, way, problem, limits);
      EXPECT_EQ(family.why_invalid(settings, problem, limits), "");
      for (auto& name : family.name_expressions(settings, problem, limits.wave_size)) {
        if (std::ranges::count(names, name) == 0) names.push_back(std::move(name));
      }
    }
  }
  return names;
}
/// Likewise of reductions by key, with the kernels that find groups.
[[nodiscard]] inline std::vector<std::string> counted_names(const Limits& limits, Turn turn) {
  std::vector<std::string> names;
  const std::vector<Problem> problems = problems_of_elements(size_in_turn(turn));
  const kernels::Family& family = kernels::counted_segments();
  for (const std::size_t i : some_problems(problems.size(), turn)) {
    for (const Skew skew : {Skew::uniform, Skew::zipf}) {
      Problem problem = problems[i];
      static_cast<Shape&>(problem) = Shape::segments(1 << 24, 1 << 18, i % 2 == 0 ? 32 : 64, skew);
      const Settings settings = family.default_settings(problem, limits);
      for (auto& name : family.name_expressions(settings, problem, limits.wave_size)) {
        if (std::ranges::count(names, name) == 0) names.push_back(std::move(name));
      }
    }
  }
  return names;
}
[[nodiscard]] inline std::vector<std::string> group_names(const Limits& limits) {
  std::vector<std::string> names;
  for (const int key_bits : {32, 64}) {
    for (const std::int64_t offset_bits : {32, 64}) {
      for (auto& name : kernels::group_kernels(key_bits, offset_bits, limits)) {
        if (std::ranges::count(names, name) == 0) names.push_back(std::move(name));
      }
    }
  }
  return names;
}
/// The kernels that make plans, and measure segments.
[[nodiscard]] inline std::vector<std::string> plan_names(const Limits& limits) {
  std::vector<std::string> names = kernels::measure_kernels(32, limits);
  for (const std::int64_t bits : {32, 64}) {
    for (const auto content : {kernels::PlanContent::starts, kernels::PlanContent::bins}) {
      for (auto& name : kernels::plan_kernels(content, bits, limits)) {
        if (std::ranges::count(names, name) == 0) names.push_back(std::move(name));
      }
    }
  }
  return names;
}

/// Nothing that a thread holds is kept in memory.
inline void expect_no_spills(const CompiledProgram& program,
                             const std::vector<std::string>& names) {
  ASSERT_EQ(program.kernels.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const KernelResources& needs = program.kernels[i].resources;
    EXPECT_EQ(needs.spills.value_or(0), 0) << names[i];
    EXPECT_EQ(needs.scratch_bytes.value_or(0), 0) << names[i];
  }
}

}  // namespace redtune::device::testing
