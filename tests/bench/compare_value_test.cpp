// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

#include "bench/compare/statistics.hpp"
#include "bench/compare/value.hpp"

namespace redtune::compare {
namespace {

template <class T>
Bytes bytes_of(T value) {
  Bytes bytes;
  bytes.fill(std::byte{0xee});  // what lies behind a value is none of it
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

constexpr DTypeInfo type(std::string_view name, DTypeKind kind, std::size_t bytes) {
  return {.dtype = DType::f32, .name = name, .kind = kind, .bytes = bytes, .wide = DType::f32};
}
const DTypeInfo& half_type = info(DType::f16);
const DTypeInfo& brain = info(DType::bf16);
constexpr DTypeInfo narrow = type("i8", DTypeKind::signed_int, 1);
constexpr DTypeInfo narrow_unsigned = type("u8", DTypeKind::unsigned_int, 1);

TEST(CompareValue, ReadsEveryType) {
  EXPECT_EQ(text_of(info(DType::f32), bytes_of(-1.5F)), "-1.5");
  EXPECT_EQ(text_of(info(DType::f64), bytes_of(0x1p40)), "1099511627776");
  EXPECT_EQ(text_of(info(DType::i32), bytes_of(std::int32_t{-7})), "-7");
  EXPECT_EQ(text_of(info(DType::u32), bytes_of(~std::uint32_t{0})), "4294967295");
  EXPECT_EQ(text_of(info(DType::i64), bytes_of(std::int64_t{-1} << 62)), "-4611686018427387904");
  EXPECT_EQ(text_of(info(DType::u64), bytes_of(~std::uint64_t{0})), "18446744073709551615");
  EXPECT_EQ(text_of(narrow, bytes_of(std::int8_t{-63})), "-63");
  EXPECT_EQ(text_of(narrow_unsigned, bytes_of(std::uint8_t{200})), "200");
}

TEST(CompareValue, ReadsHalves) {
  const auto read = [](const DTypeInfo& of, std::uint16_t bits) {
    return text_of(of, bytes_of(bits));
  };
  EXPECT_EQ(read(half_type, 0x3e00), "1.5");
  EXPECT_EQ(read(half_type, 0xc000), "-2");
  EXPECT_EQ(read(half_type, 0x7bff), "65504");                   // the largest
  EXPECT_EQ(read(half_type, 0x0001), "5.9604644775390625e-08");  // the smallest
  EXPECT_EQ(read(half_type, 0x7c00), "inf");
  EXPECT_EQ(read(half_type, 0xffff), "nan");
  EXPECT_EQ(read(brain, 0x3fc0), "1.5");
  EXPECT_EQ(read(brain, 0xc000), "-2");
}

TEST(CompareValue, TakesIntegersExactly) {
  const DTypeInfo& wide = info(DType::i64);
  EXPECT_TRUE(agree(wide, bytes_of(std::int64_t{5}), bytes_of(std::int64_t{5})));
  EXPECT_FALSE(agree(wide, bytes_of(std::int64_t{1} << 62), bytes_of((std::int64_t{1} << 62) + 1)));
  // Only the bytes of the type count.
  Bytes other = bytes_of(std::int8_t{3});
  other[1] = std::byte{1};
  EXPECT_TRUE(agree(narrow, bytes_of(std::int8_t{3}), other));
}

TEST(CompareValue, TakesFloatsToTwoUnitsInTheLastPlace) {
  const DTypeInfo& single = info(DType::f32);
  const auto near_one = [](int units) {
    return bytes_of(1.0F + static_cast<float>(units) * 0x1p-23F);
  };
  EXPECT_TRUE(agree(single, near_one(0), near_one(2)));
  EXPECT_FALSE(agree(single, near_one(0), near_one(3)));
  EXPECT_FALSE(agree(single, bytes_of(1.0F), bytes_of(-1.0F)));
  EXPECT_TRUE(agree(half_type, bytes_of(std::uint16_t{0x3c00}), bytes_of(std::uint16_t{0x3c02})));
  EXPECT_FALSE(agree(half_type, bytes_of(std::uint16_t{0x3c00}), bytes_of(std::uint16_t{0x3c03})));
  EXPECT_TRUE(agree(brain, bytes_of(std::uint16_t{0x3f80}), bytes_of(std::uint16_t{0x3f82})));
  EXPECT_FALSE(agree(brain, bytes_of(std::uint16_t{0x3f80}), bytes_of(std::uint16_t{0x3f83})));
}

TEST(CompareValue, TakesValueAndIndexTogether) {
  const Problem argmin = make_problem(Op::argmin, DType::i8, 1000);
  const auto result = [](std::int8_t value, std::int64_t index, int between) {
    Bytes bytes;
    bytes.fill(static_cast<std::byte>(between));  // what lies between them is nobody's
    std::memcpy(bytes.data(), &value, sizeof value);
    std::memcpy(bytes.data() + 8, &index, sizeof index);
    return bytes;
  };
  EXPECT_EQ(text_of(argmin, result(-63, 5'000'000'000, 0)), "-63 at 5000000000");
  EXPECT_TRUE(agree(argmin, result(-63, 7, 0), result(-63, 7, 0xff)));
  EXPECT_FALSE(agree(argmin, result(-63, 7, 0), result(-63, 8, 0)));
  EXPECT_FALSE(agree(argmin, result(-63, 7, 0), result(-62, 7, 0)));
}

TEST(CompareValue, TakesTheResultsTypeAndNotTheElements) {
  const Problem sum = make_problem(Op::sum, DType::f16, 1000);
  EXPECT_EQ(text_of(sum, bytes_of(1.5F)), "1.5");
  EXPECT_FALSE(agree(sum, bytes_of(1.0F), bytes_of(1.0F + 0x1p-20F)));
  const Problem nonzero = make_problem(Op::count_nonzero, DType::f32, 1000);
  EXPECT_EQ(text_of(nonzero, bytes_of(std::int64_t{1} << 40)), "1099511627776");
  const Problem largest = make_problem(Op::abs_max, DType::i8, 1000);
  EXPECT_EQ(text_of(largest, bytes_of(std::uint8_t{200})), "200");
}

TEST(CompareValue, LetsSumsOfSquaresRound) {
  const Bytes one = bytes_of(1.0F);
  const Bytes above = bytes_of(1.0F + 1000 * 0x1p-23F);
  EXPECT_TRUE(agree(make_problem(Op::sum_of_squares, DType::f32, 1000), one, above));
  EXPECT_FALSE(agree(make_problem(Op::sum, DType::f32, 1000), one, above));
  EXPECT_FALSE(agree(make_problem(Op::sum_of_squares, DType::f32, 1000), one, bytes_of(1.001F)));
  // Integers do not.
  const Problem whole = make_problem(Op::sum_of_squares, DType::i32, 1000);
  EXPECT_FALSE(agree(whole, bytes_of(std::int64_t{5}), bytes_of(std::int64_t{6})));
}

TEST(CompareValue, TellsHowFarResultsMayBeApart) {
  const auto tolerance = [](Op op, DType type) {
    const Tolerance found = tolerance_of(make_problem(op, type, 1000));
    return std::pair(found.units, found.digits);
  };
  EXPECT_EQ(tolerance(Op::sum, DType::f16), std::pair(2.0, 24));
  EXPECT_EQ(tolerance(Op::max, DType::f16), std::pair(2.0, 11));
  EXPECT_EQ(tolerance(Op::max, DType::bf16), std::pair(2.0, 8));
  EXPECT_EQ(tolerance(Op::sum_of_squares, DType::f64), std::pair(1024.0, 53));
}

TEST(CompareValue, TakesNoResultForNoAgreement) {
  const DTypeInfo& single = info(DType::f32);
  EXPECT_FALSE(agree(single, bytes_of(NAN), bytes_of(NAN)));
  EXPECT_FALSE(agree(single, bytes_of(INFINITY), bytes_of(1.0F)));
  EXPECT_TRUE(agree(single, bytes_of(INFINITY), bytes_of(INFINITY)));
  EXPECT_TRUE(agree(single, bytes_of(0.0F), bytes_of(-0.0F)));
}

TEST(CompareStatistics, BoundTheMedianByOrderStatistics) {
  std::vector<double> samples;
  for (int i = 15; i >= 1; --i) samples.push_back(i);
  EXPECT_EQ(median_of(samples), (Interval{4, 8, 12}));  // 96.5 %; 5 to 11 would be 88.2 %
  samples.push_back(16);
  EXPECT_EQ(median_of(samples), (Interval{4, 8.5, 13}));            // 97.9 %
  EXPECT_EQ(median_of({1, 2, 3, 4, 5, 6}), (Interval{1, 3.5, 6}));  // 96.9 %
}

TEST(CompareStatistics, TakeTheWholeRangeOfFewSamples) {
  EXPECT_EQ(median_of({3}), (Interval{3, 3, 3}));
  EXPECT_EQ(median_of({5, 1, 3}), (Interval{1, 3, 5}));
}

TEST(CompareStatistics, PairSamplesOfTheSameRound) {
  // Both become slower from round to round, and the ratio stays.
  const Interval ratio = median_ratio(std::vector<double>{2, 4, 8}, std::vector<double>{1, 2, 4});
  EXPECT_EQ(ratio, (Interval{2, 2, 2}));
}

TEST(CompareStatistics, AverageRatiosGeometrically) {
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{0.5, 2, 8}), 2);
  EXPECT_EQ(geometric_mean({}), 0);
}

}  // namespace
}  // namespace redtune::compare
