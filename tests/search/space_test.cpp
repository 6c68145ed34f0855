// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Points and spaces: order, rank, look-up, neighbours, bounds.
#include "search/space.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <unordered_set>
#include <vector>

#include "redtune/error.hpp"
#include "search/point.hpp"

namespace redtune::search {
namespace {

static_assert(std::regular<Point> && std::totally_ordered<Point>);
static_assert(std::is_trivially_copyable_v<Point> && sizeof(Point) <= 40);

bool sum_is_even(const Point& point) {
  std::size_t sum = 0;
  for (const auto index : point.indices()) sum += index;
  return sum % 2 == 0;
}

Space even_space() {
  return Space({{"a", 3}, {"b", 4, AxisKind::categorical}}, sum_is_even);
}

TEST(Point, ComparesLexicographically) {
  EXPECT_EQ((Point{1, 2}), (Point{1, 2}));
  EXPECT_LT((Point{0, 9}), (Point{1, 0}));
  EXPECT_LT((Point{1, 2}), (Point{1, 3}));
  EXPECT_NE((Point{1}), (Point{1, 0}));
}

TEST(Point, HashesDifferentPointsApart) {
  std::unordered_set<std::size_t> hashes;
  for (std::size_t a = 0; a < 32; ++a) {
    for (std::size_t b = 0; b < 32; ++b) hashes.insert(std::hash<Point>{}({a, b}));
  }
  EXPECT_GT(hashes.size(), 1000U);
  EXPECT_NE(std::hash<Point>{}({0}), std::hash<Point>{}({0, 0}));
}

TEST(Point, ChangesOneAxisOfACopy) {
  const Point point{1, 2, 3};
  EXPECT_EQ(point.with(1, 7), (Point{1, 7, 3}));
  EXPECT_EQ(point, (Point{1, 2, 3}));
}

TEST(Point, IsMadeFromAnyRowOfIndicesUpToSixteen) {
  const std::vector<std::size_t> indices{4, 0, 65535};
  EXPECT_EQ(Point(indices), (Point{4, 0, 65535}));
  EXPECT_EQ(Point::of_size(3), (Point{0, 0, 0}));
  EXPECT_THROW((void)Point(std::vector<std::size_t>(17)), Error);
}

TEST(Space, HoldsTheSameWhenAPrefixTellsWhereNothingIsValid) {
  const std::vector<Axis> axes{{"a", 5}, {"b", 4}, {"c", 3}, {"d", 2}};
  int asked = 0;
  const auto valid = [&](const Point& point) {
    ++asked;
    return point[0] != 2 && point[1] % 2 == 1 && point[2] + point[3] != 2;
  };
  const Space whole(axes, valid);
  EXPECT_EQ(std::exchange(asked, 0), 120);
  const auto may_hold = [](const Point& point) {
    EXPECT_EQ(point[2], 0U);
    EXPECT_EQ(point[3], 0U);
    return point[0] != 2 && point[1] % 2 == 1;
  };
  int asked_first = 0;
  const auto may_begin = [&](const Point& point) {
    ++asked_first;
    EXPECT_EQ(point[1], 0U);
    return point[0] != 2;
  };
  const Space same(axes, valid, {}, {{1, may_begin}, {2, may_hold}});
  EXPECT_EQ(asked_first, 5);
  EXPECT_EQ(asked, 4 * 2 * 6);
  ASSERT_EQ(same.size(), whole.size());
  for (std::size_t rank = 0; rank < whole.size(); ++rank) EXPECT_EQ(same[rank], whole[rank]);
}

TEST(Space, ListsValidPointsInLexicographicOrder) {
  const Space space = even_space();
  const std::vector<Point> expected{{0, 0}, {0, 2}, {1, 1}, {1, 3}, {2, 0}, {2, 2}};
  ASSERT_EQ(space.size(), expected.size());
  EXPECT_TRUE(std::ranges::equal(space.points(), expected));
}

TEST(Space, AcceptsEveryCombinationWithoutAPredicate) {
  EXPECT_EQ(Space({{"a", 3}, {"b", 4}}).size(), 12U);
}

TEST(Space, RanksEveryPointAtItsPlace) {
  const Space space = even_space();
  for (std::size_t rank = 0; rank < space.size(); ++rank) {
    EXPECT_EQ(space.rank(space[rank]), rank);
    EXPECT_TRUE(space.contains(space[rank]));
  }
}

TEST(Space, KnowsNoPointThatIsInvalidOrDoesNotFitItsAxes) {
  const Space space = even_space();
  for (const Point& stranger : {Point{0, 1}, Point{3, 1}, Point{0, 4}, Point{0}, Point{0, 0, 0}}) {
    EXPECT_FALSE(space.rank(stranger).has_value());
    EXPECT_FALSE(space.contains(stranger));
  }
}

TEST(Space, CallsThePredicateWithPointsInsideTheAxesOnly) {
  const Space space({{"a", 2}, {"b", 3}}, [](const Point& point) {
    EXPECT_EQ(point.size(), 2U);
    EXPECT_LT(point[0], 2U);
    EXPECT_LT(point[1], 3U);
    return true;
  });
  EXPECT_EQ(space.size(), 6U);
}

TEST(Space, HammingNeighboursDifferInExactlyOneAxisAndAreValid) {
  const Space space({{"a", 4}, {"b", 5}, {"c", 2}}, sum_is_even);
  for (const Point& point : space.points()) {
    std::vector<Point> expected;
    for (const Point& other : space.points()) {
      int differing = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) differing += point[axis] != other[axis];
      if (differing == 1) expected.push_back(other);
    }
    auto found = space.neighbours(point, Neighbourhood::hamming);
    std::ranges::sort(found);
    EXPECT_EQ(found, expected);
  }
}

TEST(Space, AdjacentNeighboursStepOrderedAxesByOneAndCategoricalOnesAnywhere) {
  const Space space({{"a", 5}, {"b", 4, AxisKind::categorical}});
  EXPECT_EQ(space.neighbours({2, 0}, Neighbourhood::adjacent),
            (std::vector<Point>{{1, 0}, {3, 0}, {2, 1}, {2, 2}, {2, 3}}));
  EXPECT_EQ(space.neighbours({0, 3}, Neighbourhood::adjacent),
            (std::vector<Point>{{1, 3}, {0, 0}, {0, 1}, {0, 2}}));
}

TEST(Space, AnInvalidPointHasNeighboursButAStrangerHasNone) {
  const Space space = even_space();
  EXPECT_EQ(space.neighbours({0, 1}, Neighbourhood::hamming),
            (std::vector<Point>{{1, 1}, {0, 0}, {0, 2}}));
  EXPECT_TRUE(space.neighbours({0, 9}, Neighbourhood::hamming).empty());
  EXPECT_TRUE(space.neighbours({0}, Neighbourhood::hamming).empty());
}

TEST(Space, IsEmptyWhenNothingIsValidOrAnAxisHasNoValue) {
  EXPECT_TRUE(Space({{"a", 3}}, [](const Point&) { return false; }).empty());
  const Space no_value({{"a", 3}, {"b", 0}});
  EXPECT_TRUE(no_value.empty());
  EXPECT_FALSE(no_value.contains({0, 0}));
}

TEST(Space, HasOnePointWithoutAxes) {
  const Space space({});
  ASSERT_EQ(space.size(), 1U);
  EXPECT_EQ(space[0], Point{});
  EXPECT_TRUE(space.neighbours({}, Neighbourhood::hamming).empty());
}

TEST(Space, TakesTheFullRangeOfSixteenAxesAndSixteenBitIndices) {
  std::vector<Axis> axes(16, Axis{"one", 1});
  axes.back() = {"many", Point::most_values};
  const Space space(axes);
  ASSERT_EQ(space.size(), Point::most_values);
  EXPECT_EQ(space[65535][15], 65535U);
  EXPECT_EQ(space.rank(space[65535]), 65535U);
}

TEST(Space, RefusesMoreThanItCanHold) {
  EXPECT_THROW(Space(std::vector<Axis>(17, Axis{"a", 1})), Error);
  EXPECT_THROW(Space({{"a", Point::most_values + 1}}), Error);
  EXPECT_THROW(Space({{"a", 65536}, {"b", 65536}}), Error);            // combinations
  EXPECT_THROW(Space(std::vector<Axis>(5, Axis{"a", 65536})), Error);  // 64-bit overflow
  EXPECT_THROW(Space({{"a", 8192}, {"b", 4096}}), Error);              // valid points
}

TEST(Space, RefusesValuesThatAreNotOneForEachIndex) {
  EXPECT_THROW(Space({{"a", 3, AxisKind::ordered, {1, 2}}}), Error);
  EXPECT_EQ(Space({{"a", 2, AxisKind::ordered, {1, 2}}}).size(), 2U);
}

TEST(Space, SaysWhichAxisIsTooLong) {
  try {
    const Space space({{"block_size", 70000}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "axis 'block_size' has 70000 values; at most 65536 are possible");
  }
}

TEST(Space, OfPointsHoldsExactlyThesePointsOnce) {
  const std::vector<Point> points{{2, 1}, {0, 3}, {2, 1}, {1, 0}};
  const Space space = Space::of_points({{"a", 3}, {"b", 4}}, points);
  EXPECT_TRUE(std::ranges::equal(space.points(), std::vector<Point>{{0, 3}, {1, 0}, {2, 1}}));
}

TEST(Space, OfPointsNeedNotTryEveryCombination) {
  const Point far{65535, 65535, 65535};
  const Space space = Space::of_points({{"a", 65536}, {"b", 65536}, {"c", 65536}}, {&far, 1});
  ASSERT_EQ(space.size(), 1U);
  EXPECT_EQ(space[0], far);
}

TEST(Space, OfPointsRefusesAPointThatDoesNotFitItsAxes) {
  const Point outside{0, 4};
  EXPECT_THROW((void)Space::of_points({{"a", 3}, {"b", 4}}, {&outside, 1}), Error);
}

TEST(Space, KeepsProductsOfItsAxesAndRefusesOthers) {
  const std::vector<Axis> axes{{"threads", 2, AxisKind::ordered, {32, 64}},
                               {"items", 2, AxisKind::ordered, {1, 2}},
                               {"per unit", 2, AxisKind::ordered, {0, 1}},
                               {"places", 2},
                               {"words", 2, AxisKind::categorical, {1, 2}}};
  const std::vector<Product> good{{0, 1}};
  EXPECT_EQ(Space(axes, {}, good).products().front(), good.front());
  const std::vector<Point> points{{0, 0, 0, 0, 0}};
  EXPECT_EQ(Space::of_points(axes, points, good).products().front(), good.front());
  EXPECT_TRUE(Space(axes).products().empty());
  for (const Product& bad : {Product{0, 0}, {0, 2}, {3, 0}, {0, 4}, {0, 5}, {9, 0}}) {
    EXPECT_THROW(Space(axes, {}, {bad}), Error) << bad.one << " and " << bad.other;
    EXPECT_THROW((void)Space::of_points(axes, points, {bad}), Error);
  }
}

}  // namespace
}  // namespace redtune::search
