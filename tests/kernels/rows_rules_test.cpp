// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the family of rows offers on devices of every kind, and what its launches come to.
#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>

#include "kernel_templates/family/family.hpp"
#include "kernel_templates/rows/defaults.hpp"
#include "kernel_templates/rows/rules.hpp"
#include "redtune/reduce_axes.hpp"
#include "tests/kernels/family_devices.hpp"
#include "tests/kernels/family_space.hpp"
#include "tests/kernels/operator_cells.hpp"

namespace redtune::kernels {
namespace {

const Family& rows() {
  return find_family("reduce_rows");
}

std::vector<Shape> shapes_in_question() {
  std::vector<Shape> shapes;
  for (const std::int64_t count :
       {0, 1, 2, 3, 4, 7, 32, 100, 129, 513, 1024, 4097, 50257, 1 << 20, 1 << 27}) {
    for (const std::int64_t many : {1, 2, 3, 100, 8192, 1 << 24}) {
      shapes.push_back(Shape::rows(many, count));
    }
  }
  shapes.push_back(Shape::rows(1000, 100, 101));
  shapes.push_back(Shape::rows(1000, 100, 1000));
  return shapes;
}

TEST(RowsFamily, HasADefaultThatMayRunForEveryProblem) {
  for (const Limits& limits : family_devices()) {
    for (const auto& [op, in] : checks::operator_cells()) {
      for (const Shape& shape : shapes_in_question()) {
        const Problem problem = make_problem(op, in, shape);
        EXPECT_EQ(rows().why_invalid(rows().default_settings(problem, limits), problem, limits), "")
            << describe(problem) << " on waves of " << limits.wave_size;
      }
    }
  }
}

/// On an H200 sums of 4,112 f32 took 158 us by what was tuned for 4,097, maxima 129 by the default.
TEST(RowsFamily, WhatWasTunedTellsOfRowsThatAreALittleShorter) {
  const Shape tuned = Shape::rows(1000, 4096);
  for (const std::int64_t near : {4096, 4095, 3584}) {
    EXPECT_TRUE(rows().tells_of(tuned, Shape::rows(500, near), 4)) << near;
  }
  for (const std::int64_t far : {1, 3583, 4097, 4112, 8192}) {
    EXPECT_FALSE(rows().tells_of(tuned, Shape::rows(500, far), 4)) << far;
  }
}

/// On an H200 sums of 2^28 f32 in rows of 16 and 2^15 were slower by what was tuned for 2^26 than
/// by the default.
TEST(RowsFamily, WhatWasTunedForLessTellsNothingOfWhatFillsTheMemory) {
  const auto total = [](int log2) { return Shape::rows(std::int64_t{1} << (log2 - 5), 32); };
  EXPECT_TRUE(rows().tells_of(total(26), total(18), 4));
  EXPECT_FALSE(rows().tells_of(total(26), total(27), 4));
  EXPECT_TRUE(rows().tells_of(total(26), total(27), 2)) << "half as many bytes";
  EXPECT_FALSE(rows().tells_of(total(28), total(26), 2));
  EXPECT_TRUE(rows().tells_of(total(28), total(30), 2));
  const Shape long_rows = Shape::rows(512, 1 << 16);
  EXPECT_TRUE(rows().tells_of(long_rows, Shape::rows(64, 1 << 18), 4));
  EXPECT_FALSE(rows().tells_of(long_rows, Shape::rows(2048, 1 << 16), 4));
  const Shape beyond = Shape::rows(1 << 24, std::int64_t{1} << 40);  // 2^64 elements
  EXPECT_FALSE(rows().tells_of(long_rows, beyond, 4));
  EXPECT_TRUE(rows().tells_of(beyond, beyond, 4));
}

TEST(RowsFamily, OffersPointsThatMayRunAndWhatIsKnown) {
  const Shape shapes[] = {Shape::rows(1 << 20, 3), Shape::rows(4096, 129), Shape::rows(8192, 50257),
                          Shape::rows(3, 10'000'000)};
  checks::expect_points_that_may_run(rows(), shapes);
}

/// The narrowing of the first axes leaves out nothing that the whole rule takes.
TEST(RowsFamily, NarrowsItsSpaceOnlyWhereNothingIs) {
  const Shape shapes[] = {Shape::rows(50, 40), Shape::rows(4, 100'000)};
  constexpr std::size_t sizes[] = {4, 7, 7, 4, 4, 5, 7, 2, 1, 1};
  checks::expect_nothing_left_out<RowsConfig>(rows(), shapes, sizes);
}

TEST(RowsFamily, WaysTakeTheirTurnsByTheLengthOfRows) {
  const Limits limits = family_devices()[1];
  const auto way = [&](const Shape& shape) {
    return default_rows(make_problem(Op::sum, DType::f32, shape), limits).way;
  };
  EXPECT_EQ(way(Shape::rows(1 << 20, 3)), RowWay::staged);
  EXPECT_EQ(way(Shape::rows(1 << 12, 1000)), RowWay::groups);
  EXPECT_EQ(way(Shape::rows(3, 10'000'000)), RowWay::slots);
  EXPECT_EQ(default_rows(make_problem(Op::sum, DType::f32, Shape::rows(3, 10'000'000)),
                         family_devices()[3])
                .way,
            RowWay::tickets)
      << "nobody waits for blocks that may not have begun";
}

/// What grids of few configs found on an H200: docs/results/h200_rows.md.
TEST(RowsFamily, ShortRowsHaveTheirShapes) {
  struct Shaped {
    DType in;
    std::int64_t count;
    RowWay way;
    int block_size, threads_per_row, loads_per_thread, vector_width;
  };
  using enum RowWay;
  constexpr Shaped all[] = {
      {DType::f32, 4, staged, 128, 1, 8, 4},   {DType::f32, 16, staged, 128, 1, 8, 4},
      {DType::f32, 20, staged, 256, 1, 4, 4},  {DType::f32, 32, staged, 256, 1, 4, 4},
      {DType::f32, 33, staged, 256, 1, 4, 4},  {DType::f32, 63, groups, 256, 4, 4, 4},
      {DType::f32, 64, staged, 128, 4, 8, 4},  {DType::u8, 32, staged, 256, 1, 4, 16},
      {DType::u8, 48, staged, 128, 1, 4, 16},  {DType::u8, 63, groups, 128, 1, 4, 8},
      {DType::u8, 64, staged, 128, 1, 4, 16},  {DType::u8, 65, staged, 128, 1, 4, 16},
      {DType::u8, 256, staged, 128, 1, 4, 16}, {DType::u8, 272, staged, 256, 4, 4, 16},
  };
  for (const Shaped& one : all) {
    const Problem problem =
        make_problem(Op::sum, one.in, Shape::rows((1 << 28) / one.count, one.count));
    const RowsConfig c = default_rows(problem, family_devices()[1]);
    EXPECT_EQ(c.way, one.way) << one.count;
    EXPECT_EQ(c.block_size, one.block_size) << one.count;
    EXPECT_EQ(c.threads_per_row, one.threads_per_row) << one.count;
    EXPECT_EQ(c.loads_per_thread, one.loads_per_thread) << one.count;
    EXPECT_EQ(c.vector_width, one.vector_width) << one.count;
  }
}

/// Beyond its last whole tile most loads of a row would be masked.
TEST(RowsFamily, TheDefaultHasTilesThatARowFills) {
  const Limits limits = family_devices()[1];
  int in_tiles = 0;
  for (const DType in : {DType::f32, DType::bf16, DType::u8}) {
    for (std::int64_t count = 1; count < 40'000; count += count / 7 + 1) {
      const Problem problem = make_problem(Op::sum, in, Shape::rows(1 << 12, count));
      const RowsConfig c = default_rows(problem, limits);
      EXPECT_EQ(why_unbuildable(c, problem, limits), "");
      const bool is_of_few_bytes = in == DType::u8 && count < 265;  // two threads have them all
      if (c.way == RowWay::staged || is_of_few_bytes) continue;
      ++in_tiles;
      const std::int64_t tile =
          std::int64_t{c.threads_per_row} * c.loads_per_thread * c.vector_width;
      EXPECT_LE(15 * tile, 16 * (count + c.vector_width)) << to_string(in) << ' ' << count;
    }
  }
  EXPECT_GT(in_tiles, 30);
}

/// Shapes of short rows as tunes on an H200 found them, or near that, and where others begin.
TEST(RowsFamily, ShortRowsHaveOtherShapesWhereTheyAreFew) {
  const Limits limits = family_devices()[1];
  struct Found {
    DType in;
    std::int64_t total;
    std::int64_t count;
    RowWay way;
    int block_size;
    int threads;
    int loads;
  };
  constexpr std::int64_t small = 1 << 24;
  constexpr std::int64_t large = 1 << 28;
  for (const Found& one : {Found{DType::i32, large, 64, RowWay::staged, 128, 1, 8},
                           Found{DType::i32, large, 65, RowWay::groups, 256, 4, 4},
                           Found{DType::u8, 1 << 27, 64, RowWay::groups, 128, 1, 8},
                           Found{DType::u8, (1 << 27) + 64, 64, RowWay::staged, 128, 1, 4},
                           Found{DType::u8, 1 << 26, 128, RowWay::groups, 256, 4, 2},
                           Found{DType::i32, large, 16, RowWay::staged, 128, 1, 8},
                           Found{DType::i32, large, 32, RowWay::staged, 256, 1, 4},
                           Found{DType::i32, large, 100, RowWay::staged, 128, 4, 8},
                           Found{DType::bf16, large, 100, RowWay::staged, 256, 2, 4},
                           Found{DType::bf16, small, 100, RowWay::groups, 128, 2, 8},
                           Found{DType::bf16, large, 111, RowWay::staged, 256, 4, 4},
                           Found{DType::bf16, large, 112, RowWay::groups, 128, 2, 8},
                           Found{DType::i32, large, 59, RowWay::groups, 256, 4, 4},
                           Found{DType::i32, large, 73, RowWay::staged, 128, 4, 8},
                           Found{DType::i32, large, 112, RowWay::groups, 128, 2, 8},
                           Found{DType::u8, large, 527, RowWay::groups, 256, 8, 4},
                           Found{DType::u8, large, 529, RowWay::staged, 256, 8, 4},
                           Found{DType::i32, small, 64, RowWay::groups, 256, 8, 2},
                           Found{DType::u8, large, 255, RowWay::staged, 128, 4, 4},
                           Found{DType::u8, large, 257, RowWay::staged, 128, 4, 4},
                           Found{DType::u8, large, 300, RowWay::staged, 256, 4, 4},
                           Found{DType::u8, large, 4, RowWay::staged, 256, 1, 4},
                           Found{DType::u8, large, 11, RowWay::staged, 64, 1, 4},
                           Found{DType::u8, large, 17, RowWay::staged, 128, 1, 4},
                           Found{DType::u8, large, 43, RowWay::staged, 128, 1, 8},
                           Found{DType::u8, large, 50, RowWay::groups, 128, 1, 4},
                           Found{DType::u8, large, 100, RowWay::staged, 256, 1, 4},
                           Found{DType::u8, large, 103, RowWay::groups, 256, 2, 8},
                           Found{DType::bf16, large, 2, RowWay::staged, 64, 1, 4},
                           Found{DType::bf16, large, 8, RowWay::staged, 64, 1, 8},
                           Found{DType::bf16, large, 17, RowWay::staged, 128, 1, 8},
                           Found{DType::bf16, small, 17, RowWay::staged, 128, 1, 4},
                           Found{DType::bf16, large, 300, RowWay::staged, 256, 4, 8},
                           Found{DType::bf16, large, 384, RowWay::groups, 128, 4, 8},
                           Found{DType::bf16, large, 50257, RowWay::groups, 128, 128, 8},
                           Found{DType::bf16, large, 1 << 16, RowWay::groups, 512, 512, 8},
                           Found{DType::bf16, small, 300, RowWay::groups, 128, 4, 8},
                           Found{DType::i32, large, 50, RowWay::staged, 256, 1, 4},
                           Found{DType::u8, large, 511, RowWay::groups, 256, 8, 4},
                           Found{DType::u8, large, 513, RowWay::groups, 256, 8, 4},
                           Found{DType::f32, small, 4, RowWay::staged, 128, 1, 4},
                           Found{DType::f32, small, 8, RowWay::staged, 256, 1, 4},
                           Found{DType::f32, small, 16, RowWay::staged, 256, 2, 4},
                           Found{DType::f32, small, 32, RowWay::groups, 256, 4, 2}}) {
    const RowsConfig c = default_rows(
        make_problem(Op::sum, one.in, Shape::rows(one.total / one.count, one.count)), limits);
    const auto what = std::string(to_string(one.in)) + ' ' + std::to_string(one.count);
    EXPECT_EQ(c.way, one.way) << what;
    EXPECT_EQ(c.block_size, one.block_size) << what;
    EXPECT_EQ(c.threads_per_row, one.threads) << what;
    EXPECT_EQ(c.loads_per_thread, one.loads) << what;
  }
  const auto of_op = [&](Op op, DType in, std::int64_t count) {
    return default_rows(make_problem(op, in, Shape::rows(large / count, count)), limits);
  };
  const Problem cut = make_problem(Op::sum, DType::u8, Shape::rows(large / 128, 128, 131));
  EXPECT_EQ(default_rows(cut, limits).way, RowWay::groups);
  EXPECT_EQ(of_op(Op::max, DType::u8, 64).way, RowWay::groups) << "sums alone were faster";
  EXPECT_EQ(of_op(Op::max, DType::f32, 16).threads_per_row, 2);
  const auto with_gaps = [&](DType in, std::int64_t count) {
    return default_rows(make_problem(Op::sum, in, Shape::rows(large / count, count, 10 * count)),
                        limits);
  };
  for (const auto& [in, count] : {std::pair{DType::f32, 16},
                                  {DType::f32, 32},
                                  {DType::f32, 64},
                                  {DType::i32, 100},
                                  {DType::bf16, 100}}) {
    EXPECT_EQ(with_gaps(in, count).way, RowWay::groups)
        << "nine tenths of a stage would be gaps: " << to_string(in) << ' ' << count;
  }
}

/// What tunes on an H200 found: docs/results/h200_rows.md.
TEST(RowsFamily, TheDefaultHasSmallLoadsWhereElementsAreDear) {
  const Limits limits = family_devices()[1];
  const auto of = [&](Op op, DType in, std::int64_t count) {
    return default_rows(make_problem(op, in, Shape::rows(1 << 18, count)), limits);
  };
  struct Found {
    Op op;
    DType in;
    std::int64_t count;
    int threads;
  };
  for (const Found& one :
       {Found{Op::sum, DType::bf16, 127, 4}, Found{Op::sum, DType::bf16, 257, 8},
        Found{Op::sum, DType::f16, 768, 8}, Found{Op::max, DType::bf16, 4096, 128},
        Found{Op::sum, DType::bf16, 11'007, 128}, Found{Op::sum, DType::i32, 129, 4},
        Found{Op::argmax, DType::f32, 1024, 32}, Found{Op::mean_variance, DType::f32, 768, 8},
        Found{Op::mean_variance, DType::f32, 4096, 32}}) {
    const RowsConfig c = of(one.op, one.in, one.count);
    EXPECT_EQ(c.way, RowWay::groups) << one.count;
    EXPECT_EQ(c.threads_per_row, one.threads) << to_string(one.op) << ' ' << one.count;
    EXPECT_EQ(c.loads_per_thread, 8) << one.count;
    EXPECT_EQ(c.vector_width, 4) << one.count;
    EXPECT_LE(c.block_size, 128) << one.count;
  }
  for (const DType in : {DType::bf16, DType::i32}) {
    for (std::int64_t count = 96; count < 5000; count += count / 20 + 1) {
      const std::int64_t threads = of(Op::sum, in, count).threads_per_row;
      EXPECT_LE(count, 100 * threads) << to_string(in) << ' ' << count;
      EXPECT_GE(count, 29 * threads) << to_string(in) << ' ' << count;
    }
  }
  EXPECT_EQ(of(Op::max, DType::i32, 1024).loads_per_thread, 4) << "no more than f32";
  EXPECT_EQ(of(Op::sum, DType::f32, 4112).threads_per_row, 128) << "three tiles, not two of twice";
  EXPECT_EQ(of(Op::sum, DType::f32, 257).way, RowWay::groups);
}

/// A part that is handed over must be worth it.
TEST(RowsFamily, TheDefaultSharesFewRowsByAsManyBlocksAsTheyHaveWorkFor) {
  const Limits limits = family_devices()[1];
  for (const DType in : {DType::f32, DType::bf16, DType::u8}) {
    for (std::int64_t outer = 1; outer <= 300; outer += outer / 3 + 1) {
      for (std::int64_t count = 1 << 10; outer * count <= 1 << 28; count *= 3) {
        const RowsConfig c =
            default_rows(make_problem(Op::sum, in, Shape::rows(outer, count)), limits);
        if (c.blocks_per_row == 1) continue;
        const auto bytes = count * static_cast<std::int64_t>(size_of(in));
        EXPECT_GE(2 * bytes, std::int64_t{c.blocks_per_row} << 20) << outer << 'x' << count;
        EXPECT_LE(c.blocks_per_row * outer, 2 * limits.compute_units) << outer << 'x' << count;
        EXPECT_EQ(c.loads_per_thread, 8) << outer << 'x' << count;
        EXPECT_EQ(c.load == Load::cached, in != DType::u8) << outer << 'x' << count;
      }
    }
  }
  const auto blocks = [&](std::int64_t outer, std::int64_t count) {
    return default_rows(make_problem(Op::sum, DType::f32, Shape::rows(outer, count)), limits)
        .blocks_per_row;
  };
  EXPECT_EQ(blocks(64, 1 << 17), 1) << "half a MiB each";
  EXPECT_GE(blocks(2, 1 << 23) * 2, limits.compute_units / 2) << "for all units";
}

TEST(RowsFamily, DefaultsOfTypicalShapesStandForAll) {
  Limits limits = family_devices()[1];
  limits.streaming_loads = StreamingLoads::present;
  const std::vector<Shape> typical = rows().typical_shapes(limits);
  const auto regime_of = [&](const Shape& shape) { return rows().regime(shape, 4, limits); };
  const auto default_of = [&](const Shape& shape) {
    Problem problem = make_problem(Op::sum, DType::f32, shape);
    problem.cache_mode = CacheMode::cold;
    return default_rows(problem, limits);
  };
  std::vector<Shape> all;
  for (std::int64_t count = 1; count < 100'000; count += count / 9 + 1) {
    all.push_back(Shape::rows((1 << 24) / count + limits.compute_units, count));
    all.push_back(Shape::rows((1 << 26) / count + limits.compute_units, count));
    all.push_back(Shape::rows((1 << 15) / count + 1, count));
  }
  for (int outer = 1; outer < limits.compute_units; ++outer) {
    all.push_back(Shape::rows(outer, 1 << 20));
  }
  for (const Shape& asked : all) {
    const Shape* nearest = nullptr;
    for (const Shape& shape : typical) {
      if (regime_of(shape) != regime_of(asked)) continue;
      const bool is_nearer =
          nearest == nullptr || rows().distance(shape, asked) < rows().distance(*nearest, asked);
      if (is_nearer) nearest = &shape;
    }
    ASSERT_NE(nearest, nullptr) << describe_shape(asked);
    const RowsConfig own = default_of(asked);
    const RowsConfig near = default_of(*nearest);
    EXPECT_EQ(own.load, near.load) << describe_shape(asked);
    EXPECT_EQ(own.vector_width, near.vector_width) << describe_shape(asked);
    EXPECT_LE(own.threads_per_row, 2 * near.threads_per_row) << describe_shape(asked);
    EXPECT_LE(near.threads_per_row, 2 * own.threads_per_row) << describe_shape(asked);
  }
}

/// Kernels that a Reducer has from its start: docs/decisions/0061.
TEST(RowsFamily, DefaultsOfTypicalShapesAreFewKernels) {
  Limits limits = family_devices()[1];
  limits.streaming_loads = StreamingLoads::present;
  const std::vector<Shape> typical = rows().typical_shapes(limits);
  EXPECT_LT(typical.size(), 1000U);
  for (const DType in : {DType::f32, DType::bf16, DType::u8, DType::i32}) {
    std::set<std::string> kernels;
    for (const Shape& shape : typical) {
      Problem problem = make_problem(Op::sum, in, shape);
      problem.cache_mode = CacheMode::cold;
      const Settings settings = rows().default_settings(problem, limits);
      for (std::string& name : rows().name_expressions(settings, problem, limits.wave_size)) {
        kernels.insert(std::move(name));
      }
    }
    EXPECT_LE(kernels.size(), 30U) << to_string(in);
  }
}

TEST(RowsFamily, TheDefaultStreamsWhatNoCacheHolds) {
  Limits limits = family_devices()[1];
  limits.streaming_loads = StreamingLoads::present;
  Problem problem = make_problem(Op::sum, DType::f32, Shape::rows(1 << 20, 64));
  problem.cache_mode = CacheMode::cold;
  EXPECT_EQ(default_rows(problem, limits).load, Load::streaming);
  problem.cache_mode = CacheMode::warm;
  EXPECT_EQ(default_rows(problem, limits).load, Load::cached);
  const auto load_of = [&](DType in, int total, std::int64_t count) {
    Problem rows =
        make_problem(Op::sum, in, Shape::rows((std::int64_t{1} << total) / count, count));
    rows.cache_mode = CacheMode::cold;
    return default_rows(rows, limits).load;
  };
  EXPECT_EQ(load_of(DType::f32, 24, 4), Load::streaming) << "hardly larger than a cache";
  EXPECT_EQ(load_of(DType::f32, 26, 4), Load::cached) << "a fifth of it are results";
  EXPECT_EQ(load_of(DType::f32, 26, 16), Load::streaming);
  EXPECT_EQ(load_of(DType::f32, 28, 16), Load::cached);
  EXPECT_EQ(load_of(DType::i32, 28, 32), Load::streaming);
  EXPECT_EQ(load_of(DType::i32, 28, 33), Load::cached);
}

/// Each of these kept registers in memory on gfx1030.
TEST(RowsFamily, LeavesRegistersForWhatCompilersForAmdWiden) {
  Limits gfx1030{.min_block_size = 32, .wave_size = 32, .compute_units = 64};
  gfx1030.max_registers_per_thread = 256;
  Limits nvidia = gfx1030;
  nvidia.max_registers_per_thread = 255;
  using Sizes = std::array<int, 4>;  // block_size, rows, loads, vector_width
  const auto why = [](Op op, DType in, const Sizes& sizes, const Limits& limits) {
    const RowsConfig c{.block_size = sizes[0],
                       .threads_per_row = 16,
                       .rows_per_thread = sizes[1],
                       .loads_per_thread = sizes[2],
                       .vector_width = sizes[3]};
    return why_unbuildable(c, make_problem(op, in, Shape::rows(1 << 20, 4096)), limits);
  };
  const std::tuple<Op, DType, Sizes> spilled[] = {
      {Op::sum_of_squares, DType::i16, {512, 1, 8, 8}},
      {Op::sum_of_squares, DType::i16, {512, 2, 4, 8}},
      {Op::l2_norm, DType::u16, {512, 2, 4, 8}},
      {Op::product, DType::i8, {256, 8, 4, 8}},
      {Op::product, DType::u8, {512, 1, 8, 16}},
      {Op::product, DType::u8, {64, 8, 1, 16}},
      {Op::max, DType::i8, {256, 8, 1, 16}},
      {Op::argmin, DType::f16, {256, 8, 8, 2}},
      {Op::argmax, DType::f16, {512, 1, 8, 8}},
      {Op::argmin, DType::bf16, {512, 1, 8, 8}},
      {Op::abs_max, DType::f16, {512, 4, 1, 8}},
  };
  for (const auto& [op, in, sizes] : spilled) {
    const std::string what = fmt::format("{} of {}", to_string(op), to_string(in));
    EXPECT_NE(why(op, in, sizes, gfx1030), "") << what;
    EXPECT_EQ(why(op, in, sizes, nvidia), "") << what << ": good on NVIDIA";
  }
  EXPECT_EQ(why(Op::sum_of_squares, DType::i16, {512, 1, 4, 8}, gfx1030), "");
  EXPECT_EQ(why(Op::sum, DType::i16, {512, 2, 4, 8}, gfx1030), "")
      << "32 bits are enough for a tile";
}

TEST(RowsFamily, StagesAsManyRowsAsThereIsRoomFor) {
  const RowsConfig c{.way = RowWay::staged, .block_size = 256, .threads_per_row = 1};
  constexpr std::int64_t room = 256 * 4 * 4;
  EXPECT_EQ(staged_rows(c, Shape::rows(9, room), 4), 1);
  EXPECT_EQ(staged_rows(c, Shape::rows(9, room + 1), 4), 0);
  EXPECT_EQ(staged_rows(c, Shape::rows(9, 2), 4), room / 2);
  EXPECT_EQ(staged_rows(c, Shape::rows(9, 2, 4), 4), room / 4);
  EXPECT_EQ(staged_rows(c, Shape::rows(9, 0), 4), room);
  for (std::int64_t count = 1; count < 200; ++count) {
    const std::int64_t many = staged_rows(c, Shape::rows(9, count), 4);
    EXPECT_LE(many * count, room);
    EXPECT_EQ(many >= 128 ? many * count * 4 % 128 : 0, 0) << "whole lines of " << count;
  }
}

TEST(RowsFamily, HasWorkspaceEnoughForEveryShape) {
  for (const Limits& limits : family_devices()) {
    for (const Op op : {Op::sum, Op::argmin}) {
      for (const DType in : {DType::f32, DType::i64, DType::u8}) {
        const Problem problem = make_problem(op, in, Shape::rows(2, 1 << 20));
        for (const char* way : {"tickets", "slots"}) {
          for (const char* parts : {"2", "8", "256"}) {
            const std::string block = limits.wave_size == 1 ? "1" : "256";
            const Settings settings = parse_settings(
                fmt::format("way={} block_size={} threads_per_row={} blocks_per_row={}", way, block,
                            block, parts));
            const auto planner = rows().planner(settings, problem, limits);
            const WorkspaceBytes most = planner->largest_workspace();
            for (const Shape& shape : shapes_in_question()) {
              const WorkspaceBytes needed = planner->workspace(shape);
              EXPECT_LE(needed.slots, most.slots) << describe_shape(shape);
              EXPECT_LE(needed.partials, most.partials) << describe_shape(shape);
              const LaunchPlan plan = planner->plan(shape);
              EXPECT_GE(plan.calls[0].grid, 1);
              EXPECT_LE(plan.calls[0].grid, limits.max_grid);
              EXPECT_EQ(plan.calls[0].grid % plan.value_of("parts"), 0);
            }
          }
        }
      }
    }
  }
}

TEST(RowsFamily, ServesRowsAndNothingElse) {
  const auto serves = [](const Shape& shape) {
    return rows().serves(make_problem(Op::sum, DType::f32, shape));
  };
  EXPECT_TRUE(serves(Shape::rows(7, 5)));
  EXPECT_TRUE(serves(Shape::rows(7, 5, 6)));
  EXPECT_FALSE(serves(Shape::columns(7, 5)));
  EXPECT_FALSE(serves(Shape{.count = 5, .outer = 7, .count_pitch = 2}));
  EXPECT_EQ(family_of(make_problem(Op::sum, DType::f32, 5)).name(), "reduce");
  EXPECT_EQ(family_of(make_problem(Op::sum, DType::f32, Shape::rows(7, 5))).name(), "reduce_rows");
}

TEST(RowsFamily, MovesInputAndResultsAndNoGaps) {
  EXPECT_EQ(rows().bytes_moved(make_problem(Op::sum, DType::u8, Shape::rows(10, 3, 7))),
            10 * 3 + 10 * 8);
}

TEST(RowsFamily, TellsPitchesApartByHowTheyAlignRows) {
  const auto far = [](const Shape& one, const Shape& other) { return rows().distance(one, other); };
  EXPECT_LT(far(Shape::rows(9, 5, 8), Shape::rows(9, 5, 24)), 0.01);
  EXPECT_GT(far(Shape::rows(9, 5, 8), Shape::rows(9, 5, 24)), 0);
  EXPECT_GT(far(Shape::rows(9, 5, 8), Shape::rows(9, 5, 9)), 32);
  EXPECT_GT(far(Shape::rows(9, 5), Shape::rows(9, 5, 9)), 32);
}

}  // namespace
}  // namespace redtune::kernels
