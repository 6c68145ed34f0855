// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the family of columns offers on devices of every kind, and what its launches come to.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tuple>

#include "kernel_templates/columns/defaults.hpp"
#include "kernel_templates/columns/rules.hpp"
#include "kernel_templates/columns/tiling.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/find_best.hpp"
#include "redtune/reduce_axes.hpp"
#include "tests/kernels/family_devices.hpp"
#include "tests/kernels/family_space.hpp"
#include "tests/kernels/operator_cells.hpp"

namespace redtune::kernels {
namespace {

const Family& columns() {
  return find_family("reduce_columns");
}

std::vector<Shape> shapes_of_columns() {
  std::vector<Shape> shapes;
  for (const std::int64_t inner : {1, 2, 3, 7, 32, 100, 129, 1024, 4097, 11008, 1 << 20, 1 << 27}) {
    for (const std::int64_t count : {0, 1, 2, 100, 8192, 1 << 24}) {
      for (const std::int64_t outer : {1, 5, 1000}) {
        if (inner * std::max<std::int64_t>(count, 1) * outer > std::int64_t{1} << 40) continue;
        shapes.push_back({.count = count, .outer = outer, .inner = inner});
      }
    }
  }
  shapes.push_back(Shape::columns(1000, 100, 101));
  shapes.push_back(Shape::columns(1000, 100, 10'000));
  shapes.push_back({.count = 1000, .outer = 9, .count_pitch = 3});
  return shapes;
}

TEST(ColumnsFamily, HasADefaultThatMayRunForEveryProblem) {
  for (const Limits& limits : family_devices()) {
    for (const auto& [op, in] : checks::operator_cells()) {
      for (const Shape& shape : shapes_of_columns()) {
        const Problem problem = make_problem(op, in, shape);
        ASSERT_EQ(
            columns().why_invalid(columns().default_settings(problem, limits), problem, limits), "")
            << describe(problem) << " on waves of " << limits.wave_size;
      }
    }
  }
}

/// On an H200 256 columns of f32 were at 92 % of reading alone by what was tuned for 64, and by the
/// default on another card at 96 %.
TEST(ColumnsFamily, WhatWasTunedTellsOfUpToTwiceAsManyColumns) {
  const Shape tuned = Shape::columns(1 << 16, 1024);
  for (const std::int64_t near : {512, 700, 1024, 2048}) {
    EXPECT_TRUE(columns().tells_of(tuned, Shape::columns(1 << 18, near), 4)) << near;
    EXPECT_TRUE(columns().tells_of(Shape::columns(1 << 18, near), tuned, 4)) << near;
  }
  for (const std::int64_t far : {1, 256, 511, 2050, 4096}) {
    EXPECT_FALSE(columns().tells_of(tuned, Shape::columns(1 << 18, far), 4)) << far;
    EXPECT_FALSE(columns().tells_of(Shape::columns(1 << 18, far), tuned, 4)) << far;
  }
  EXPECT_TRUE(columns().tells_of(Shape::columns(8, 1), Shape::columns(8, 2), 4));
  EXPECT_FALSE(columns().tells_of(Shape::columns(8, 1), Shape::columns(8, 3), 4));
}

TEST(ColumnsFamily, OffersPointsThatMayRunAndWhatIsKnown) {
  const Shape shapes[] = {Shape::columns(1 << 20, 3), Shape::columns(8192, 1000),
                          Shape::columns(64, 1 << 20),
                          Shape{.count = 8, .outer = 1000, .inner = 2048}};
  checks::expect_points_that_may_run(columns(), shapes);
}

/// The narrowing of the first axes leaves out nothing that the whole rule takes.
TEST(ColumnsFamily, NarrowsItsSpaceOnlyWhereNothingIs) {
  const Shape shapes[] = {Shape::columns(50, 40), Shape::columns(100'000, 5)};
  constexpr std::size_t sizes[] = {3, 8, 7, 2, 4, 3, 5, 2, 1, 1};
  checks::expect_nothing_left_out<ColumnsConfig>(columns(), shapes, sizes);
}

TEST(ColumnsFamily, WaysTakeTheirTurnsByTheNumberOfColumns) {
  const Limits limits = family_devices()[1];
  const auto config = [&](const Shape& shape, const Limits& on) {
    return default_columns(make_problem(Op::sum, DType::f32, shape), on);
  };
  EXPECT_EQ(config(Shape::columns(64, 1 << 22), limits).way, ColumnWay::tiles);
  EXPECT_EQ(config(Shape::columns(1 << 22, 64), limits).way, ColumnWay::slots);
  EXPECT_EQ(config(Shape::columns(1 << 22, 3), limits).way, ColumnWay::slots);
  EXPECT_EQ(config(Shape::columns(1 << 22, 64), family_devices()[3]).way, ColumnWay::tickets)
      << "nobody waits for blocks that may not have begun";
}

/// Each of these kept registers in memory on gfx1030.
TEST(ColumnsFamily, LeavesRegistersForWhatCompilersForAmdWiden) {
  Limits gfx1030{.min_block_size = 32, .wave_size = 32, .compute_units = 64};
  gfx1030.max_registers_per_thread = 256;
  Limits nvidia = gfx1030;
  nvidia.max_registers_per_thread = 255;
  using Sizes = std::array<int, 4>;  // block_size, vectors, loads, vector_width
  const auto why = [](Op op, DType in, const Sizes& sizes, const Limits& limits) {
    const ColumnsConfig c{.block_size = sizes[0],
                          .vectors_per_thread = sizes[1],
                          .loads_per_thread = sizes[2],
                          .vector_width = sizes[3]};
    return why_unbuildable(c, make_problem(op, in, Shape::columns(1 << 20, 4096)), limits);
  };
  const std::tuple<Op, DType, Sizes> spilled[] = {
      {Op::sum, DType::i8, {256, 1, 8, 16}},     {Op::sum_of_squares, DType::u8, {64, 1, 16, 16}},
      {Op::argmin, DType::i8, {64, 2, 4, 16}},   {Op::count_nonzero, DType::u8, {512, 2, 4, 4}},
      {Op::max, DType::i8, {512, 1, 4, 16}},     {Op::sum_of_squares, DType::i16, {256, 1, 16, 8}},
      {Op::l2_norm, DType::u16, {256, 2, 8, 8}}, {Op::product, DType::i16, {512, 1, 4, 8}},
      {Op::product, DType::i8, {512, 1, 2, 8}},  {Op::sum, DType::f16, {512, 1, 8, 4}},
  };
  for (const auto& [op, in, sizes] : spilled) {
    const std::string what = fmt::format("{} of {}", to_string(op), to_string(in));
    EXPECT_NE(why(op, in, sizes, gfx1030), "") << what;
    EXPECT_EQ(why(op, in, sizes, nvidia), "") << what << ": good on NVIDIA";
  }
  EXPECT_EQ(why(Op::sum, DType::i16, {512, 1, 2, 8}, gfx1030), "");
  EXPECT_EQ(why(Op::sum, DType::i8, {256, 1, 4, 16}, gfx1030), "");
}

/// As gfx942 has them: each of these kept registers in memory.
TEST(ColumnsFamily, LeavesRegistersForPlacesOfLoadsWithWavesOf64) {
  Limits gfx942{.compute_units = 304, .registers_per_unit = 131072};
  gfx942.max_registers_per_thread = 256;
  const auto why = [&](Op op, DType in, ColumnsConfig c) {
    c.block_size = 1024;
    c.vector_width = 1;
    return why_unbuildable(c, make_problem(op, in, Shape::columns(1 << 20, 4096)), gfx942);
  };
  EXPECT_NE(why(Op::sum, DType::i32, {.loads_per_thread = 16}), "");
  EXPECT_NE(why(Op::argmin, DType::i64, {.vectors_per_thread = 2, .loads_per_thread = 4}), "");
  EXPECT_NE(why(Op::min, DType::i64, {.vectors_per_thread = 2, .loads_per_thread = 4}), "");
  EXPECT_EQ(why(Op::sum, DType::i32, {.loads_per_thread = 8}), "");
  EXPECT_EQ(why(Op::sum, DType::f32, {.loads_per_thread = 16}), "");
}

TEST(ColumnsFamily, TheDefaultOfAProcessorReadsWholeVectors) {
  const Limits host = family_devices()[0];
  ASSERT_EQ(host.wave_size, 1);
  for (const auto& [in, width] : {std::pair(DType::f32, 4), std::pair(DType::f64, 2)}) {
    const Problem problem = make_problem(Op::sum, in, Shape::columns(1000, 1000));
    EXPECT_EQ(default_columns(problem, host).vector_width, width);
  }
}

/// What a challenge tries: that blocks hand over, as many as may.
TEST(ColumnsFamily, EdgeShapesHaveAsManyPartsAsMayBe) {
  for (const Limits& limits : family_devices()) {
    const Problem problem = make_problem(Op::sum, DType::f32, Shape::columns(1 << 24, 4));
    std::size_t shared = 0;
    for (const Settings& settings : columns().known_shapes(problem, limits, "")) {
      const std::string way = value_of(settings, "way");
      if (way == "tiles") continue;
      ++shared;
      const std::int64_t wanted = std::stoll(value_of(settings, "blocks_per_column"));
      const auto planner = columns().planner(settings, problem, limits);
      std::int64_t most = 0;
      for (const Shape& shape : columns().edge_shapes(settings, problem, limits)) {
        most = std::max(most, planner->plan(shape).value_of("parts"));
      }
      EXPECT_EQ(most, wanted) << to_string(settings);
    }
    EXPECT_GT(shared, 0U) << "of waves of " << limits.wave_size;
  }
}

/// A block that shares columns has one slice: see part_of_lines in reduce_columns.hip.h.
TEST(ColumnsFamily, BlocksThatShareColumnsHaveOneSlice) {
  for (const int across : {1, 3, 8, 24, 256}) {
    for (const int width : {1, 4, 16}) {
      const ColumnsConfig c{.way = ColumnWay::slots,
                            .block_size = 256,
                            .threads_across = across,
                            .vector_width = width,
                            .blocks_per_column = 64};
      for (const Shape& shape : shapes_of_columns()) {
        const ColumnTiling tiling = tiling_of(c, shape, Order::fixed);
        ASSERT_TRUE(parts_of_column(c, shape, tiling) == 1 || tiling.slices == 1)
            << describe_shape(shape);
      }
    }
  }
}

/// Every column is a thread's, no thread is twice, and vectors are aligned wherever lines begin.
TEST(ColumnsFamily, DealsAllColumnsToThreads) {
  for (const int width : {1, 4, 16}) {
    for (const int across : {1, 8, 256}) {
      for (const int vectors : {1, 4}) {
        const ColumnsConfig c{.block_size = 256,
                              .threads_across = across,
                              .vectors_per_thread = vectors,
                              .vector_width = width};
        for (const Shape& shape : shapes_of_columns()) {
          const ColumnTiling tiling = tiling_of(c, shape, Order::fixed);
          SCOPED_TRACE(
              fmt::format("{}, {} x {} x {}", describe_shape(shape), across, vectors, width));
          const std::int64_t room = tiling.across * vectors * width;
          ASSERT_GE(tiling.across, 1);
          ASSERT_LE(tiling.across, across);
          ASSERT_GE(tiling.down, 1);
          ASSERT_LE(tiling.across * tiling.down * tiling.slices, 256);
          ASSERT_LE(tiling.values, room);
          const std::int64_t pitch = step_of(shape);
          if (tiling.merged > 0) {
            ASSERT_EQ(tiling.merged * pitch % width, 0);
            ASSERT_GE(tiling.tiles * room, tiling.merged * pitch);
            ASSERT_TRUE(tiling.merged == 1 || tiling.tiles == 1);
          } else {
            ASSERT_GE(tiling.tiles * tiling.values, shape.inner + width - 1);
            ASSERT_EQ(tiling.values * pitch % (width / tiling.period), 0);
            ASSERT_TRUE(tiling.down % tiling.period == 0 || tiling.period % tiling.down == 0);
          }
        }
      }
    }
  }
}

TEST(ColumnsFamily, HasWorkspaceEnoughForEveryShape) {
  for (const Limits& limits : family_devices()) {
    for (const Op op : {Op::sum, Op::argmin}) {
      for (const DType in : {DType::f32, DType::i64, DType::u8}) {
        const Problem problem = make_problem(op, in, Shape::columns(1 << 20, 2));
        for (const char* way : {"tickets", "slots"}) {
          for (const char* parts : {"2", "16", "256"}) {
            const std::string block = limits.wave_size == 1 ? "1" : "256";
            for (const char* vectors :
                 {"vector_width=1 vectors_per_thread=1", "vector_width=4 vectors_per_thread=4"}) {
              const Settings settings = parse_settings(
                  fmt::format("way={} block_size={} threads_across={} {} blocks_per_column={}", way,
                              block, block, vectors, parts));
              const auto planner = columns().planner(settings, problem, limits);
              const WorkspaceBytes most = planner->largest_workspace();
              for (const Shape& shape : shapes_of_columns()) {
                const WorkspaceBytes needed = planner->workspace(shape);
                ASSERT_LE(needed.slots, most.slots) << describe_shape(shape);
                ASSERT_LE(needed.partials, most.partials) << describe_shape(shape);
                const LaunchPlan plan = planner->plan(shape);
                ASSERT_GE(plan.calls[0].grid, 1);
                ASSERT_LE(plan.calls[0].grid, limits.max_grid);
                ASSERT_EQ(plan.calls[0].grid % plan.value_of("parts"), 0);
              }
            }
          }
        }
      }
    }
  }
}

TEST(ColumnsFamily, ServesWhatIsNeitherAWholeArrayNorRows) {
  const auto family = [](const Shape& shape) {
    return family_of(make_problem(Op::sum, DType::f32, shape)).name();
  };
  EXPECT_EQ(family(Shape::columns(7, 5)), "reduce_columns");
  EXPECT_EQ(family({.count = 5, .outer = 7, .inner = 3}), "reduce_columns");
  EXPECT_EQ(family({.count = 5, .outer = 7, .count_pitch = 2}), "reduce_columns");
  EXPECT_EQ(family({.count = 5, .count_pitch = 2}), "reduce_columns");
  EXPECT_EQ(family(Shape::rows(7, 5)), "reduce_rows");
  EXPECT_EQ(family({.count = 5}), "reduce");
  // Axes of one index are none: what is left are rows, or all.
  EXPECT_EQ(family(reduce_axes({4, 5, 1}, {}, {1})), "reduce_rows");
  EXPECT_EQ(family(reduce_axes({1, 5, 1}, {}, {1})), "reduce");
}

TEST(ColumnsFamily, MovesInputAndResultsAndNoGaps) {
  EXPECT_EQ(columns().bytes_moved(make_problem(Op::sum, DType::u8, Shape::columns(10, 3, 7))),
            10 * 3 + 3 * 8);
}

TEST(ColumnsFamily, TellsLinesApartByHowTheyAreAligned) {
  const auto far = [](std::int64_t inner, std::int64_t other) {
    return columns().distance(Shape::columns(9, inner), Shape::columns(9, other));
  };
  EXPECT_LT(far(1024, 1008), 0.1);
  EXPECT_GT(far(1024, 1023), 0.9);
}

}  // namespace
}  // namespace redtune::kernels
