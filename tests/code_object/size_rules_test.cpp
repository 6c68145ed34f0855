// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The formulas that stand beside code objects give what redtune itself launches, for every family,
// device, way and shape.
#include <gtest/gtest.h>
#include <map>
#include <stdexcept>

#include "kernel_templates/family/family.hpp"
#include "search/rng.hpp"
#include "tests/code_object/formula.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/family_devices.hpp"
#include "vocabulary/described.hpp"

namespace redtune::code_object {
namespace {

using kernels::Family;

TEST(CodeObjectFormula, IsReadAsPythonReadsIt) {
  const Names names{{"a", 7}, {"b", 3}, {"zero", 0}, {"ifs", 2}};
  for (const auto& [formula, value] :
       std::map<std::string, std::int64_t>{{"a + b * 2 - 1", 12},
                                           {"(a - b) * 2", 8},
                                           {"a // b * b", 6},
                                           {"ceil_div(a, b)", 3},
                                           {"min(a, b, 5) + max(a, b)", 10},
                                           {"gcd(12, a - 1)", 6},
                                           {"power_up(a) + power_down(a)", 12},
                                           {"a if a > b else b", 7},
                                           {"1 if a < b else 2 if a == 7 else 3", 2},
                                           {"1 if a == b or a >= 7 and b <= 3 else 0", 1},
                                           {"0 if zero == 0 else a // zero", 0},
                                           {"ifs if ifs else 1", 2}}) {
    EXPECT_EQ(value_of(formula, names), value) << formula;
  }
  for (const char* formula : {"c", "a // zero", "b - a", "a b", "(a", "sqrt(a)", "", "a +"}) {
    EXPECT_THROW((void)value_of(formula, names), std::runtime_error) << formula;
  }
}

/// An extent of any magnitude.
std::int64_t drawn(search::Rng& rng, int most_bits) {
  const auto bits = rng.below(static_cast<std::size_t>(most_bits) + 1);
  return 1 + static_cast<std::int64_t>(rng.below(std::size_t{1} << bits));
}

/// Arrays, rows, columns, slices, batches and segments, with gaps and without.
Shape drawn_shape(search::Rng& rng, std::int64_t offset_bits) {
  const auto gap = [&](std::int64_t length) {
    return rng.below(2) == 0 ? 0 : length + static_cast<std::int64_t>(rng.below(40));
  };
  Shape shape{.count = drawn(rng, 24) - 1};
  switch (rng.below(5)) {
    case 0:
      return shape;
    case 1:
      shape.outer = drawn(rng, 24);
      shape.outer_pitch = gap(shape.count);
      return shape;
    case 2:
      shape.inner = drawn(rng, 18);
      shape.outer = rng.below(2) == 0 ? 1 : drawn(rng, 10);
      shape.count_pitch = gap(shape.inner);
      shape.outer_pitch = gap(shape.count * step_of(shape));
      return shape;
    case 3:
      shape.outer = drawn(rng, 14);
      shape.batch = drawn(rng, 10);
      shape.outer_pitch = gap(shape.count);
      shape.batch_pitch = gap(shape.outer * slice_of(shape));
      return shape;
    default:
      return Shape::segments(shape.count, drawn(rng, 24) - 1, offset_bits);
  }
}

/// A problem of an operation, and one for each way in which the same is reduced in order.
std::vector<Problem> problems() {
  std::vector<Problem> all;
  const Shape shapes[] = {{.count = 4096},
                          Shape::rows(77, 1000),
                          Shape::columns(1000, 77),
                          Shape::channels(5, 7, 333),
                          Shape::segments(100000, 777, 32),
                          Shape::segments(100000, 777, 64)};
  for (const Shape& shape : shapes) {
    for (const auto& [op, in] : {std::pair{Op::sum, DType::f32}, std::pair{Op::argmax, DType::u8},
                                 std::pair{Op::mean_variance, DType::f64}}) {
      all.push_back(make_problem(op, in, shape));
    }
    if (!is_segmented(shape) && shape.batch == 1) {
      all.push_back(make_problem(Op::sum, DType::f32, shape, {.order = Order::rows}));
    }
  }
  return all;
}

void expect_named(const Names& names, std::string_view name, std::int64_t value) {
  const auto found = names.find(name);
  if (found == names.end()) {
    ADD_FAILURE() << "nothing is named " << name;
  } else {
    EXPECT_EQ(found->second, value) << name;
  }
}

void expect_same(const kernels::Planner& planner, const Shape& shape, const Limits& limits) {
  const kernels::SizeRules rules = planner.size_rules();
  const kernels::LaunchPlan plan = planner.plan(shape);
  Names names;
  for (const kernels::Extent& extent : rules.extents) {
    names[std::string(extent.name)] = extent.of(shape);
  }
  EXPECT_EQ(value_of(rules.in_elements, names), span_of(shape));
  EXPECT_EQ(value_of(rules.results, names), results_of(shape));
  names["compute_units"] = limits.compute_units;
  for (const kernels::SizeFormula& one : rules.sizes) {
    EXPECT_FALSE(names.contains(one.name)) << one.name;
    names[one.name] = value_of(one.text, names);
  }
  for (const kernels::KernelCall& call : plan.calls) {
    if (call.kernel == 0) {
      expect_named(names, "grid", call.grid);
    } else {
      EXPECT_EQ(call.grid, 1);
    }
  }
  for (std::size_t i = 0; i < plan.scalars.size(); ++i) {
    expect_named(names, plan.scalars[i].name, plan.values[i]);
  }
  expect_named(names, "slots_bytes", plan.workspace.slots);
  expect_named(names, "partials_bytes", plan.workspace.partials);
}

/// The edge shapes of a config, and others that its family serves.
std::vector<Shape> shapes_for(const Family& family, const Settings& settings,
                              const Problem& problem, const Limits& limits, search::Rng& rng) {
  std::vector<Shape> shapes = family.edge_shapes(settings, problem, limits);
  for (int i = 0; i < 60; ++i) {
    Problem other = problem;
    static_cast<Shape&>(other) = drawn_shape(rng, problem.offset_bits);
    if (is_possible(other) && family.serves(other)) shapes.push_back(other);
  }
  return shapes;
}

TEST(CodeObjectFormulas, AreWhatIsLaunched) {
  std::map<std::string_view, std::size_t> compared;
  search::Rng rng(39);
  for (const Problem& problem : problems()) {
    for (const Family* family : kernels::all_families()) {
      if (!family->serves(problem)) continue;
      std::size_t number = 0;
      for (const Limits& limits : kernels::family_devices()) {
        for (const Settings& settings : checks::sample(*family, problem, limits, ++number, 12)) {
          const auto planner = family->planner(settings, problem, limits);
          for (const Shape& shape : shapes_for(*family, settings, problem, limits, rng)) {
            SCOPED_TRACE(std::string(family->name()) + " " + to_string(settings) + ": " +
                         describe_shape(shape));
            expect_same(*planner, shape, limits);
            ++compared[family->name()];
            if (testing::Test::HasFailure()) return;
          }
        }
      }
    }
  }
  for (const Family* family : kernels::all_families()) {
    EXPECT_GT(compared[family->name()], 1000U) << family->name();
  }
}

}  // namespace
}  // namespace redtune::code_object
