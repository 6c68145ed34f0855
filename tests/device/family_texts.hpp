// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels of every family for devices that need not be here. In every run all devices together have
// every value of tunables, and each one kernel that fills its registers. In a full run they have,
// of each size of elements, every two values of tunables that go together, with operators and types
// in turn, and each some of the kernels that fill its registers, of every operator and type.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/compiler.hpp"
#include "kernel_templates/family/family.hpp"
#include "kernel_templates/segments/group_by_key.hpp"
#include "kernel_templates/segments/keyed_tiles.hpp"
#include "kernel_templates/segments/plan_making.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tests/kernels/offered_kernels.hpp"
#include "tests/support/samples.hpp"

namespace redtune::device::testing {

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

/// The next of these problems from a place on that has registers for a kernel.
[[nodiscard]] inline const Problem& next_problem(const kernels::Family& family,
                                                 const Settings& settings,
                                                 const std::vector<Problem>& problems,
                                                 const Limits& limits, std::size_t place) {
  const auto problem = [&]() -> const Problem& { return problems[place % problems.size()]; };
  while (!family.why_invalid(settings, problem(), limits).empty()) ++place;
  return problem();
}

/// Name expressions of a family's kernels on a device, each once.
class Names {
 public:
  Names(const kernels::Family& family, const Limits& limits) : family_(&family), limits_(limits) {}

  void add(const Settings& settings, const Problem& any) {
    const Problem problem = checks::with_shapes_in_turn(*family_, any, added_++);
    for (auto& name : family_->name_expressions(settings, problem, limits_.wave_size)) {
      if (std::ranges::count(all_, name) == 0) all_.push_back(std::move(name));
    }
  }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] const std::vector<std::string>& all() const { return all_; }

 private:
  const kernels::Family* family_;
  Limits limits_;
  std::vector<std::string> all_;
  std::size_t added_ = 0;
};

/// Of a family on devices of these limits: together they have every value that any of them offers,
/// and each has a kernel that fills its registers. Sizes of elements take turns from device to
/// device, and so do operators and types.
[[nodiscard]] inline std::vector<Names> names_of_every_value(const kernels::Family& family,
                                                             const std::vector<Limits>& devices) {
  struct Offered {
    std::size_t device = 0;
    Settings settings;
  };
  // Where devices are fewer than sizes, families have other ones.
  const auto families = family_names();
  const auto turn =
      static_cast<std::size_t>(std::ranges::find(families, family.name()) - families.begin());
  std::vector<std::vector<Problem>> problems;
  std::vector<Names> names;
  std::vector<Offered> all;
  for (std::size_t device = 0; device < devices.size(); ++device) {
    const Limits& limits = names.emplace_back(family, devices[device]).limits();
    problems.push_back(problems_of_elements(std::size_t{1} << (turn + device) % 4));
    const Problem& problem = problems.back()[(turn + device) * 7 % problems.back().size()];
    auto offered = checks::offered_kernels(family, problem, limits);
    const auto full = checks::full_one(offered, family, problem, limits, device * 7919);
    if (full) names.back().add(*full, problem);
    for (Settings& settings : offered) all.push_back({device, std::move(settings)});
  }
  std::size_t place = turn;
  for (const auto& [device, settings] : checks::every_value(all, [](const Offered& one) {
         checks::Axes axes = checks::compiled_values(one.settings);
         axes.push_back(std::to_string(one.device));
         return axes;
       })) {
    names[device].add(settings, next_problem(family, settings, problems[device],
                                             names[device].limits(), place++));
  }
  return names;
}

/// A device's place among all that take a sample.
struct Turn {
  std::size_t number = 0;
  std::size_t of = 1;
};

/// Its share in a full run.
[[nodiscard]] inline Names sample_of_names(const kernels::Family& family, const Limits& limits,
                                           Turn turn) {
  Names names(family, limits);
  for (const std::size_t bytes : {1, 2, 4, 8}) {
    const std::vector<Problem> problems = problems_of_elements(bytes);
    const auto pairs =
        checks::pairs_among(checks::offered_kernels(family, problems.front(), limits));
    for (std::size_t i = turn.number; i < pairs.size(); i += turn.of) {
      names.add(pairs[i], next_problem(family, pairs[i], problems, limits, i));
    }
    // Of every third problem one that fills registers.
    for (std::size_t i = turn.number % 3; i < problems.size(); i += 3) {
      const auto full =
          checks::full_one(checks::offered_kernels(family, problems[i], limits), family,
                           problems[i], limits, (i * turn.of + turn.number) * 7919);
      if (full) names.add(*full, problems[i]);
    }
  }
  return names;
}

/// Of elements, where a device takes one.
[[nodiscard]] inline std::size_t size_in_turn(Turn turn) {
  return std::size_t{1} << turn.number % 4;
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
/// The kernel that reduces groups of keys in tiles: of both sizes of keys, and both ways in which
/// elements come to threads, in turns.
[[nodiscard]] inline std::vector<std::string> keyed_tile_names(const Limits& limits, Turn turn) {
  std::vector<std::string> names;
  const std::vector<Problem> problems = problems_of_elements(size_in_turn(turn));
  for (const std::size_t i : some_problems(problems.size(), turn)) {
    const Problem& problem = problems[i];
    for (const int key_bits : {32, 64}) {
      auto config = kernels::default_keyed_tiles(key_bits, problem, limits);
      if ((i + turn.number) % 2 == std::size_t{key_bits == 64}) {
        config.bring = kernels::Bring::by_thread;
      }
      EXPECT_EQ(kernels::why_not_in_tiles(config, key_bits, problem, limits), "");
      names.push_back(kernels::keyed_tiles_kernel(config, key_bits, problem, limits.wave_size));
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
