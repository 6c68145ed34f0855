// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the registry promises of every family, and of the one that a problem is given to.
#include "kernel_templates/family/family.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <vector>

#include "redtune/error.hpp"
#include "tests/kernels/operator_cells.hpp"

namespace redtune::kernels {
namespace {

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (const std::int64_t count :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, std::int64_t{1024},
        std::int64_t{1} << 33, std::numeric_limits<std::int64_t>::max()}) {
    all.push_back({.count = count});
  }
  for (const std::int64_t extent : {2, 3, 1000}) {
    all.push_back({.count = 1000, .outer = extent});
    all.push_back({.count = 1000, .inner = extent});
    all.push_back({.count = 1000, .outer = extent, .inner = extent});
    all.push_back(Shape::channels(extent, 2, 1000));
  }
  return all;
}

TEST(Families, HaveNamesOfTheirOwnByWhichTheyAreFound) {
  std::set<std::string_view> names;
  for (const Family* family : all_families()) {
    EXPECT_TRUE(names.insert(family->name()).second) << family->name();
    EXPECT_EQ(&find_family(family->name()), family);
    EXPECT_FALSE(family->summary().empty());
  }
}

TEST(Families, AProblemIsGivenToOneThatServesIt) {
  for (const auto& [op, in] : checks::operator_cells()) {
    const Problem problem = make_problem(op, in, 1000);
    EXPECT_TRUE(family_of(problem).serves(problem)) << describe(problem);
  }
}

TEST(Families, TellHowFarShapesAreApart) {
  for (const Family* family : all_families()) {
    for (const Shape& one : shapes()) {
      for (const Shape& other : shapes()) {
        const double far = family->distance(one, other);
        EXPECT_EQ(far == 0, one == other);
        EXPECT_GE(far, 0);
        EXPECT_EQ(far, family->distance(other, one));
      }
    }
  }
}

TEST(Families, AShapeThatNobodyServesIsRefusedInWords) {
  const Problem rows = make_problem(Op::sum, DType::f32, Shape{.count = 1000, .outer = 4096});
  try {
    EXPECT_TRUE(family_of(rows).serves(rows));
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "no kernel family serves sum f32 2^12x[1000] cold");
  }
}

TEST(Families, ReduceWholeArraysAroundWaveBlockAndTile) {
  const Family& reduce = find_family("reduce");
  const Problem problem = make_problem(Op::sum, DType::f32, 1000);
  const auto counts_of = [&](const Settings& settings, const Limits& limits) {
    std::vector<std::int64_t> counts;
    for (const Shape& shape : reduce.edge_shapes(settings, problem, limits)) {
      EXPECT_EQ(results_of(shape), 1);
      counts.push_back(shape.count);
    }
    return counts;
  };
  EXPECT_EQ(counts_of({{"block_size", "128"}, {"items_per_thread", "4"}}, {.wave_size = 32}),
            (std::vector<std::int64_t>{0, 1, 31, 33, 127, 129, 511, 512, 513, 1537}));
  EXPECT_EQ(counts_of({{"block_size", "1"}, {"items_per_thread", "1"}},
                      {.min_block_size = 1, .wave_size = 1}),
            (std::vector<std::int64_t>{0, 1, 2, 4}));
}

TEST(Families, MoveAtLeastTheInput) {
  for (const Family* family : all_families()) {
    for (const std::int64_t count : {0, 1, 1000}) {
      const Problem problem = make_problem(Op::sum, DType::u16, count);
      EXPECT_GE(family->bytes_moved(problem), 2.0 * static_cast<double>(count));
    }
  }
}

}  // namespace
}  // namespace redtune::kernels
