// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The order of tuning: classes together, each from where memory begins to bound it outwards.
#include <algorithm>
#include <gmock/gmock.h>

#include "tuner/workload/order.hpp"

namespace redtune::tuner {
namespace {

using ::testing::ElementsAre;

constexpr std::int64_t mib = 1 << 20;

std::vector<WorkloadItem> sums(const std::vector<std::int64_t>& counts, DType type = DType::f32,
                               CacheMode mode = CacheMode::cold) {
  std::vector<WorkloadItem> items;
  for (const std::int64_t count : counts) {
    items.push_back({make_problem(Op::sum, type, count, mode)});
  }
  return items;
}

std::vector<std::int64_t> counts_in_order(const std::vector<WorkloadItem>& items,
                                          std::int64_t cache_bytes) {
  std::vector<std::int64_t> counts;
  for (const WorkloadItem& item : in_order_of_tuning(items, cache_bytes)) {
    counts.push_back(item.problem.count);
  }
  return counts;
}

TEST(OrderOfTuning, BeginsWithFourCachesAndGoesOutwards) {
  // 1 MiB of floats are 2^18; four of them 2^20.
  const auto items = sums({1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22});
  EXPECT_THAT(counts_in_order(items, mib),
              ElementsAre(1 << 20, 1 << 19, 1 << 21, 1 << 18, 1 << 22, 1 << 17));
}

TEST(OrderOfTuning, TakesTheFirstBeyondWhereNoneIsExact) {
  EXPECT_THAT(counts_in_order(sums({(1 << 20) - 1, (1 << 20) + 1}), mib),
              ElementsAre((1 << 20) + 1, (1 << 20) - 1));
}

TEST(OrderOfTuning, BeginsWithTheLargestOfSmallOnes) {
  EXPECT_THAT(counts_in_order(sums({1, 2, 3}), mib), ElementsAre(3, 2, 1));
}

TEST(OrderOfTuning, BeginsWithTheSmallestOfLargeOnesAndWhereNoCacheIsKnown) {
  EXPECT_THAT(counts_in_order(sums({1 << 24, 1 << 22, 1 << 23}), mib),
              ElementsAre(1 << 22, 1 << 23, 1 << 24));
  EXPECT_THAT(counts_in_order(sums({8, 0, 4}), 0), ElementsAre(0, 4, 8));
}

TEST(OrderOfTuning, CountsBytesAndNotElements) {
  EXPECT_THAT(counts_in_order(sums({1 << 20, 1 << 21, 1 << 22, 1 << 23}, DType::u8), mib),
              ElementsAre(1 << 22, 1 << 21, 1 << 23, 1 << 20));
}

TEST(OrderOfTuning, IsOfNothingAndOfOne) {
  EXPECT_THAT(in_order_of_tuning({}, mib), ElementsAre());
  EXPECT_EQ(in_order_of_tuning(sums({5}), mib), sums({5}));
}

TEST(OrderOfTuning, PutsProblemsThatDifferInTheirCountAloneTogether) {
  const ProblemChoices any_order{.order = Order::any};
  const ProblemChoices wide{.acc = DType::f64};
  std::vector<WorkloadItem> items;
  for (const std::int64_t count : {1, 2}) {
    items.push_back({make_problem(Op::max, DType::f32, count)});
    items.push_back({make_problem(Op::sum, DType::f32, count)});
    items.push_back({make_problem(Op::sum, DType::f16, count)});
    items.push_back({make_problem(Op::sum, DType::f32, count, CacheMode::warm)});
    items.push_back({make_problem(Op::sum, DType::f32, count, any_order)});
    items.push_back({make_problem(Op::sum, DType::f32, count, wide)});
  }
  const auto ordered = in_order_of_tuning(items, mib);
  ASSERT_EQ(ordered.size(), items.size());
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(ordered[2 * i].problem, items[6 + i].problem) << i << ": the larger of both first";
    EXPECT_EQ(ordered[2 * i + 1].problem, items[i].problem) << i;
  }
}

std::vector<WorkloadItem> reduced(const std::vector<Shape>& shapes, Op op = Op::sum) {
  std::vector<WorkloadItem> items;
  for (const Shape& shape : shapes) items.push_back({make_problem(op, DType::f32, shape)});
  return items;
}

std::vector<std::string> shapes_in_order(const std::vector<WorkloadItem>& items,
                                         std::int64_t cache_bytes) {
  std::vector<std::string> shapes;
  for (const WorkloadItem& item : in_order_of_tuning(items, cache_bytes)) {
    shapes.push_back(describe_shape(item.problem));
  }
  return shapes;
}

TEST(OrderOfTuning, BeginsWithTheMiddleLengthOfRowsOfOneTotal) {
  const auto items =
      reduced({Shape::rows(1 << 18, 4), Shape::rows(1 << 14, 64), Shape::rows(1 << 10, 1 << 10),
               Shape::rows(1 << 6, 1 << 14), Shape::rows(1 << 2, 1 << 18)});
  EXPECT_THAT(shapes_in_order(items, mib),
              ElementsAre("2^10x[2^10]", "2^14x[64]", "64x[2^14]", "2^18x[4]", "4x[2^18]"));
}

/// 87381 x 768 is a little less than 2^26.
TEST(OrderOfTuning, TakesWhatIsAboutAsLargeForAsLarge) {
  const auto items =
      reduced({Shape::rows(1 << 24, 4), Shape::rows(87381, 768), Shape::rows(1 << 14, 1 << 12),
               Shape::rows(1 << 10, 1 << 16), Shape::rows(1 << 6, 1 << 20)});
  EXPECT_EQ(shapes_in_order(items, mib).front(), "2^14x[2^12]");
}

TEST(OrderOfTuning, ComesToSmallTotalsLast) {
  const auto items = reduced({Shape::rows(64, 4), Shape::rows(1 << 18, 4), Shape::rows(1 << 14, 64),
                              Shape::rows(1 << 10, 1 << 10)});
  EXPECT_THAT(shapes_in_order(items, mib),
              ElementsAre("2^14x[64]", "2^18x[4]", "2^10x[2^10]", "64x[4]"));
}

TEST(OrderOfTuning, KeepsFamiliesOperatorsAndTypesApart) {
  auto items = reduced(
      {Shape::rows(1 << 10, 1 << 10), Shape::columns(1 << 10, 1 << 10), Shape{.count = 1 << 20}});
  const auto others = reduced(
      {Shape::columns(1 << 12, 1 << 8), Shape::rows(1 << 12, 1 << 8), Shape{.count = 1 << 21}});
  items.insert(items.end(), others.begin(), others.end());
  const auto maxima = reduced({Shape::rows(1 << 8, 1 << 12)}, Op::max);
  items.insert(items.begin() + 1, maxima.begin(), maxima.end());
  EXPECT_THAT(shapes_in_order(items, mib),
              ElementsAre("2^12x[256]", "2^10x[2^10]", "256x[2^12]", "[2^10]x2^10", "[2^12]x256",
                          "2^20", "2^21"));
}

std::string ops_in_order(const std::vector<WorkloadItem>& items) {
  std::string ops;
  for (const WorkloadItem& item : in_order_of_tuning(items, mib)) {
    ops += info(item.problem.op).shape == ResultShape::indexed ? 'i' : '-';
  }
  return ops;
}

/// Problems of sum, argmax, argmin, max and min, as many of each as told.
std::vector<WorkloadItem> of_five(const std::vector<int>& counts) {
  std::vector<WorkloadItem> items;
  const std::vector<Op> ops{Op::sum, Op::argmax, Op::argmin, Op::max, Op::min};
  for (std::size_t i = 0; i < ops.size(); ++i) {
    for (int count = 0; count < counts[i]; ++count) {
      items.push_back({make_problem(ops[i], DType::f32, std::int64_t{1} << (10 + count))});
    }
  }
  return items;
}

TEST(OrderOfTuning, DealsOperatorsWithAnIndexAmongThoseBehindThem) {
  EXPECT_EQ(ops_in_order(of_five({3, 2, 1, 3, 3})), "---i--i--i--");
  EXPECT_EQ(ops_in_order(of_five({2, 3, 0, 3, 0})), "--i-i-i-");
  EXPECT_EQ(ops_in_order(of_five({2, 4, 1, 2, 0})), "--i-ii-ii") << "more of them than others";
  EXPECT_EQ(ops_in_order(of_five({2, 3, 0, 0, 0})), "--iii") << "nothing is behind them";
  EXPECT_EQ(ops_in_order(of_five({0, 1, 0, 3, 0})), "i---");
  EXPECT_EQ(ops_in_order(of_five({3, 0, 0, 2, 0})), "-----");
}

TEST(OrderOfTuning, DealsThemInTheirOrderAndWithinTheirFamily) {
  auto items = of_five({0, 2, 0, 2, 0});
  const auto rows = reduced({Shape::rows(1 << 10, 1 << 10), Shape::rows(1 << 12, 1 << 8)}, Op::sum);
  items.insert(items.end(), rows.begin(), rows.end());
  std::vector<std::string> ordered;
  for (const WorkloadItem& item : in_order_of_tuning(items, mib)) {
    ordered.push_back(std::string(to_string(item.problem.op)) + " " + describe_shape(item.problem));
  }
  EXPECT_THAT(ordered, ElementsAre("argmax 2^11", "max 2^11", "argmax 2^10", "max 2^10",
                                   "sum 2^12x[256]", "sum 2^10x[2^10]"));
}

TEST(OrderOfTuning, KeepsThemWhereAnotherFamilyComesBetween) {
  auto items = of_five({0, 1, 0, 1, 0});
  const auto rows = reduced({Shape::rows(1 << 10, 1 << 10)}, Op::sum);
  items.insert(items.begin() + 1, rows.begin(), rows.end());
  std::vector<std::string> ordered;
  for (const WorkloadItem& item : in_order_of_tuning(items, mib)) {
    ordered.emplace_back(to_string(item.problem.op));
  }
  EXPECT_THAT(ordered, ElementsAre("argmax", "sum", "max"));
}

TEST(NextProblem, IsThoughtOfLateWhereThisOneTellsOfIt) {
  const Problem one = make_problem(Op::sum, DType::f32, 1 << 20);
  const double late = share_before_next(one, make_problem(Op::sum, DType::f32, 1 << 22));
  EXPECT_GT(late, 0.5);
  for (const Problem& other :
       {make_problem(Op::max, DType::f32, 1 << 20), make_problem(Op::sum, DType::f16, 1 << 20),
        make_problem(Op::sum, DType::f32, 1 << 20, CacheMode::warm),
        make_problem(Op::sum, DType::f32, Shape::rows(1 << 10, 1 << 10))}) {
    EXPECT_LT(share_before_next(one, other), late) << describe(other);
    EXPECT_GT(share_before_next(one, other), 0) << describe(other);
  }
}

TEST(OrderOfTuning, KeepsBudgetsAndDoesNotTellClassesApartByThem) {
  std::vector<WorkloadItem> items = sums({1, 2, 3});
  items[1].budget = "10s";
  const auto ordered = in_order_of_tuning(items, mib);
  EXPECT_TRUE(std::ranges::is_permutation(ordered, items));
  EXPECT_EQ(ordered.at(1).budget, "10s");
}

}  // namespace
}  // namespace redtune::tuner
