// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Lists and ranges of problems as people write them, and what is refused in them.
#include "tuner/workload/lists.hpp"

#include <gmock/gmock.h>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

void expect_refused(const std::string& counts, const std::string& why) {
  EXPECT_THAT([&] { (void)parse_counts(counts); }, ThrowsMessage<UsageError>(HasSubstr(why)))
      << counts;
}

TEST(Lists, HoldEachEntryOnceInTheOrderOfTheText) {
  EXPECT_THAT(parse_ops("min"), ElementsAre(Op::min));
  EXPECT_THAT(parse_ops("min,sum,min,argmax"), ElementsAre(Op::min, Op::sum, Op::argmax));
  EXPECT_THAT(parse_dtypes("f16,f32,f16"), ElementsAre(DType::f16, DType::f32));
  EXPECT_THAT(parse_counts("16M,1000,2^24,2^10"), ElementsAre(1 << 24, 1000, 1 << 10));
}

TEST(Lists, RefuseWhatIsEmptyOrUnknown) {
  for (const char* list : {",", "sum,", ",sum", "sum,,min"}) {
    EXPECT_THAT([&] { (void)parse_ops(list); },
                ThrowsMessage<UsageError>(HasSubstr("an entry with nothing in it")))
        << list;
  }
  EXPECT_THAT([] { (void)parse_ops(""); }, ThrowsMessage<UsageError>(HasSubstr("operator ''")));
  EXPECT_THAT([] { (void)parse_ops("sum,mni"); },
              ThrowsMessage<UsageError>(HasSubstr("did you mean 'min'")));
  EXPECT_THAT([] { (void)parse_dtypes("f32,f61"); },
              ThrowsMessage<UsageError>(HasSubstr("did you mean 'f64'")));
  EXPECT_THAT([] { (void)parse_dtypes("f32, f64"); },
              ThrowsMessage<UsageError>(HasSubstr("' f64'")));
  expect_refused("2^8,", "an entry with nothing in it");
  expect_refused("", "'' is not a count");
  expect_refused("2^8,x", "'x' is not a count");
}

TEST(Ranges, GoFromTheFirstCountByAFactor) {
  EXPECT_THAT(parse_counts("2^8..2^11"), ElementsAre(256, 512, 1024, 2048));
  EXPECT_THAT(parse_counts("2^8..2^12:4"), ElementsAre(256, 1024, 4096));
  EXPECT_THAT(parse_counts("1000..4000"), ElementsAre(1000, 2000, 4000));
  EXPECT_THAT(parse_counts("1..1"), ElementsAre(1));
  EXPECT_THAT(parse_counts("3..100:2^2"), ElementsAre(3, 12, 48));
  EXPECT_EQ(parse_counts("2^8..2^30").size(), 23u);
}

TEST(Ranges, EndBeforeTheLastCountWhereNoStepMeetsIt) {
  EXPECT_THAT(parse_counts("2^8..2^11:4"), ElementsAre(256, 1024));
  EXPECT_THAT(parse_counts("5..9"), ElementsAre(5));
  EXPECT_THAT(parse_counts("1..9223372036854775807:2^62"), ElementsAre(1, std::int64_t{1} << 62));
  EXPECT_EQ(parse_counts("1..9223372036854775807").size(), 63u);
}

TEST(Ranges, StandAmongOtherEntriesAndRepeatNone) {
  EXPECT_THAT(parse_counts("100,2^8..2^10,512,2^9..2^11"), ElementsAre(100, 256, 512, 1024, 2048));
}

TEST(Ranges, SayWhatWouldBeRight) {
  expect_refused("2^30..2^8", "is upside down; write 2^8..2^30");
  expect_refused("2^8..", "write both ends");
  expect_refused("..2^8", "write both ends");
  expect_refused("..", "write both ends");
  expect_refused("2^8..:4", "write both ends");
  expect_refused("0..8", "begin at 1 or more");
  expect_refused("-1..8", "'-1' is not a count");
  expect_refused("2^8..x", "'x' is not a count");
  expect_refused("2^8..2^63", "'2^63' is not a count");
  expect_refused("1..99999999999999999999", "is not a count");
  expect_refused("2^8..2^30..2^31", "'2^30..2^31' is not a count");
  expect_refused("2^8:4", "'2^8:4' is not a count");
  for (const char* step : {"1", "0", "", "-2", "x", "1.5", "2^63"}) {
    expect_refused(std::string("2^8..2^30:") + step, "must be a whole number from 2");
  }
}

