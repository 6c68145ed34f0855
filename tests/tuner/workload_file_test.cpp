// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Workloads in TOML: what they may hold, and where and how mistakes are told.
#include "tuner/workload/workload_file.hpp"

#include <gmock/gmock.h>

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

Workload read(const std::string& text) {
  return workload_from_toml(text, "w.toml");
}

void expect_refused(const std::string& text, const std::string& place, const std::string& why) {
  EXPECT_THAT([&] { (void)read(text); },
              ThrowsMessage<UsageError>(
                  AllOf(StartsWith("w.toml:" + place), HasSubstr(why), Not(HasSubstr("\n")))))
      << text;
}

/// One problem whose lines begin at line 2.
std::string problem(const std::string& lines) {
  return "[[problem]]\n" + lines;
}
const std::string whole = "op = 'sum'\ntype = 'f32'\ncount = 256\n";

TEST(WorkloadFile, HoldsProblemsInItsOrder) {
  const Workload workload = read(
      "budget = '64,10s'\n"
      "[[problem]]\nop = 'sum'\ntype = 'f32'\ncount = 1000\n"
      "[[problem]]\nop = 'max'\ntype = 'f16'\ncount = '2^20'\nbudget = '2s'\n");
  EXPECT_EQ(workload.name, "w.toml");
  EXPECT_EQ(workload.items,
            (std::vector<WorkloadItem>{{make_problem(Op::sum, DType::f32, 1000), "64,10s"},
                                       {make_problem(Op::max, DType::f16, 1 << 20), "2s"}}));
  EXPECT_EQ(workload.left_out, "");
}

TEST(WorkloadFile, LeavesTheBudgetToTheRunWhereNoneIsNamed) {
  EXPECT_EQ(read(problem(whole)).items.at(0).budget, "");
}

TEST(WorkloadFile, TakesListsAndRangesInStringsAndArrays) {
  const Workload one = read(problem("op='sum,min'\ntype='f32,f16'\ncount='100,2^8..2^10'\n"));
  const Workload other =
      read(problem("op=['sum','min']\ntype=['f32','f16']\ncount=[100,'2^8..2^9',1024, 100]\n"));
  EXPECT_EQ(one.items, other.items);
  EXPECT_EQ(one.items.size(), 16u);
}

TEST(WorkloadFile, TakesEveryChoice) {
  const Workload workload =
      read(problem(whole + "acc='f64'\nout='f32'\norder='any'\ncache_mode='warm'\n"));
  EXPECT_EQ(workload.items.at(0).problem, make_problem(Op::sum, DType::f32, 256,
                                                       {.cache_mode = CacheMode::warm,
                                                        .acc = DType::f64,
                                                        .out = DType::f32,
                                                        .order = Order::any}));
}

std::vector<Shape> shapes_in(const std::string& lines) {
  std::vector<Shape> shapes;
  for (const WorkloadItem& item : read(problem("op='sum'\ntype='f32'\n" + lines)).items) {
    shapes.push_back(item.problem);
  }
  return shapes;
}

TEST(WorkloadFile, TakesArraysAndTheirAxes) {
  EXPECT_THAT(shapes_in("shape='4x6,2..4x5'\naxis=1\n"),
              ElementsAre(Shape::rows(4, 6), Shape::rows(2, 5), Shape::rows(4, 5)));
  EXPECT_THAT(shapes_in("shape=['4x6', '2x5', '4x6']\naxis='0'\n"),
              ElementsAre(Shape::columns(4, 6), Shape::columns(2, 5)));
  EXPECT_THAT(shapes_in("shape='4x6'\n"), ElementsAre(Shape{.count = 24}));
  EXPECT_THAT(shapes_in("shape='4x6'\naxis=-1\nstrides=[8, 1]\n"),
              ElementsAre(Shape::rows(4, 6, 8)));
  EXPECT_THAT(shapes_in("shape='4x6'\naxis=[-1]\nstrides='8,1'\n"),
              ElementsAre(Shape::rows(4, 6, 8)));
  EXPECT_THAT(shapes_in("shape='3x4x6'\naxis=[1, '2']\n"), ElementsAre(Shape::rows(3, 24)));
  // Strides that are the same are not one.
  EXPECT_THAT(shapes_in("shape='1x6'\naxis=1\nstrides=[1, 1]\n"), ElementsAre(Shape{.count = 6}));
}

TEST(WorkloadFile, TakesRowsOfATotal) {
  EXPECT_THAT(shapes_in("row_lengths='3,2..8:4'\ntotal=100\n"),
              ElementsAre(Shape::rows(33, 3), Shape::rows(50, 2), Shape::rows(12, 8)));
  EXPECT_THAT(shapes_in("row_lengths=[3, '2']\ntotal='2^10'\n"),
              ElementsAre(Shape::rows(341, 3), Shape::rows(512, 2)));
  EXPECT_THAT(shapes_in("row_lengths=2\n"), ElementsAre(Shape::rows(1 << 27, 2)));
}

