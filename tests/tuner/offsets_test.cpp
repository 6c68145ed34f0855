// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where the segments of generated inputs are, and what their results have to be.
#include "tuner/verify/offsets.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

#include "tests/tuner/problems.hpp"
#include "tuner/verify/adversary.hpp"
#include "tuner/verify/oracle.hpp"

namespace redtune::tuner {
namespace {

std::vector<std::int64_t> lengths_of(const Shape& shape) {
  const std::vector<std::int64_t> offsets = segment_offsets(shape);
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    lengths.push_back(offsets[i + 1] - offsets[i]);
  }
  return lengths;
}

TEST(Offsets, ShareAllElementsOut) {
  for (const Skew skew : {Skew::uniform, Skew::zipf, Skew::giant}) {
    for (const std::int64_t count : {0, 1, 7, 1000, 100'000}) {
      for (const std::int64_t segments : {0, 1, 2, 3, 64, 1001}) {
        const Shape shape = Shape::segments(count, segments, 32, skew);
        const std::vector<std::int64_t> offsets = segment_offsets(shape);
        ASSERT_EQ(offsets.size(), static_cast<std::size_t>(segments) + 1);
        EXPECT_EQ(offsets.front(), 0);
        EXPECT_EQ(offsets.back(), segments == 0 ? 0 : count) << describe_shape(shape);
        EXPECT_TRUE(std::ranges::is_sorted(offsets)) << describe_shape(shape);
        EXPECT_EQ(segment_offsets(shape), offsets) << "the same each time";
      }
    }
  }
  EXPECT_TRUE(segment_offsets(Shape::rows(3, 4)).empty());
}

TEST(Offsets, AreSpreadAsTheyAreSaidToBe) {
  const auto uniform = lengths_of(Shape::segments(64'000, 1000));
  EXPECT_GE(std::ranges::min(uniform), 31);
  EXPECT_LE(std::ranges::max(uniform), 98);
  EXPECT_GT(std::ranges::max(uniform), 80);
  auto zipf = lengths_of(Shape::segments(1'000'000, 1000, 32, Skew::zipf));
  EXPECT_FALSE(std::ranges::is_sorted(zipf, std::greater()));
  std::ranges::sort(zipf, std::greater());
  for (const std::size_t rank : {2, 3, 10, 100}) {
    EXPECT_NEAR(static_cast<double>(zipf[rank - 1] * static_cast<std::int64_t>(rank)),
                static_cast<double>(zipf[0]), 0.01 * static_cast<double>(zipf[0]))
        << rank;
  }
  const auto giant = lengths_of(Shape::segments(64'000, 1000, 32, Skew::giant));
  EXPECT_EQ(giant[500], 32'000);
  EXPECT_LT(*std::ranges::max_element(giant.begin(), giant.begin() + 500), 50);
}

TEST(Offsets, LieInMemoryAsWideAsTheyAre) {
  const std::vector<std::int64_t> offsets{0, 5, 1 << 30};
  const auto narrow = packed_offsets(offsets, Shape::segments(1 << 30, 2));
  const auto wide = packed_offsets(offsets, Shape::segments(1 << 30, 2, 64));
  ASSERT_EQ(narrow.size(), 12U);
  ASSERT_EQ(wide.size(), 24U);
  std::int32_t last = 0;
  std::memcpy(&last, &narrow[8], 4);
  EXPECT_EQ(last, 1 << 30);
  EXPECT_EQ(std::memcmp(wide.data(), offsets.data(), 24), 0);
}

/// Right results are right, and each that is off by one is not.
TEST(OracleOfSegments, KnowsEachResult) {
  for (const Skew skew : {Skew::uniform, Skew::giant}) {
    const Shape shape = Shape::segments(90'000, 700, 32, skew);
    const Problem problem = make_problem(Op::sum, DType::i32, shape);
    const std::vector<std::int64_t> offsets = segment_offsets(shape);
    std::vector<std::int32_t> in(90'000);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i * 7 % 1009);
    std::vector<std::int64_t> sums(700, 0);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sums[i] += in[static_cast<std::size_t>(k)];
    }
    const auto expected = host_oracle(problem)->of_elements({shape, in.data(), offsets},
                                                            std::as_bytes(std::span(in)));
    EXPECT_EQ(expected->why_wrong(sums.data(), 1), "");
    for (const std::size_t wrong : {0, 1, 349, 350, 351, 699}) {
      ++sums[wrong];
      EXPECT_NE(expected->why_wrong(sums.data(), 1).find(std::to_string(wrong) + " of 700"),
                std::string::npos);
      --sums[wrong];
    }
  }
}

TEST(Adversaries, StandInEachSegment) {
  const Problem problem =
      make_problem(Op::any, DType::u8, Shape::segments(500, 30, 32, Skew::zipf));
  const std::vector<std::int64_t> offsets = segment_offsets(problem);
  for (const Place place : {Place::head, Place::middle, Place::tail}) {
    const auto bytes = adversarial_input(problem, {Trick::one_nonzero, place});
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      if (offsets[i] == offsets[i + 1]) continue;
      const auto segment =
          std::span(bytes).subspan(static_cast<std::size_t>(offsets[i]),
                                   static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
      EXPECT_EQ(std::ranges::count(segment, std::byte{1}), 1) << i;
      const std::size_t at = place == Place::head     ? 0
                             : place == Place::middle ? segment.size() / 2
                                                      : segment.size() - 1;
      EXPECT_EQ(segment[at], std::byte{1}) << i;
    }
  }
}

}  // namespace
}  // namespace redtune::tuner
