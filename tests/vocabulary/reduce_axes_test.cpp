// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/reduce_axes.hpp"

#include <gtest/gtest.h>

#include "redtune/error.hpp"
#include "tests/vocabulary/refusal.hpp"

namespace redtune {
namespace {

using checks::refusal;
using Numbers = std::vector<std::int64_t>;

TEST(ReduceAxes, MakeOneAxisOfNeighbours) {
  EXPECT_EQ(reduce_axes({4096, 1024}, {}, {1}), Shape::rows(4096, 1024));
  EXPECT_EQ(reduce_axes({4096, 1024}, {}, {-1}), Shape::rows(4096, 1024));
  EXPECT_EQ(reduce_axes({4096, 1024}, {}, {0}), Shape::columns(4096, 1024));
  EXPECT_EQ(reduce_axes({4096, 1024}, {}, {-2}), Shape::columns(4096, 1024));
  EXPECT_EQ(reduce_axes({2, 3, 5, 7}, {}, {1, 2}), (Shape{.count = 15, .outer = 2, .inner = 7}));
  EXPECT_EQ(reduce_axes({2, 3, 5, 7}, {}, {-1, 2}), Shape::rows(6, 35));
  EXPECT_EQ(reduce_axes({2, 3, 5, 7}, {}, {0}), Shape::columns(2, 105));
}

TEST(ReduceAxes, OfAWholeArrayAreACountAlone) {
  EXPECT_EQ(reduce_axes({4096, 1024}, {}, {}), Shape{.count = 4096 * 1024});
  EXPECT_EQ(reduce_axes({2, 3, 5}, {}, {2, 0, 1}), Shape{.count = 30});
  EXPECT_EQ(reduce_axes({}, {}, {}), Shape{.count = 1});
  EXPECT_EQ(reduce_axes({7, 1, 1}, {}, {0}), Shape{.count = 7}) << "one result";
  const Problem whole = make_problem(Op::sum, DType::f32, reduce_axes({64, 16}, {}, {}));
  EXPECT_EQ(whole, make_problem(Op::sum, DType::f32, 1024));
}

TEST(ReduceAxes, OfOneIndexAreNone) {
  EXPECT_EQ(reduce_axes({1, 4096, 1, 1024}, {}, {1, 3}), Shape{.count = 4096 * 1024});
  EXPECT_EQ(reduce_axes({4096, 1, 8}, {}, {1}), Shape::rows(4096 * 8, 1));
  EXPECT_EQ(reduce_axes({2, 1, 3, 4}, {}, {0, 2}), Shape::columns(6, 4));
}

TEST(ReduceAxes, KeepGapsAndNothingElse) {
  EXPECT_EQ(reduce_axes({10, 1000}, {1008, 1}, {1}), Shape::rows(10, 1000, 1008));
  EXPECT_EQ(reduce_axes({10, 1000}, {1008, 1}, {0}), Shape::columns(10, 1000, 1008));
  EXPECT_EQ(reduce_axes({10, 1000}, {1000, 1}, {1}), Shape::rows(10, 1000));
  EXPECT_EQ(reduce_axes({4, 8, 16}, {1024, 16, 1}, {1}),
            (Shape{.count = 8, .outer = 4, .inner = 16, .outer_pitch = 1024}));
  EXPECT_EQ(reduce_axes({4, 8}, {64, 2}, {1}),
            (Shape{.count = 8, .outer = 4, .outer_pitch = 64, .count_pitch = 2}));
  EXPECT_EQ(reduce_axes({1, 8}, {64, 1}, {1}), Shape{.count = 8}) << "no second row is away";
}

TEST(ReduceAxes, LieAsTheirStridesSay) {
  EXPECT_EQ(reduce_axes({1024, 4096}, {1, 1024}, {0}), Shape::rows(4096, 1024)) << "transposed";
  EXPECT_EQ(reduce_axes({1024, 4096}, {1, 1024}, {}), Shape{.count = 1024 * 4096});
}

TEST(ReduceAxes, OfNoElementsHaveResultsAllTheSame) {
  EXPECT_EQ(reduce_axes({5, 0}, {}, {1}), Shape::rows(5, 0));
  EXPECT_EQ(reduce_axes({0, 5}, {}, {0}), Shape::columns(0, 5));
  EXPECT_EQ(reduce_axes({0}, {}, {}), Shape{});
}

TEST(ReduceAxes, AroundKeptOnesAreThoseOfABatch) {
  EXPECT_EQ(reduce_axes({32, 256, 56, 56}, {}, {0, 2, 3}), Shape::channels(32, 256, 3136));
  EXPECT_EQ(reduce_axes({32, 256, 56, 56}, {}, {-1, -2, 0}), Shape::channels(32, 256, 3136));
  EXPECT_EQ(reduce_axes({2, 3, 4, 5, 6}, {}, {0, 1, 4}), Shape::channels(6, 20, 6));
  EXPECT_EQ(reduce_axes({32, 256, 1, 1}, {}, {0, 2, 3}), Shape::columns(32, 256));
  EXPECT_EQ(reduce_axes({1, 256, 7, 7}, {}, {0, 2, 3}), Shape::rows(256, 49));
  EXPECT_EQ(reduce_axes({32, 1, 7, 7}, {}, {0, 2, 3}), Shape{.count = 32 * 49});
  EXPECT_EQ(reduce_axes({8, 5, 10}, {64, 12, 1}, {0, 2}),
            (Shape{.count = 10, .outer = 5, .outer_pitch = 12, .batch = 8, .batch_pitch = 64}));
  EXPECT_EQ(reduce_axes({8, 10}, {12, 1}, {0, 1}),
            (Shape{.count = 10, .batch = 8, .batch_pitch = 12}))
      << "one result of elements with gaps";
  EXPECT_EQ(reduce_axes({0, 5, 7}, {}, {0, 2}), Shape::rows(5, 0));
  EXPECT_EQ(reduce_axes({3, 5, 0}, {}, {0, 2}), Shape::rows(5, 0));
}

TEST(ReduceAxes, AreRefusedInOneLine) {
  const auto why = [](const Numbers& extents, const Numbers& strides, const Numbers& axes) {
    return refusal([&] { return reduce_axes(extents, strides, axes); });
  };
  EXPECT_EQ(why({4, 5}, {}, {2}), "4x5 has no axis 2; its axes are 0 to 1, or -1 to -2 backwards");
  EXPECT_EQ(why({4, 5}, {}, {-3}),
            "4x5 has no axis -3; its axes are 0 to 1, or -1 to -2 backwards");
  EXPECT_EQ(why({4, 5}, {}, {1, -1}), "axis -1 of 4x5 is named twice");
  EXPECT_EQ(why({4, -5}, {}, {1}), "an extent of 4x-5 is -5; extents are 0 or more");
  EXPECT_EQ(why({4, 5}, {1}, {1}), "4x5 has 2 axes and 1 strides; give one for each axis");
  EXPECT_EQ(why({4, 5}, {5, 0}, {1}), "the stride of axis 1 is 0; strides are 1 or more");
  EXPECT_EQ(why({0, 5}, {}, {1}), "0x5 has no results: axis 0 has no index");
  EXPECT_EQ(why({2, 3, 4, 5}, {}, {0, 2}),
            "axes 0 and 2 are reduced and do not lie behind each other in memory; reduce one after "
            "the other");
  EXPECT_EQ(why({2, 3, 4}, {30, 10, 2}, {0, 2}),
            "axes 0 and 2 are reduced and do not lie behind each other in memory; reduce one after "
            "the other");
  EXPECT_EQ(why({2, 3, 4}, {30, 8, 1}, {2}),
            "the results along axes 0 and 1 cannot lie one behind the other as their elements do; "
            "copy the array without gaps and in the order of its axes");
  EXPECT_EQ(why({2, 3, 4}, {1, 8, 2}, {2}),
            "the results along axes 1 and 0 cannot lie one behind the other as their elements do; "
            "copy the array without gaps and in the order of its axes");
  EXPECT_EQ(why({std::int64_t{1} << 40, std::int64_t{1} << 40}, {}, {1}),
            "1099511627776x1099511627776 elements are more than 64 bits can index");
  EXPECT_EQ(why({10, 1}, {std::int64_t{1} << 60, 1}, {0}),
            "the stride of axis 0 is 1152921504606846976, and 10 of them are more elements than "
            "64 bits can index");
}

TEST(ParseExtents, TakesCountsAndNothingElse) {
  EXPECT_EQ(parse_extents("4096x1024"), (Numbers{4096, 1024}));
  EXPECT_EQ(parse_extents("2^12x3*2^10x5"), (Numbers{4096, 3072, 5}));
  EXPECT_EQ(parse_extents("7"), (Numbers{7}));
  for (const char* text : {"", "x", "4x", "x4", "4xx5", "4*5", "4x-5", "4 x 5", "4X5"}) {
    EXPECT_THROW((void)parse_extents(text), UsageError) << text;
  }
}

TEST(ParseAxes, TakesNumbersFromBothEnds) {
  EXPECT_EQ(parse_axes("0"), (Numbers{0}));
  EXPECT_EQ(parse_axes("-1,0"), (Numbers{-1, 0}));
  for (const char* text : {"", ",", "1,", "a", "1.5", "+1", "1 2"}) {
    EXPECT_THROW((void)parse_axes(text), UsageError) << text;
  }
}

TEST(Pitches, ThatLeaveNoGapAreNone) {
  const auto of_batch = [](std::int64_t batch, std::int64_t pitch) {
    return make_problem(Op::sum, DType::f32,
                        Shape{.count = 9, .outer = 4, .batch = batch, .batch_pitch = pitch});
  };
  EXPECT_EQ(of_batch(5, 36), make_problem(Op::sum, DType::f32, Shape::channels(5, 4, 9)));
  EXPECT_EQ(of_batch(1, 40), make_problem(Op::sum, DType::f32, Shape::rows(4, 9)));
  EXPECT_EQ(input_bytes(of_batch(5, 40)), 4U * (4 * 40 + 36));
  EXPECT_EQ(describe(of_batch(5, 40)), "sum f32 [5]x4x[9] batch_pitch 40 cold");
  EXPECT_NO_THROW((void)make_problem(
      Op::sum, DType::f32,
      Shape{.count = 8, .outer = 4, .outer_pitch = 10, .batch = 2, .batch_pitch = 38}));
  EXPECT_EQ(make_problem(Op::sum, DType::f32, Shape::rows(10, 1000, 1000)),
            make_problem(Op::sum, DType::f32, Shape::rows(10, 1000)));
  EXPECT_EQ(make_problem(Op::sum, DType::f32, Shape::rows(1, 1000, 2000)),
            make_problem(Op::sum, DType::f32, 1000));
  EXPECT_EQ(input_bytes(make_problem(Op::sum, DType::f32, Shape::rows(10, 1000, 1008))),
            4U * (9 * 1008 + 1000));
  EXPECT_EQ(describe(make_problem(Op::sum, DType::f32, Shape::rows(10, 1000, 1008))),
            "sum f32 10x[1000] outer_pitch 1008 cold");
}

TEST(Pitches, AreRefusedWhereElementsWouldOverlap) {
  for (const Shape& shape :
       {Shape::rows(10, 1000, 999), Shape::rows(10, 1000, -1), Shape::columns(10, 1000, 999),
        Shape::rows(10, 1000, std::int64_t{1} << 61),
        Shape{.count = 8, .outer = 4, .inner = 16, .outer_pitch = 127},
        Shape{.count = 8, .outer = 4, .batch = 2, .batch_pitch = 31},
        Shape{.count = 8, .outer = 4, .outer_pitch = 10, .batch = 2, .batch_pitch = 37},
        Shape{.count = 8, .outer = 4, .batch = 2, .batch_pitch = -1},
        Shape{.count = 8, .outer = 4, .batch = 2, .batch_pitch = std::int64_t{1} << 61}}) {
    EXPECT_THROW((void)make_problem(Op::sum, DType::f32, shape), UsageError)
        << describe_shape(shape);
  }
}

}  // namespace
}  // namespace redtune