TEST(WorkloadFile, TakesSegmentsOfCounts) {
  EXPECT_THAT(shapes_in("count=[100, 200]\nsegments='3,5'\n"),
              ElementsAre(Shape::segments(100, 3), Shape::segments(100, 5), Shape::segments(200, 3),
                          Shape::segments(200, 5)));
  EXPECT_THAT(shapes_in("count=9\nsegments=3\nskew='giant'\noffset_bits=64\n"),
              ElementsAre(Shape::segments(9, 3, 64, Skew::giant)));
}

TEST(WorkloadFile, SaysWhatIsWrongWithShapes) {
  const auto refused = [](const std::string& lines, const std::string& place,
                          const std::string& why) {
    expect_refused(problem("op='sum'\ntype='f32'\n" + lines), place, why);
  };
  refused("count=1\nshape='4x5'\n", "5:7: ", "count and shape both say how many elements");
  refused("shape='4x5'\nrow_lengths=4\n", "5:13: ", "shape and row_lengths both say");
  refused("count=1\naxis=0\n", "5:6: ", "axis is of an array; name its extents by shape");
  refused("row_lengths=1\nstrides=1\n", "5:9: ", "strides is of an array");
  refused("count=1\nskew='zipf'\n", "5:6: ", "skew is of segments");
  refused("row_lengths=1\nsegments=4\n", "5:10: ", "segments are of an array");
  refused("count=9\nsegments=4\noffset_bits=16\n", "1:1: ", "offset_bits is 16");
  refused("count=1\ntotal=4\n", "5:7: ", "total is of rows; name their lengths by row_lengths");
  refused("shape='4x5'\naxis=2\n", "4:7: ", "4x5 has no axis 2");
  refused("shape='4x5'\naxis=[1, 'one']\n", "5:10: ", "'one' is not an axis");
  refused("shape='4x5'\naxis=1.5\n", "5:6: ", "axis is a float; write a whole number, a string");
  refused("shape=4\n", "4:7: ", "shape is an integer; write a string, like \"4096x1024\"");
  refused("shape='4x9..2'\n", "4:7: ", "upside down; write 2..9");
  refused("shape='4x'\n", "4:7: ", "is not the shape of an array");
  refused("shape=[]\n", "4:7: ", "shape is an empty array");
  refused("shape='2^40x2^40'\n", "4:7: ", "more than 64 bits can index");
  refused("shape='4x5'\naxis=1\nstrides=[8]\n", "4:7: ", "4x5 has 2 axes and 1 strides");
  refused("shape='4x5'\naxis=1\nstrides=[4, 1]\n", "1:1: ", "outer_pitch is 4, less than the 5");
  refused("row_lengths='9..8'\n", "4:13: ", "upside down");
  refused("row_lengths=0\n", "4:13: ", "rows of 0 elements have no total");
  refused("row_lengths=9\ntotal=8\n", "4:13: ", "a row of 9 is more than the total of 8");
  refused("row_lengths=9\ntotal='lots'\n", "5:7: ", "'lots' is not a count");
  refused("row_lengths=9\ntotal=[9]\n", "5:7: ", "total is an array");
  refused("row_lengths=2\ntotal='2^62'\n", "1:1: ", "more bytes than 64 bits can index");
}

TEST(WorkloadFile, TakesAProblemOfSeveralTablesOnce) {
  const Workload workload =
      read(problem(whole + "budget='1s'\n") + problem("op='sum,min'\ntype='f32'\ncount=256\n"));
  ASSERT_EQ(workload.items.size(), 2u);
  EXPECT_EQ(workload.items[0].budget, "1s");
  EXPECT_EQ(workload.items[1].problem.op, Op::min);
}

TEST(WorkloadFile, HasNoMoreProblemsThanARunCanDo) {
  std::string counts;
  for (int count = 1; count <= 6000; ++count) counts += std::to_string(count) + ',';
  const std::string some = "type='f32'\ncount=[" + counts + "]\n";
  const std::string all = problem("op='sum'\n" + some) + problem("op='min'\n" + some);
  expect_refused(all, "5:1", "more than the 10000 problems");
  EXPECT_EQ(read(problem("op='sum'\n" + some)).items.size(), 6000U);
  expect_refused(problem("op='sum,min'\n" + some), "1:1", "more than the 10000 problems");
}

TEST(WorkloadFile, LeavesOutWhatDoesNotGoTogether) {
  const Workload workload = read(problem("op='bit_or'\ntype='f32,i32'\ncount=1\n") +
                                 problem("op='bit_and'\ntype='f32,i32'\ncount=1\n"));
  EXPECT_EQ(workload.items.size(), 2u);
  EXPECT_THAT(workload.left_out,
              AllOf(HasSubstr("bit_or of f32 ("), HasSubstr("; bit_and of f32")));
  expect_refused(problem("op='bit_or'\ntype='f32'\ncount=1\n"), "1:1: ", "is for integers");
}

