// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How many elements rows of sparse matrices have: that they are all elements, the same each time,
// and spread as their kind is.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

#include "bench/compare/degrees.hpp"
#include "bench/compare/segments.hpp"

namespace redtune::compare {
namespace {

using Lengths = std::vector<std::int64_t>;

Lengths lengths_of(Degrees degrees, const Shape& shape) {
  const auto offsets = offsets_of_degrees(degrees, shape);
  Lengths lengths;
  for (std::size_t i = 1; i < offsets.size(); ++i) lengths.push_back(offsets[i] - offsets[i - 1]);
  return lengths;
}

/// As many elements as is usual, or eight for each.
Shape usual_shape(Degrees degrees, std::int64_t rows) {
  return Shape::segments(usual_elements(degrees, rows).value_or(8 * rows), rows, 64);
}

Lengths sorted_lengths(Degrees degrees, std::int64_t rows) {
  Lengths lengths = lengths_of(degrees, usual_shape(degrees, rows));
  std::ranges::sort(lengths);
  return lengths;
}

TEST(Degrees, ShareAllElementsOutTheSameEachTime) {
  for (const Degrees degrees : all_degrees()) {
    for (const std::int64_t rows : {0, 1, 2, 3, 7, 64, 1000, 1023, 4097}) {
      for (const std::int64_t elements : {usual_shape(degrees, rows).count, std::int64_t{0},
                                          std::int64_t{5}, std::int64_t{1} << 40}) {
        const Shape shape = Shape::segments(elements, rows, 64);
        const auto offsets = offsets_of_degrees(degrees, shape);
        ASSERT_EQ(offsets.size(), static_cast<std::size_t>(rows) + 1);
        EXPECT_EQ(offsets.front(), 0);
        EXPECT_EQ(offsets.back(), rows == 0 ? 0 : elements) << to_string(degrees) << ' ' << rows;
        EXPECT_TRUE(std::ranges::is_sorted(offsets)) << to_string(degrees) << ' ' << rows;
        EXPECT_EQ(offsets_of_degrees(degrees, shape), offsets) << to_string(degrees);
      }
    }
  }
}

/// The same sums of a row's number times its elements stand in compare_torch_test.py.
TEST(Degrees, AreThoseOfTheScriptBeside) {
  const std::pair<Degrees, std::int64_t> sums[] = {{Degrees::equal, 4004000},
                                                   {Degrees::rmat, 8309031},
                                                   {Degrees::mesh, 2437692},
                                                   {Degrees::lognormal, 74198311},
                                                   {Degrees::half_empty, 3949365}};
  for (const auto& [degrees, expected] : sums) {
    std::int64_t sum = 0;
    std::int64_t number = 0;
    for (const std::int64_t length : lengths_of(degrees, usual_shape(degrees, 1000))) {
      sum += ++number * length;
    }
    EXPECT_EQ(sum, expected) << to_string(degrees);
  }
}

TEST(Degrees, OfEqualRowsDifferNowhere) {
  EXPECT_EQ(lengths_of(Degrees::equal, Shape::segments(3000, 1000)), Lengths(1000, 3));
  const Lengths others = lengths_of(Degrees::equal, Shape::segments(3500, 1000));
  EXPECT_EQ(std::ranges::count(others, 3), 500);
  EXPECT_EQ(std::ranges::count(others, 4), 500);
  EXPECT_EQ(rows_beside(Shape::segments(3000, 1000), Degrees::equal), Shape::rows(1000, 3));
  EXPECT_FALSE(rows_beside(Shape::segments(3500, 1000), Degrees::equal));
  EXPECT_FALSE(rows_beside(Shape::segments(3000, 1), Degrees::equal)) << "a whole array";
  EXPECT_FALSE(rows_beside(Shape::segments(3000, 1000), Degrees::mesh));
  EXPECT_FALSE(rows_beside(Shape::segments(3000, 1000), {}));
}

/// A grid of 64 x 64: corners, borders and what is between.
TEST(Degrees, OfAMeshAreThoseOfFiveNeighbours) {
  const Shape shape = usual_shape(Degrees::mesh, 4096);
  EXPECT_EQ(shape.count, 5 * 4096 - 4 * 64);
  const Lengths lengths = lengths_of(Degrees::mesh, shape);
  EXPECT_EQ(std::ranges::count(lengths, 3), 4);
  EXPECT_EQ(std::ranges::count(lengths, 4), 4 * 62);
  EXPECT_EQ(std::ranges::count(lengths, 5), 62 * 62);
  EXPECT_EQ((Lengths{lengths[0], lengths[1], lengths[64], lengths[65]}), (Lengths{3, 4, 4, 5}));
  // A line that is not whole: three points above two.
  EXPECT_EQ(lengths_of(Degrees::mesh, usual_shape(Degrees::mesh, 5)), (Lengths{3, 4, 2, 3, 3}));
}

/// Few vertices have most of the edges, and many have none.
TEST(Degrees, OfAnRmatFollowItsPowerLaw) {
  constexpr std::int64_t rows = 1 << 16;
  const Lengths lengths = sorted_lengths(Degrees::rmat, rows);
  EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}), 16 * rows);
  const double none = static_cast<double>(std::ranges::count(lengths, 0)) / rows;
  EXPECT_GT(none, 0.3);
  EXPECT_LT(none, 0.5);
  // The vertex of zeros alone: 0.76 of the edges for each of 16 bits.
  EXPECT_NEAR(static_cast<double>(lengths.back()), 16.0 * rows * std::pow(0.76, 16), 600);
  const std::int64_t of_few =
      std::accumulate(lengths.end() - rows / 100, lengths.end(), std::int64_t{0});
  EXPECT_GT(of_few, 16 * rows / 3) << "a hundredth of the vertices has a third of the edges";
}

