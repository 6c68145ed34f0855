// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the family of channels offers on devices of every kind, and what its launches come to.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernel_templates/channels/rules.hpp"
#include "kernel_templates/family/family.hpp"
#include "tests/kernels/family_devices.hpp"
#include "tests/kernels/family_space.hpp"
#include "tests/kernels/operator_cells.hpp"

namespace redtune::kernels {
namespace {

const Family& channels() {
  return find_family("reduce_channels");
}

std::vector<Shape> batches_in_question() {
  std::vector<Shape> shapes;
  for (const std::int64_t count : {0, 1, 2, 7, 49, 196, 1000, 3136, 50257, 1 << 20, 1 << 27}) {
    for (const std::int64_t many : {1, 3, 64, 256, 1 << 16}) {
      for (const std::int64_t batch : {1, 2, 32, 1000}) {
        shapes.push_back(Shape::channels(batch, many, count));
      }
    }
  }
  shapes.push_back(
      {.count = 100, .outer = 64, .outer_pitch = 101, .batch = 8, .batch_pitch = 7000});
  return shapes;
}

TEST(ChannelsFamily, HasADefaultThatMayRunForEveryProblem) {
  for (const Limits& limits : family_devices()) {
    for (const auto& [op, in] : checks::operator_cells()) {
      for (const Shape& shape : batches_in_question()) {
        const Problem problem = make_problem(op, in, shape);
        const Settings settings = channels().default_settings(problem, limits);
        ASSERT_EQ(channels().why_invalid(settings, problem, limits), "")
            << describe(problem) << " on waves of " << limits.wave_size;
      }
    }
  }
}

TEST(ChannelsFamily, OffersPointsThatMayRunAndWhatIsKnown) {
  const Shape shapes[] = {Shape::channels(256, 512, 49), Shape::channels(32, 256, 3136),
                          Shape::channels(64, 64, 12544), Shape::channels(2, 3, 1 << 22)};
  checks::expect_points_that_may_run(channels(), shapes);
}

/// The narrowing of the first axes leaves out nothing that the whole rule takes.
TEST(ChannelsFamily, NarrowsItsSpaceOnlyWhereNothingIs) {
  const Shape shapes[] = {Shape::channels(20, 50, 40), Shape::channels(3, 4, 100'000)};
  constexpr std::size_t sizes[] = {3, 8, 8, 4, 3, 4, 4, 6, 1, 1};
  checks::expect_nothing_left_out<ChannelsConfig>(channels(), shapes, sizes);
}

TEST(ChannelsFamily, FitsItsDefaultToTheSpanAndTheChannels) {
  const Limits limits = family_devices()[1];
  const auto usual = [&](const Shape& shape) {
    return default_channels(make_problem(Op::sum, DType::f32, shape), limits);
  };
  EXPECT_LT(usual(Shape::channels(256, 4096, 49)).threads_per_span, 32);
  EXPECT_GT(usual(Shape::channels(256, 4096, 49)).channels_per_block, 1) << "lines of neighbours";
  EXPECT_EQ(usual(Shape::channels(32, 4096, 3136)).channels_per_block, 1);
  EXPECT_GE(usual(Shape::channels(32, 4096, 3136)).threads_per_span, 128);
  EXPECT_EQ(usual(Shape::channels(32, 4096, 3136)).way, ChannelWay::blocks);
  EXPECT_EQ(usual(Shape::channels(2, 3, 1 << 22)).way, ChannelWay::slots);
  EXPECT_EQ(default_channels(make_problem(Op::sum, DType::f32, Shape::channels(2, 3, 1 << 22)),
                             family_devices()[3])
                .way,
            ChannelWay::tickets)
      << "nobody waits for blocks that may not have begun";
}

/// Together the pieces are the span, each begins where a line of it does, and no group of threads
/// is without one where there is enough to read.
TEST(ChannelsFamily, CutsSpansWhereThereAreMoreGroupsThanArrays) {
  ChannelsConfig c{.block_size = 256, .threads_per_span = 32};
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4}, std::size_t{8}}) {
    for (const Shape& shape : batches_in_question()) {
      const Pieces pieces = pieces_of(c, shape, bytes);
      EXPECT_EQ(pieces.length * static_cast<std::int64_t>(bytes) % 128, 0);
      EXPECT_GE(pieces.count * pieces.length, shape.count);
      EXPECT_LT((pieces.count - 1) * pieces.length, std::max<std::int64_t>(shape.count, 1));
      if (shape.batch >= 8) {
        EXPECT_EQ(pieces.count, 1) << describe_shape(shape);
      }
    }
  }
  EXPECT_EQ(pieces_of(c, Shape::channels(2, 3, 1 << 20), 4).count, 4);
  c.way = ChannelWay::slots;
  c.blocks_per_channel = 16;
  EXPECT_EQ(pieces_of(c, Shape::channels(2, 3, 1 << 20), 4).count, 64);
  const std::int64_t long_one = std::int64_t{5} << 30;
  const Pieces of_long_one = pieces_of(c, Shape::channels(1000, 3, long_one), 1);
  EXPECT_LE(of_long_one.length, std::int64_t{1} << 30) << "places fit into 32 bits";
  EXPECT_GE(of_long_one.count * of_long_one.length, long_one);
}

TEST(ChannelsFamily, HasWorkspaceEnoughForEveryShape) {
  for (const Limits& limits : family_devices()) {
    for (const Op op : {Op::sum, Op::argmin}) {
      const Problem problem = make_problem(op, DType::f32, Shape::channels(2, 2, 1 << 20));
      for (const char* way : {"tickets", "slots"}) {
        for (const char* parts : {"2", "8", "256"}) {
          const std::string block = limits.wave_size == 1 ? "1" : "256";
          const Settings settings = parse_settings(
              fmt::format("way={} block_size={} threads_per_span={} blocks_per_channel={}", way,
                          block, block, parts));
          const auto planner = channels().planner(settings, problem, limits);
          const WorkspaceBytes most = planner->largest_workspace();
          for (const Shape& shape : batches_in_question()) {
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

TEST(ChannelsFamily, ServesBatchesThatNoOtherDoes) {
  const auto family = [](const Shape& shape) {
    return family_of(make_problem(Op::sum, DType::f32, shape)).name();
  };
  EXPECT_EQ(family(Shape::channels(3, 5, 7)), "reduce_channels");
  EXPECT_EQ(family(Shape::channels(3, 1, 7)), "reduce_channels");
  EXPECT_EQ(family(Shape::channels(1, 5, 7)), "reduce_rows");
  EXPECT_TRUE(channels().serves(make_problem(Op::sum, DType::f32, Shape::rows(5, 7))))
      << "a batch of one is launched, too";
  EXPECT_FALSE(channels().serves(make_problem(Op::sum, DType::f32, Shape::columns(5, 7))));
}

TEST(ChannelsFamily, TellsShapesApartByTheirBatchToo) {
  const auto far = [](const Shape& one, const Shape& other) {
    return channels().distance(one, other);
  };
  EXPECT_GT(far(Shape::channels(8, 64, 49), Shape::channels(16, 64, 49)), 0);
  EXPECT_LT(far(Shape::channels(8, 64, 49), Shape::channels(16, 64, 49)),
            far(Shape::channels(8, 64, 49), Shape::channels(8, 64, 98)))
      << "the span decides more";
  const auto with_pitch = [](std::int64_t pitch) {
    return Shape{.count = 49, .outer = 64, .batch = 8, .batch_pitch = pitch};
  };
  EXPECT_LT(far(with_pitch(4000), with_pitch(4016)), 0.01);
  EXPECT_GT(far(with_pitch(4000), with_pitch(4001)), 32);
  EXPECT_EQ(channels().bytes_moved(make_problem(Op::sum, DType::u8, with_pitch(4000))),
            8 * 64 * 49 + 64 * 8);
}

}  // namespace
}  // namespace redtune::kernels