TEST(WorkloadFile, IsRefusedWithoutAProblem) {
  const auto why = ThrowsMessage<UsageError>(
      "w.toml: there is no problem in it; begin one by "
      "[[problem]]");
  EXPECT_THAT([] { (void)read(""); }, why);
  EXPECT_THAT([] { (void)read("budget = '1s'\n"); }, why);
  expect_refused("problem = []\n", "1:11: ", "begin it by [[problem]]");
  expect_refused("[problem]\n" + whole, "1:1: ", "begin it by [[problem]]");
  expect_refused("problem = 'sum'\n", "1:11: ", "begin it by [[problem]]");
}

TEST(WorkloadFile, IsRefusedWhereItIsNoToml) {
  expect_refused("[[problem]\n", "1:11: ", "");
  expect_refused(problem("op = sum\n"), "2:", "");
  expect_refused(problem("op = 'sum'\nop = 'min'\n"), "3:", "");
  expect_refused(problem("op = 'sum\n"), "2:", "");
  expect_refused("\xff\xfe", "1:1: ", "");
}

TEST(WorkloadFile, IsRefusedWhereTheParserIsLost) {
  for (const char* text : {"[=problem]]\n", "[[$]]\n", "[[ #]]\n", "[[,", "[.]\n"}) {
    EXPECT_THAT([&] { (void)read(text); },
                ThrowsMessage<UsageError>(AllOf(StartsWith("w.toml:"), Not(HasSubstr("\n")))))
        << text;
  }
}

TEST(WorkloadFile, NamesKeysThatThereAreNot) {
  expect_refused("buget = '1s'\n", "1:1: ",
                 "unknown key 'buget' (did you mean 'budget'?); known: "
                 "problem, budget");
  expect_refused(problem("  cuont = 5\n" + whole), "2:3: ", "(did you mean 'count'?)");
  expect_refused(problem(whole + "cache-mode='warm'\n"), "5:1: ", "(did you mean 'cache_mode'?)");
  expect_refused(problem(whole + "\"a\\nb\"=1\n"), "5:1: ", "unknown key 'a\\nb'; known: op, type");
}

TEST(WorkloadFile, SaysWhatIsMissing) {
  expect_refused(problem("type='f32'\ncount=1\n"),
                 "1:1: ", "has no op; it needs op, type, and one of count, shape, row_lengths");
  expect_refused(problem("op='sum'\ncount=1\n"), "1:1: ", "has no type");
  expect_refused("\n\n" + problem("op='sum'\ntype='f32'\n"), "3:1: ", "has no count");
}

TEST(WorkloadFile, SaysWhatAValueShouldBe) {
  const auto refused = [](const std::string& lines, const std::string& why) {
    expect_refused(problem(lines), "2:", why);
  };
  refused("op=1\n", "op is an integer; write a string, like \"sum,min\", or an array of them");
  refused("op={a=1}\n", "op is a table");
  refused("op=['sum',[1]]\n", "op is an array");
  refused("op=[]\n", "op is an empty array");
  refused("type=true\nop='sum'\n", "type is a boolean; write a string, like \"f32,f16\"");
  refused("count=1.5\nop='sum'\ntype='f32'\n",
          "count is a float; write a whole number, a string, like \"2^8..2^30\"");
  refused("count=1979-05-27\nop='sum'\ntype='f32'\n", "count is a date or time");
  refused("acc=64\n" + whole, "acc is an integer; write a string, like \"f64\"");
  refused("order=['any']\n" + whole, "order is an array; write a string, like \"any\"");
  refused("cache_mode=1\n" + whole, "cache_mode is an integer; write a string, like \"warm\"");
  refused("budget=10\n" + whole, "budget is an integer; write a string, like \"64,10s\"");
  expect_refused("budget = 10\n" + problem(whole), "1:10: ", "write a string");
}

TEST(WorkloadFile, TellsThePlaceOfWhatAParserRefuses) {
  expect_refused(problem("op = ['sum', 'mni']\n"), "2:14: ", "did you mean 'min'");
  expect_refused(problem("op='sum'\ntype = 'f23'\n"), "3:8: ", "did you mean 'f32'");
  expect_refused(problem("op='sum'\ntype='f32'\ncount=-5\n"), "4:7: ", "'-5' is not a count");
  expect_refused(problem("op='sum'\ntype='f32'\ncount='2^9..2^8'\n"), "4:7: ", "upside down");
  expect_refused(problem(whole + "acc='f31'\n"), "5:5: ", "unknown type 'f31'");
  expect_refused(problem(whole + "order='some'\n"), "5:7: ", "known: fixed, any");
  expect_refused(problem(whole + "cache_mode='hot'\n"), "5:12: ", "known: cold, warm");
  expect_refused(problem(whole + "budget='soon'\n"), "5:8: ", "'soon' is not a budget");
  expect_refused("budget = ''\n" + problem(whole), "1:10: ", "'' is not a budget");
  expect_refused(problem(whole) + problem("op='max'\ntype='f32'\ncount=4611686018427387904\n"),
                 "5:1: ", "more bytes than 64 bits can index");
}

}  // namespace
}  // namespace redtune::tuner