TEST(Degrees, OfRatingsAreLognormal) {
  constexpr std::int64_t rows = 1 << 16;
  const Lengths lengths = sorted_lengths(Degrees::lognormal, rows);
  EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}), 144 * rows);
  const auto log_at = [&](double part) {
    return std::log(static_cast<double>(lengths[static_cast<std::size_t>(part * rows)]));
  };
  EXPECT_NEAR(log_at(0.5), std::log(144) - 1.2 * 1.2 / 2, 0.03);
  EXPECT_NEAR(log_at(0.8413) - log_at(0.5), 1.2, 0.04) << "one deviation";
  EXPECT_NEAR(log_at(0.9772) - log_at(0.5), 2.4, 0.06) << "two";
}

TEST(Degrees, OfHalfEmptyRowsLeaveHalfOut) {
  constexpr std::int64_t rows = 4096;
  const Lengths lengths = lengths_of(Degrees::half_empty, Shape::segments(100 * rows, rows));
  EXPECT_EQ(std::ranges::count(lengths, 0), rows / 2);
  EXPECT_GE(*std::ranges::min_element(lengths, {}, [](auto n) { return n == 0 ? 1000 : n; }), 98);
  EXPECT_LE(std::ranges::max(lengths), 305);
  std::size_t alike = 0;  // neighbours
  for (std::size_t i = 1; i < lengths.size(); ++i) {
    alike += (lengths[i] == 0) == (lengths[i - 1] == 0);
  }
  EXPECT_GT(alike, 1024U) << "not every other";
  EXPECT_LT(alike, 3072U);
}

TEST(Degrees, LieInMemoryInThePlaceOfTheTunersOffsets) {
  const Shape shape = Shape::segments(3000, 1000);
  const auto bytes = offsets_in_memory(shape, Degrees::equal);
  ASSERT_EQ(bytes.size(), 4004U);
  std::int32_t third = 0;
  std::memcpy(&third, &bytes[12], 4);
  EXPECT_EQ(third, 9);
  EXPECT_NE(offsets_in_memory(shape, {}), bytes);
}

TEST(Degrees, GiveEachElementTheKeyOfItsSegment) {
  const Shape shape = Shape::segments(1000, 100);
  const Keys keys = keys_in_memory(shape, Degrees::half_empty);
  std::vector<std::int32_t> of_elements(1000);
  ASSERT_EQ(keys.bytes.size(), 4 * of_elements.size());
  std::memcpy(of_elements.data(), keys.bytes.data(), keys.bytes.size());
  std::vector<std::int32_t> expected;
  std::int64_t groups = 0;
  const Lengths lengths = lengths_of(Degrees::half_empty, shape);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    groups += lengths[i] > 0 ? 1 : 0;
    expected.insert(expected.end(), static_cast<std::size_t>(lengths[i]),
                    static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(of_elements, expected);
  EXPECT_EQ(keys.groups, groups);
  EXPECT_EQ(keys.groups, 50);
}

}  // namespace
}  // namespace redtune::compare
