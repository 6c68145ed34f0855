// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the surrogate takes for alike.
#include "search/surrogate/similarity.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace redtune::search {
namespace {

const Space& grid_space() {
  static const Space space({{"a", 11}, {"b", 11}, {"c", 3, AxisKind::categorical}});
  return space;
}

/// A trait of an axis: its places, one for each index.
std::vector<std::vector<float>> places_of(const Axis& axis) {
  std::vector<std::vector<float>> places;
  for (const Trait& trait : traits_of(Space({axis}))) places.push_back(trait.places);
  return places;
}

using PlacesByTrait = std::vector<std::vector<float>>;

TEST(Traits, OfAnAxisAreItsIndices) {
  EXPECT_EQ(places_of({"a", 3}), (PlacesByTrait{{0, 0.5F, 1}}));
  EXPECT_EQ(places_of({"a", 1}), (PlacesByTrait{{0}}));
  EXPECT_EQ(places_of({"a", 3, AxisKind::categorical}), (PlacesByTrait{{0, 1, 2}}));
}

TEST(Traits, StretchOverTheValuesThatValidPointsHave) {
  // A family has work-groups for hosts too, of which no GPU's space has any.
  const Space space({{"a", 4, AxisKind::ordered, {1, 64, 128, 256}}, {"b", 2}},
                    [](const Point& point) { return point[0] > 0; });
  const auto traits = traits_of(space);
  EXPECT_FLOAT_EQ(traits[0].places[1], 0);
  EXPECT_FLOAT_EQ(traits[0].places[2], 0.5F);
  EXPECT_FLOAT_EQ(traits[0].places[3], 1);
  EXPECT_LT(traits[0].places[0], 0) << "beside them, for points of other spaces";
}

TEST(Traits, OfNumbersAreTheirLogarithms) {
  const PlacesByTrait places = places_of({"a", 4, AxisKind::ordered, {1, 2, 4, 16}});
  ASSERT_EQ(places.size(), 1U) << "the order of powers of two says it all";
  const std::vector<float> expected{0, 0.25F, 0.5F, 1};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(places[0][i], expected[i]);
  EXPECT_EQ(places_of({"a", 3, AxisKind::ordered, {-1, 0, 8}}), (PlacesByTrait{{0, 0.5F, 1}}));
  EXPECT_EQ(places_of({"a", 2, AxisKind::ordered, {3, 3}}), (PlacesByTrait{{0, 0}}))
      << "the same twice";
}

TEST(Traits, OfWholeNumbersAreHalvingsAndPowersOfTwoToo) {
  const PlacesByTrait places = places_of({"a", 4, AxisKind::ordered, {32, 48, 56, 128}});
  ASSERT_EQ(places.size(), 3U);
  EXPECT_EQ(places[1], (std::vector<float>{0.5F, 0.25F, 0, 1})) << "5, 4, 3 and 7 times";
  EXPECT_EQ(places[2], (std::vector<float>{1, 0, 0, 1}));
  EXPECT_EQ(places_of({"a", 3, AxisKind::ordered, {12, 20, 24}}).size(), 2U) << "no power of two";
  EXPECT_EQ(places_of({"a", 3, AxisKind::ordered, {1, 3, 5}}).size(), 2U) << "none can be halved";
}

TEST(Traits, OfOtherNumbersAreNoMore) {
  const std::vector<Axis> axes{{"two", 2, AxisKind::ordered, {2, 3}},
                               {"zero", 3, AxisKind::ordered, {0, 2, 3}},
                               {"parts", 3, AxisKind::ordered, {0.5, 2, 3}},
                               {"too large", 3, AxisKind::ordered, {1, 2, 3e30}},
                               {"no number", 3, AxisKind::ordered, {1, 2, std::nan("")}},
                               {"no order", 3, AxisKind::categorical, {1, 2, 3}}};
  for (const Axis& axis : axes) EXPECT_EQ(places_of(axis).size(), 1U) << axis.name;
}

TEST(Traits, OfAProductIsItsLogarithmOverTheValidPoints) {
  const std::vector<Axis> axes{{"threads", 4, AxisKind::ordered, {1, 64, 128, 256}},
                               {"items", 3, AxisKind::ordered, {1, 2, 4}},
                               {"kind", 2, AxisKind::categorical}};
  const auto valid = [](const Point& point) { return point[0] > 0; };
  const auto traits = traits_of(Space(axes, valid, {{0, 1}}));
  ASSERT_EQ(traits.size(), 4U);
  const Trait& product = traits.back();
  EXPECT_FLOAT_EQ(product.of({1, 0, 0}), 0) << "64, the least";
  EXPECT_FLOAT_EQ(product.of({3, 2, 1}), 1) << "1024, the most";
  EXPECT_FLOAT_EQ(product.of({1, 2, 0}), 0.5F);
  EXPECT_FLOAT_EQ(product.of({3, 0, 0}), product.of({1, 2, 1})) << "256 both";
  EXPECT_LT(product.of({0, 0, 0}), 0) << "beside them, for points of other spaces";
  EXPECT_EQ(traits_of(Space(axes, valid)).size(), 3U);
}

TEST(Traits, OfAProductThatIsAlwaysTheSameAreZero) {
  const std::vector<Axis> axes{{"a", 2, AxisKind::ordered, {1, 2}},
                               {"b", 2, AxisKind::ordered, {4, 8}}};
  const auto same = [](const Point& point) { return point[0] + point[1] == 1; };
  const auto traits = traits_of(Space(axes, same, {{0, 1}}));
  EXPECT_FLOAT_EQ(traits.back().of({0, 1}), traits.back().of({1, 0}));
  EXPECT_TRUE(std::isfinite(traits.back().of({0, 1})));
  EXPECT_EQ(traits_of(Space(axes, [](const Point&) { return false; }, {{0, 1}})).size(), 3U);
}

TEST(Similarity, OfTwoPowersOfTwoIsMoreThanOfNearerNumbers) {
  const Space space({{"a", 5, AxisKind::ordered, {32, 48, 64, 96, 128}}});
  const Similarity similarity(space, 1);
  EXPECT_GT(similarity({0}, {2}), similarity({0}, {1}));
  EXPECT_GT(similarity({4}, {2}), similarity({4}, {3}));
}

TEST(Similarity, IsOneForTheSamePointAndFallsWithEveryStep) {
  const Similarity similarity = Similarity(grid_space(), 1).with({0.5, 1, 2});
  const Point point{5, 5, 1};
  EXPECT_EQ(similarity(point, point), 1);
  // One of ten steps over 0.5 is a distance of 0.2: (1 + 0.1)^-2.
  EXPECT_FLOAT_EQ(similarity(point, {6, 5, 1}), 1 / 1.21F);
  EXPECT_EQ(similarity(point, {6, 5, 1}), similarity({6, 5, 1}, point));
  EXPECT_LT(similarity(point, {7, 5, 1}), similarity(point, {6, 5, 1}));
  EXPECT_LT(similarity(point, {6, 5, 1}), similarity(point, {5, 6, 1})) << "a longer axis";
  EXPECT_EQ(similarity(point, {5, 5, 0}), similarity(point, {5, 5, 2})) << "categories";
  EXPECT_FLOAT_EQ(similarity(point, {5, 5, 0}), 1 / (1.25F * 1.25F)) << "1 over 2";
}

TEST(Similarity, IsTheSameForManyAtOnce) {
  const Similarity similarity = Similarity(grid_space(), 1).with({0.5, 1, 2});
  std::vector<Point> all;
  for (const Point point : grid_space().points()) all.push_back(point);
  const Point one{3, 9, 1};
  std::vector<float> similar(all.size());
  similarity(one, similarity.places(all), similar);
  for (std::size_t i = 0; i < similar.size(); ++i) {
    ASSERT_NEAR(similar[i], similarity(one, grid_space()[i]), 1e-6) << i;
  }
}

}  // namespace
}  // namespace redtune::search
