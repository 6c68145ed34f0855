// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Lists and ranges of problems as people write them, and what is refused in them.
#include "tuner/workload/workload.hpp"

#include <gmock/gmock.h>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Counts = std::vector<std::int64_t>;

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

std::vector<std::string> lines_of(const ListedProblems& listed) {
  std::vector<std::string> lines;
  for (const Problem& problem : listed.problems) lines.push_back(describe(problem));
  return lines;
}

TEST(ProblemsOfLists, AreTheWholeProduct) {
  const ListedProblems listed = problems_of(
      {.ops = {Op::sum, Op::min}, .types = {DType::f32, DType::f16}, .counts = {256, 512}});
  EXPECT_THAT(
      lines_of(listed),
      ElementsAre("sum f32 256 cold", "sum f32 512 cold", "sum f16 256 cold", "sum f16 512 cold",
                  "min f32 256 cold", "min f32 512 cold", "min f16 256 cold", "min f16 512 cold"));
  EXPECT_EQ(listed.left_out, "");
}

TEST(ProblemsOfLists, AreAllAsChosen) {
  const ListedProblems listed = problems_of({.ops = {Op::sum},
                                             .types = {DType::f32},
                                             .counts = {256, 512},
                                             .choices = {.cache_mode = CacheMode::warm,
                                                         .acc = DType::f64,
                                                         .out = DType::f32,
                                                         .order = Order::any}});
  for (const Problem& problem : listed.problems) {
    EXPECT_EQ(problem.acc, DType::f64);
    EXPECT_EQ(problem.out, DType::f32);
    EXPECT_EQ(problem.order, Order::any);
    EXPECT_EQ(problem.cache_mode, CacheMode::warm);
  }
  EXPECT_EQ(listed.problems.size(), 2u);
}

TEST(ProblemsOfLists, LeaveOutWhatDoesNotGoTogetherAndSaySoOnce) {
  const ListedProblems listed = problems_of({.ops = {Op::bit_and, Op::min_ignore_nan, Op::sum},
                                             .types = {DType::f32, DType::f16, DType::i32},
                                             .counts = {256, 512}});
  EXPECT_EQ(listed.problems.size(), 2u * (1 + 2 + 3));
  EXPECT_EQ(listed.left_out,
            "bit_and of f32,f16 (bit_and is for integers, and f32 is a float); min_ignore_nan of "
            "i32 (min_ignore_nan is for floats: i32 has no NaN, so min is what you want)");
}

TEST(ProblemsOfLists, LeaveOutWhatCannotBeAccumulatedAsChosen) {
  const ListedProblems listed = problems_of({.ops = {Op::sum, Op::min},
                                             .types = {DType::f32},
                                             .counts = {256},
                                             .choices = {.acc = DType::f64}});
  EXPECT_THAT(lines_of(listed), ElementsAre("sum f32 256 cold acc f64"));
  EXPECT_THAT(listed.left_out, HasSubstr("min of f32 is accumulated in f32, not in f64"));
}

TEST(ProblemsOfLists, RefuseWhatIsNamedAlone) {
  EXPECT_THAT(
      [] {
        (void)problems_of({.ops = {Op::bit_and}, .types = {DType::f32}, .counts = {256, 512}});
      },
      ThrowsMessage<UsageError>("bit_and is for integers, and f32 is a float"));
  EXPECT_THAT(
      [] {
        (void)problems_of(
            {.ops = {Op::bit_and, Op::bit_or}, .types = {DType::f32}, .counts = {256}});
      },
      ThrowsMessage<UsageError>(HasSubstr("nothing is left to tune: bit_and of f32 (")));
}

TEST(ProblemsOfLists, RefuseCountsBeyondAnIndexAlsoAmongOthers) {
  EXPECT_THAT(
      [] {
        (void)problems_of({.ops = {Op::sum},
                           .types = {DType::u8, DType::f32},
                           .counts = {256, std::int64_t{1} << 62}});
      },
      ThrowsMessage<UsageError>(HasSubstr("more bytes than 64 bits can index")));
}

TEST(ProblemsOfLists, AreNoMoreThanARunCanDo) {
  ProblemLists lists{.ops = {Op::sum, Op::min}, .types = {DType::f32}, .counts = {}};
  for (std::int64_t count = 1; count <= 5000; ++count) lists.counts.push_back(count);
  EXPECT_EQ(problems_of(lists).problems.size(), most_problems);
  lists.counts.push_back(5001);
  EXPECT_THAT([&] { (void)problems_of(lists); },
              ThrowsMessage<UsageError>(HasSubstr("more than the 10000 problems")));
}

TEST(Lists, AreNoLongerThanARunCanDo) {
  std::string counts = "1";
  for (int count = 2; count <= 10'001; ++count) counts += ',' + std::to_string(count);
  expect_refused(counts, "more than the 10000 problems");
}

TEST(ProblemsOfLists, TakeAnOperatorGivenAsText) {
  const CustomOp op{"mine.hpp", "struct custom {};"};
  const ListedProblems listed =
      problems_of({.ops = {op}, .types = {DType::f32, DType::i32}, .counts = {1, 2}});
  ASSERT_EQ(listed.problems.size(), 4u);
  EXPECT_EQ(listed.problems[0], make_problem(op, DType::f32, 1));
  const ListedProblems fewer = problems_of(
      {.ops = {op}, .types = {DType::f32}, .counts = {1}, .choices = {.acc = DType::f64}});
  EXPECT_EQ(fewer.problems.at(0).acc, DType::f64);
  EXPECT_THAT(
      [&] {
        (void)problems_of(
            {.ops = {op}, .types = {DType::f32}, .counts = {1}, .choices = {.acc = DType::f16}});
      },
      ThrowsMessage<UsageError>(HasSubstr("nothing is computed in f16")));
}

}  // namespace
}  // namespace redtune::tuner