TEST(Lists, AreNoLongerThanARunCanDo) {
  std::string counts = "1";
  for (int count = 2; count <= 10'001; ++count) counts += ',' + std::to_string(count);
  expect_refused(counts, "more than the 10000 problems");
}

void expect_array_refused(const std::string& arrays, const std::string& why) {
  EXPECT_THAT([&] { (void)parse_arrays(arrays); }, ThrowsMessage<UsageError>(HasSubstr(why)))
      << arrays;
}

TEST(Arrays, HoldEachOnceInTheOrderOfTheText) {
  EXPECT_THAT(parse_arrays("4096x1024"), ElementsAre(Extents{4096, 1024}));
  EXPECT_THAT(parse_arrays("2x3,5,2x3,1Kx2^2x7"),
              ElementsAre(Extents{2, 3}, Extents{5}, Extents{1024, 4, 7}));
}

TEST(Arrays, HaveRangesAsExtents) {
  EXPECT_THAT(parse_arrays("2^2..2^4x64"),
              ElementsAre(Extents{4, 64}, Extents{8, 64}, Extents{16, 64}));
  EXPECT_THAT(parse_arrays("3x1..16:4"), ElementsAre(Extents{3, 1}, Extents{3, 4}, Extents{3, 16}));
}

TEST(Arrays, TakeSeveralRangesEachWithEach) {
  EXPECT_THAT(parse_arrays("1..2x5x3..6,2x5x6"),
              ElementsAre(Extents{1, 5, 3}, Extents{1, 5, 6}, Extents{2, 5, 3}, Extents{2, 5, 6}));
}

TEST(Arrays, SayWhatWouldBeRight) {
  expect_array_refused("4x5,", "an entry with nothing in it");
  expect_array_refused("", "'' is not the shape of an array");
  expect_array_refused("4x,5", "'4x' is not the shape of an array");
  expect_array_refused("4y5", "'4y5' is not the shape of an array");
  expect_array_refused("4x8..2", "the range '8..2' is upside down; write 2..8");
  expect_array_refused("4x..2", "write both ends");
  expect_array_refused("4x0..8", "begin at 1 or more");
  expect_array_refused("2..8:1x4", "the step '1'");
  expect_array_refused("2..8x", "'' is not a count");
  expect_array_refused("1..2^62x1..2^62x1..2^62", "more than the 10000 problems");
}

TEST(ShapesOfArrays, AreReducedAlongTheSameAxes) {
  const std::vector<Extents> arrays{{4, 6}, {8, 5}};
  EXPECT_THAT(shapes_of_arrays(arrays, {.axes = {1}}),
              ElementsAre(Shape::rows(4, 6), Shape::rows(8, 5)));
  EXPECT_THAT(shapes_of_arrays(arrays, {.axes = {0}}),
              ElementsAre(Shape::columns(4, 6), Shape::columns(8, 5)));
  EXPECT_THAT(shapes_of_arrays(arrays, {.strides = {9, 1}, .axes = {-1}}),
              ElementsAre(Shape::rows(4, 6, 9), Shape::rows(8, 5, 9)));
}

TEST(ShapesOfArrays, AreEachThereOnce) {
  EXPECT_THAT(shapes_of_arrays(std::vector<Extents>{{4, 6}, {3, 8}, {24}}, {}),
              ElementsAre(Shape{.count = 24}));
}

TEST(ShapesOfArrays, AreRefusedWhereOneIsNoShape) {
  const auto refused = [](const std::vector<Extents>& arrays, const ArrayAxes& how,
                          const std::string& why) {
    EXPECT_THAT([&] { (void)shapes_of_arrays(arrays, how); },
                ThrowsMessage<UsageError>(HasSubstr(why)));
  };
  refused({{4, 5}, {6}}, {.axes = {1}}, "6 has no axis 1; its axes are 0 to 0");
  refused({{4, 5}}, {.axes = {-3}}, "4x5 has no axis -3");
  refused({{4, 5}, {2, 4, 5}}, {.strides = {8, 1}, .axes = {1}}, "2x4x5 has 3 axes and 2 strides");
  const std::int64_t large = std::int64_t{1} << 40;
  refused({{4, 5}, {large, large}}, {.axes = {1}}, "are more than 64 bits can index");
}

TEST(RowsOfATotal, AreAsManyAsItHasRoomFor) {
  const std::vector<std::int64_t> lengths{3, 2, 1000};
  EXPECT_THAT(rows_of_total(lengths, 1000),
              ElementsAre(Shape::rows(333, 3), Shape::rows(500, 2), Shape::rows(1, 1000)));
  EXPECT_THAT(rows_of_total(std::vector<std::int64_t>{1}, usual_total),
              ElementsAre(Shape::rows(1 << 28, 1)));
}

TEST(RowsOfATotal, AreRefusedWhereThereIsNone) {
  const auto refused = [](std::int64_t length, std::int64_t total, const std::string& why) {
    EXPECT_THAT(
        [&] {
          (void)rows_of_total(std::vector<std::int64_t>{2, length}, total);
        },
        ThrowsMessage<UsageError>(why));
  };
  refused(0, 8, "rows of 0 elements have no total; name lengths of 1 or more");
  refused(9, 8, "a row of 9 is more than the total of 8");
  refused(1 << 20, 1 << 19, "a row of 2^20 is more than the total of 2^19");
  refused(2, 0, "a row of 2 is more than the total of 0");
}

TEST(Numbers, AreEachWhatStandsThere) {
  EXPECT_THAT(parse_numbers("1,8,8,2^4"), ElementsAre(1, 8, 8, 16));
  EXPECT_THAT([] { (void)parse_numbers("1..4"); },
              ThrowsMessage<UsageError>(HasSubstr("'1..4' is not a count")));
  EXPECT_THAT([] { (void)parse_numbers("8,"); },
              ThrowsMessage<UsageError>(HasSubstr("an entry with nothing in it")));
}

}  // namespace
}  // namespace redtune::tuner
