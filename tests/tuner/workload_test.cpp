// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What lists of operators, types and shapes come to, and what is refused of them.
#include "tuner/workload/workload.hpp"

#include <gmock/gmock.h>

#include "redtune/error.hpp"
#include "tuner/workload/lists.hpp"

namespace redtune::tuner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

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

TEST(ProblemsOfLists, CountShapesToo) {
  ProblemLists lists{.ops = {Op::sum, Op::min}, .types = {DType::f32}, .counts = {}};
  for (std::int64_t rows = 2; rows <= 5001; ++rows) lists.shapes.push_back(Shape::rows(rows, 4));
  EXPECT_EQ(problems_of(lists).problems.size(), most_problems);
  lists.counts.push_back(1);
  EXPECT_THAT([&] { (void)problems_of(lists); },
              ThrowsMessage<UsageError>(HasSubstr("more than the 10000 problems")));
}

TEST(ProblemsOfLists, TakeEveryOperatorAndTypeWithEveryShape) {
  const ListedProblems listed = problems_of({.ops = {Op::sum, Op::max},
                                             .types = {DType::f32, DType::f16},
                                             .counts = {},
                                             .shapes = {Shape::rows(8, 5), Shape::columns(8, 5)}});
  ASSERT_EQ(listed.problems.size(), 8U);
  EXPECT_EQ(listed.problems[0], make_problem(Op::sum, DType::f32, Shape::rows(8, 5)));
  EXPECT_EQ(listed.problems[7], make_problem(Op::max, DType::f16, Shape::columns(8, 5)));
}

TEST(ProblemsOfLists, RefuseShapesWhosePitchesCannotBe) {
  EXPECT_THAT(
      [] {
        (void)problems_of({.ops = {Op::sum},
                           .types = {DType::f32},
                           .counts = {},
                           .shapes = {Shape::rows(4, 6, 8), Shape::rows(4, 9, 8)}});
      },
      ThrowsMessage<UsageError>(HasSubstr("outer_pitch is 8, less than the 9 elements")));
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
