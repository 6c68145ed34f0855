// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the family of segments offers on devices of every kind, and what its launches come to.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "kernel_templates/segments/defaults.hpp"
#include "kernel_templates/segments/rules.hpp"
#include "tests/kernels/family_devices.hpp"
#include "tests/kernels/family_space.hpp"
#include "tests/kernels/operator_cells.hpp"

namespace redtune::kernels {
namespace {

constexpr Skew all_skews[] = {Skew::uniform, Skew::zipf, Skew::giant};

const Family& segments() {
  return find_family("reduce_segments");
}

std::vector<Shape> segments_in_question() {
  std::vector<Shape> shapes;
  for (const std::int64_t count : {0, 1, 1000, 1 << 20, 1 << 28}) {
    for (const std::int64_t many : {0, 1, 3, 1000, 1 << 24}) {
      for (const Skew skew : all_skews) shapes.push_back(Shape::segments(count, many, 32, skew));
    }
  }
  shapes.push_back(Shape::segments(std::int64_t{1} << 40, std::int64_t{1} << 33, 64));
  return shapes;
}

TEST(SegmentsFamily, HasADefaultThatMayRunForEveryProblem) {
  for (const Limits& limits : family_devices()) {
    for (const auto& [op, in] : checks::operator_cells()) {
      for (const Shape& shape : segments_in_question()) {
        const Problem problem = make_problem(op, in, shape);
        const Settings settings = segments().default_settings(problem, limits);
        ASSERT_EQ(segments().why_invalid(settings, problem, limits), "")
            << describe(problem) << " on waves of " << limits.wave_size;
      }
    }
  }
}

TEST(SegmentsFamily, OffersPointsThatMayRunAndWhatIsKnown) {
  const Shape shapes[] = {Shape::segments(1 << 24, 1 << 22), Shape::segments(1 << 24, 1 << 14, 64),
                          Shape::segments(1 << 26, 1 << 20, 32, Skew::zipf),
                          Shape::segments(1 << 26, 1 << 20, 32, Skew::giant)};
  checks::expect_points_that_may_run(segments(), shapes);
}

/// As tunes on an H200 found: docs/results/h200_segments.md.
TEST(SegmentsFamily, GroupsOfThreadsShareFewLongSegments) {
  const Limits limits = family_devices()[1];
  for (const auto& [type, width] : {std::pair(DType::f32, 4), std::pair(DType::bf16, 4)}) {
    for (const int number : {16, 64, 256}) {
      const SegmentsConfig c =
          default_segments(make_problem(Op::sum, type, Shape::segments(1 << 26, number)), limits);
      EXPECT_EQ(c.threads_per_segment, 64) << number;
      EXPECT_EQ(c.vector_width, width) << to_string(type);
      EXPECT_EQ(c.blocks_per_unit, 4);
      EXPECT_TRUE(is_shared(c.way));
    }
  }
  const SegmentsConfig of_many =
      default_segments(make_problem(Op::sum, DType::f32, Shape::segments(1 << 26, 4096)), limits);
  EXPECT_FALSE(is_shared(of_many.way));
}

/// The narrowing of the first axes leaves out nothing that the whole rule takes.
TEST(SegmentsFamily, NarrowsItsSpaceOnlyWhereNothingIs) {
  const Shape shapes[] = {Shape::segments(1 << 20, 1 << 15),
                          Shape::segments(1 << 20, 50, 64, Skew::giant)};
  constexpr std::size_t sizes[] = {3, 3, 9, 9, 3, 3, 4, 5, 1, 1};
  checks::expect_nothing_left_out<SegmentsConfig>(segments(), shapes, sizes);
}

TEST(SegmentsFamily, FitsItsDefaultToTheLengthsAndTheirSpread) {
  const Limits limits = family_devices()[1];
  const auto usual = [&](const Shape& shape) {
    return default_segments(make_problem(Op::sum, DType::f32, shape), limits);
  };
  EXPECT_LT(usual(Shape::segments(1 << 26, 1 << 24)).threads_per_segment, 8);
  const Problem halves = make_problem(Op::sum, DType::bf16, Shape::segments(1 << 26, 1 << 24));
  EXPECT_EQ(default_segments(halves, limits).staging, Staging::on);
  EXPECT_EQ(usual(Shape::segments(1 << 26, 1 << 15)).staging, Staging::off);
  EXPECT_GE(usual(Shape::segments(1 << 26, 1 << 15)).threads_per_segment, 32);
  EXPECT_GE(usual(Shape::segments(1 << 26, 1 << 12)).threads_per_segment, 256);
  EXPECT_EQ(usual(Shape::segments(1 << 26, 1 << 15)).way, SegmentWay::tiles);
  EXPECT_EQ(usual(Shape::segments(1 << 26, 1 << 20, 32, Skew::giant)).way, SegmentWay::slots);
  EXPECT_EQ(usual(Shape::segments(1 << 26, 3)).way, SegmentWay::slots) << "for want of segments";
  EXPECT_EQ(default_segments(make_problem(Op::sum, DType::f32,
                                          Shape::segments(1 << 26, 1 << 20, 32, Skew::giant)),
                             family_devices()[3])
                .way,
            SegmentWay::tickets)
      << "nobody waits for blocks that may not have begun";
}

TEST(SegmentsFamily, StreamsSpreadLengthsByDefaultWhereThatWasFaster) {
  const auto devices = family_devices();  // a processor, an NVIDIA GPU, an AMD GPU
  const auto staging = [&](Op op, DType in, int log2_segments, Skew skew, std::size_t device) {
    const Shape shape = Shape::segments(1 << 26, std::int64_t{1} << log2_segments, 32, skew);
    return default_segments(make_problem(op, in, shape), devices[device]).staging;
  };
  for (const Skew skew : {Skew::zipf, Skew::giant}) {
    for (const int log2_segments : {24, 20, 16}) {
      EXPECT_EQ(staging(Op::sum, DType::f32, log2_segments, skew, 1), Staging::stream);
      EXPECT_EQ(staging(Op::max, DType::bf16, log2_segments, skew, 1), Staging::stream);
    }
    EXPECT_NE(staging(Op::sum, DType::f32, 14, skew, 1), Staging::stream) << "long ones";
    EXPECT_EQ(staging(Op::sum, DType::bf16, 14, skew, 1), Staging::stream);
    EXPECT_NE(staging(Op::sum, DType::bf16, 12, skew, 1), Staging::stream) << "long ones";
    EXPECT_NE(staging(Op::argmin, DType::f32, 20, skew, 1), Staging::stream) << "an index";
    EXPECT_NE(staging(Op::mean_variance, DType::f32, 20, skew, 1), Staging::stream);
    EXPECT_NE(staging(Op::sum, DType::f64, 20, skew, 1), Staging::stream) << "8 bytes";
    EXPECT_NE(staging(Op::sum, DType::f32, 20, skew, 0), Staging::stream) << "a processor";
    EXPECT_NE(staging(Op::sum, DType::f32, 20, skew, 2), Staging::stream) << "an AMD GPU";
  }
  EXPECT_NE(staging(Op::sum, DType::f32, 20, Skew::uniform, 1), Staging::stream);
}

/// A Reducer has the kernels of all counts.
TEST(SegmentsFamily, HasFewDefaultsForAllLengths) {
  const Limits limits = family_devices()[1];
  for (const Skew skew : all_skews) {
    std::set<std::vector<std::string>> kernels;
    for (std::int64_t count = 0; count < std::int64_t{1} << 40; count += 1 + count / 3) {
      const Problem problem =
          make_problem(Op::sum, DType::f32, Shape::segments(count, 1 << 16, 64, skew));
      kernels.insert(segments().name_expressions(segments().default_settings(problem, limits),
                                                 problem, limits.wave_size));
    }
    EXPECT_LE(kernels.size(), 12U) << to_string(skew);
  }
}

/// Lengths are half as long again as their mean, and the tile of most blocks fits.
TEST(SegmentsFamily, DefaultsOfTypicalShapesStandForAll) {
  const Limits limits = family_devices()[1];
  const std::vector<Shape> typical = segments().typical_shapes(limits);
  EXPECT_LT(typical.size(), 1000U) << "each is looked at when a Reducer is made";
  const auto regime_of = [&](const Shape& shape) { return segments().regime(shape, 4, limits); };
  const auto default_of = [&](const Shape& shape) {
    return default_segments(make_problem(Op::sum, DType::f32, shape), limits);
  };
  for (const std::int64_t number : {1, 3, 40, 527, 528, 5000, 1 << 20}) {
    for (std::int64_t mean = 1; mean * number < std::int64_t{1} << 30; mean += mean / 5 + 1) {
      const Shape asked = Shape::segments(mean * number, number);
      const Shape* nearest = nullptr;
      for (const Shape& shape : typical) {
        if (regime_of(shape) != regime_of(asked)) continue;
        const bool is_nearer = nearest == nullptr || segments().distance(shape, asked) <
                                                         segments().distance(*nearest, asked);
        if (is_nearer) nearest = &shape;
      }
      ASSERT_NE(nearest, nullptr) << describe_shape(asked);
      const SegmentsConfig own = default_of(asked);
      const SegmentsConfig near = default_of(*nearest);
      EXPECT_LE(own.threads_per_segment, 4 * near.threads_per_segment) << describe_shape(asked);
      EXPECT_LE(near.threads_per_segment, 4 * own.threads_per_segment) << describe_shape(asked);
      // Around the border every few thousand elements more or less are all that is at stake.
      const std::int64_t border = 64 * 132 * 256;
      if (mean * number > 2 * border || mean * number < border / 2) {
        EXPECT_EQ(is_shared(own.way), is_shared(near.way))
            << describe_shape(asked) << " by " << describe_shape(*nearest);
      }
    }
  }
}

TEST(SegmentsFamily, HasRoomInItsDefaultsStageForATile) {
  const Limits limits = family_devices()[1];
  std::size_t staged = 0;
  for (const std::int64_t mean : {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 33, 64, 100, 128}) {
    for (const DType in : {DType::u8, DType::f32, DType::f64, DType::bf16}) {
      const Problem problem = make_problem(Op::sum, in, Shape::segments(mean << 20, 1 << 20));
      const SegmentsConfig c = default_segments(problem, limits);
      ASSERT_EQ(c.staging == Staging::on, size_of(in) <= 2 && mean < 32) << describe(problem);
      if (c.staging == Staging::off) continue;
      ++staged;
      EXPECT_GE(4 * stage_of_segments(c), 5 * tile_of_segments(c) * mean) << describe(problem);
    }
  }
  EXPECT_EQ(staged, 20U);
}

TEST(SegmentsFamily, SharesAllStepsAndHasWorkspaceForThem) {
  for (const Limits& limits : family_devices()) {
    for (const Op op : {Op::sum, Op::argmin}) {
      const Problem problem = make_problem(op, DType::f32, Shape::segments(1 << 20, 1 << 10));
      for (const char* way : {"tickets", "slots"}) {
        for (const char* blocks : {"1", "8", "32"}) {
          const std::string block = limits.wave_size == 1 ? "1" : "256";
          const Settings settings =
              parse_settings(fmt::format("way={} block_size={} threads_per_segment={} "
                                         "blocks_per_unit={}",
                                         way, block, block, blocks));
          const auto planner = segments().planner(settings, problem, limits);
          const WorkspaceBytes most = planner->largest_workspace();
          for (const Shape& shape : segments_in_question()) {
            const WorkspaceBytes needed = planner->workspace(shape);
            EXPECT_LE(needed.slots, most.slots) << describe_shape(shape);
            EXPECT_LE(needed.partials, most.partials) << describe_shape(shape);
            const LaunchPlan plan = planner->plan(shape);
            const std::int64_t grid = plan.calls[0].grid;
            EXPECT_GE(grid, 1);
            EXPECT_LE(grid, limits.max_grid);
            EXPECT_LE(grid, most_segment_shares);
            EXPECT_GE(grid * plan.value_of("share"), shape.count + shape.segment_count);
          }
        }
      }
    }
  }
}

/// A stream's end counts as three elements: whoever launches by a plan is told, and shares hold it.
TEST(SegmentsFamily, TellsWhatAShareIs) {
  const Limits limits{.min_block_size = 32, .wave_size = 32, .compute_units = 132};
  const Shape shape = Shape::segments(1 << 20, 1 << 18);
  const Problem problem = make_problem(Op::sum, DType::f32, shape);
  for (const bool is_stream : {false, true}) {
    const Settings settings = parse_settings(
        fmt::format("way=slots staging={} block_size=128 threads_per_segment=1 vector_width=4 "
                    "loads_per_thread=4 blocks_per_unit=4",
                    is_stream ? "stream" : "off"));
    ASSERT_EQ(segments().why_invalid(settings, problem, limits), "");
    const LaunchPlan plan = segments().planner(settings, problem, limits)->plan(shape);
    const auto* const share = std::ranges::find(plan.scalars, "share", &Scalar::name);
    ASSERT_NE(share, plan.scalars.end());
    EXPECT_EQ(share->meaning.find("an end counts as three") != std::string_view::npos, is_stream);
    const std::int64_t steps = shape.count + (is_stream ? 3 : 1) * shape.segment_count;
    EXPECT_EQ(plan.value_of("share"), (steps + 4 * 132 - 1) / (4 * 132));
  }
}

TEST(SegmentsFamily, ServesSegmentsThatNoOtherDoes) {
  const Problem problem = make_problem(Op::sum, DType::f32, Shape::segments(100, 7));
  for (const Family* family : all_families()) {
    EXPECT_EQ(family->serves(problem), family->name() == "reduce_segments") << family->name();
    const Problem rows = make_problem(Op::sum, DType::f32, Shape::rows(5, 7));
    EXPECT_FALSE(family->name() == "reduce_segments" && family->serves(rows));
  }
}

TEST(SegmentsFamily, TellsShapesApartByTheirMeanLengthAndSpread) {
  const auto far = [](const Shape& one, const Shape& other) {
    return segments().distance(one, other);
  };
  const Shape one = Shape::segments(1 << 20, 1 << 14);
  EXPECT_EQ(far(one, one), 0);
  EXPECT_LT(far(one, Shape::segments(1 << 22, 1 << 16)),
            far(one, Shape::segments(1 << 22, 1 << 14)))
      << "as long, and more of them";
  EXPECT_GT(far(one, Shape::segments(1 << 20, 1 << 14, 32, Skew::giant)), 32);
  EXPECT_LT(far(one, Shape::segments(1 << 20, 1 << 14, 64)), 0.01);
  EXPECT_EQ(segments().bytes_moved(make_problem(Op::sum, DType::f32, Shape::segments(100, 7, 64))),
            100 * 4 + 7 * 4 + 8 * 8);
}

}  // namespace
}  // namespace redtune::kernels
