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

TEST(OrderOfTuning, KeepsBudgetsAndDoesNotTellClassesApartByThem) {
  std::vector<WorkloadItem> items = sums({1, 2, 3});
  items[1].budget = "10s";
  const auto ordered = in_order_of_tuning(items, mib);
  EXPECT_TRUE(std::ranges::is_permutation(ordered, items));
  EXPECT_EQ(ordered.at(1).budget, "10s");
}

}  // namespace
}  // namespace redtune::tuner
