// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What each operator's right answer is: ties, NaN, zeros of both signs, the ends of types.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "tests/support/special_floats.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::tuner {
namespace {

using checks::inf;
using checks::nan;

/// Why a result for these values is taken as wrong.
template <class Out, class T>
std::string why(Op op, const std::vector<T>& values, Out got, const ProblemChoices& choices = {}) {
  const Problem problem =
      make_problem(op, dtype_of<T>(), static_cast<std::int64_t>(values.size()), choices);
  EXPECT_EQ(result_bytes(problem), sizeof(Out));
  return why_wrong(problem, reference_of(problem, std::as_bytes(std::span(values))), 4, &got);
}

template <class T>
IndexedValue<T> at(T value, std::int64_t index) {
  return {value, index};
}

TEST(ReferenceOfExtremes, NamesTheFirstOfEquals) {
  const std::vector<std::int32_t> ties{5, 2, 9, 2, 9};
  EXPECT_EQ(why(Op::argmin, ties, at(2, 1)), "");
  EXPECT_EQ(why(Op::argmin, ties, at(2, 3)), "expected 2 at 1, got 2 at 3");
  EXPECT_EQ(why(Op::argmax, ties, at(9, 2)), "");
  EXPECT_NE(why(Op::argmax, ties, at(9, 4)), "");
  EXPECT_NE(why(Op::argmax, ties, at(5, 2)), "") << "the index is right, the value not";
}

TEST(ReferenceOfExtremes, TakesZerosOfBothSignsAsEqualAndTheElementAsItIs) {
  const std::vector<float> zeros{1, -0.0F, 0.0F};
  EXPECT_EQ(why(Op::argmin, zeros, at(-0.0F, 1)), "");
  EXPECT_NE(why(Op::argmin, zeros, at(0.0F, 1)), "") << "the element at 1 has a sign";
  EXPECT_NE(why(Op::argmin, zeros, at(-0.0F, 2)), "");
  EXPECT_EQ(why(Op::min, zeros, 0.0F), "") << "either zero may come out";
  EXPECT_EQ(why(Op::min, zeros, -0.0F), "");
}

TEST(ReferenceOfTwoValues, NamesTheOneThatIsWrong) {
  const std::vector<float> numbers{5, -2, 9, 4};
  using Extremes = MinMax<float>;
  EXPECT_EQ(why(Op::min_max, numbers, Extremes{-2, 9}), "");
  EXPECT_EQ(why(Op::min_max, numbers, Extremes{9, -2}), "min: expected -2, got 9");
  EXPECT_EQ(why(Op::min_max, numbers, Extremes{-2, 5}), "max: expected 9, got 5");
  EXPECT_EQ(why(Op::min_max, std::vector<float>{1, nan}, Extremes{nan, nan}), "");
  EXPECT_NE(why(Op::min_max, std::vector<float>{1, nan}, Extremes{1, nan}), "");
  EXPECT_EQ(why(Op::min_max, std::vector<std::uint8_t>{}, MinMax<std::uint8_t>{255, 0}), "");

  using Moments = MeanVariance<float>;
  EXPECT_EQ(why(Op::mean_variance, numbers, Moments{4, 15.5F}), "");
  EXPECT_NE(why(Op::mean_variance, numbers, Moments{4.001F, 15.5F}), "");
  EXPECT_EQ(why(Op::mean_variance, numbers, Moments{4, 15.501F}).find("variance: expected 15.5"),
            0);
  EXPECT_NE(why(Op::mean_variance, numbers, Moments{4, 62 / 3.0F}), "") << "that is the sample's";
  EXPECT_EQ(why(Op::mean_sample_variance, numbers, Moments{4, 62 / 3.0F}), "");
  EXPECT_EQ(why(Op::mean_variance, std::vector<float>{7}, Moments{7, 0}), "");
  EXPECT_EQ(why(Op::mean_sample_variance, std::vector<float>{7}, Moments{7, nan}), "");
  EXPECT_NE(why(Op::mean_sample_variance, std::vector<float>{7}, Moments{7, 0}), "");
  EXPECT_EQ(why(Op::mean_variance, std::vector<float>{1, inf}, Moments{nan, nan}), "");
  EXPECT_NE(why(Op::mean_variance, std::vector<float>{1, inf}, Moments{inf, nan}), "");

  using Stats = SoftmaxStats<float>;
  const std::vector<float> steps{0, std::log(2.0F), -inf};
  EXPECT_EQ(why(Op::softmax_stats, steps, Stats{std::log(2.0F), 1.5F}), "");
  EXPECT_NE(why(Op::softmax_stats, steps, Stats{std::log(2.0F), 1.501F}), "");
  EXPECT_NE(why(Op::softmax_stats, steps, Stats{0, 3}), "") << "as right, and another maximum";
  EXPECT_EQ(why(Op::softmax_stats, std::vector<float>{inf, 0}, Stats{inf, inf}), "");
  EXPECT_EQ(why(Op::softmax_stats, std::vector<float>{-inf}, Stats{-inf, 0}), "");
  EXPECT_EQ(why(Op::logsumexp, steps, std::log(3.0F)), "");
  EXPECT_NE(why(Op::logsumexp, steps, std::log(3.001F)), "");
  EXPECT_EQ(why(Op::logsumexp, std::vector<float>{}, -inf), "");
  EXPECT_NE(why(Op::logsumexp, std::vector<float>{-inf}, 0.0F), "");
}

/// Means of blocks differ by less than what their last place is worth.
TEST(ReferenceOfTwoValues, KnowsAVarianceFarSmallerThanTheMean) {
  std::vector<std::uint32_t> values(4095, std::numeric_limits<std::uint32_t>::max());
  values[0] -= 4;
  const double mean = 4294967295.0 - 4 / 4095.0;
  EXPECT_EQ(why(Op::mean_sample_variance, values, MeanVariance<double>{mean, 16 / 4095.0}), "");
  EXPECT_NE(why(Op::mean_sample_variance, values, MeanVariance<double>{mean, 16 / 4095.0 + 1e-13}),
            "");
}

TEST(ReferenceOfTwoValues, FindsAVarianceThatCancelled) {
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(1e6F + static_cast<float>(i % 4));
  EXPECT_EQ(why(Op::mean_variance, values, MeanVariance<float>{1000001.5F, 1.25F}), "");
  EXPECT_NE(why(Op::mean_variance, values, MeanVariance<float>{1000001.5F, 1.2501F}), "");
}

TEST(ReferenceOfExtremes, LetsTheFirstNaNWin) {
  const std::vector<float> poisoned{3, nan, -7, nan, inf};
  EXPECT_EQ(why(Op::argmin, poisoned, at(nan, 1)), "");
  EXPECT_EQ(why(Op::argmax, poisoned, at(-nan, 1)), "") << "any NaN is as good";
  EXPECT_NE(why(Op::argmax, poisoned, at(nan, 3)), "");
  EXPECT_NE(why(Op::argmax, poisoned, at(inf, 4)), "");
  EXPECT_EQ(why(Op::min, poisoned, nan), "");
  EXPECT_EQ(why(Op::min, poisoned, -7.0F), "expected NaN, got -7");
}

TEST(ReferenceOfExtremes, SkipsNaNWhereItIsAskedTo) {
  const std::vector<float> poisoned{nan, 3, nan, -7, 3};
  EXPECT_EQ(why(Op::min_ignore_nan, poisoned, -7.0F), "");
  EXPECT_EQ(why(Op::max_ignore_nan, poisoned, 3.0F), "");
  EXPECT_NE(why(Op::max_ignore_nan, poisoned, nan), "");
  EXPECT_EQ(why(Op::argmax_ignore_nan, poisoned, at(3.0F, 1)), "");
  EXPECT_NE(why(Op::argmax_ignore_nan, poisoned, at(3.0F, 4)), "");
  EXPECT_EQ(why(Op::argmin_ignore_nan, poisoned, at(-7.0F, 3)), "");
}

TEST(ReferenceOfExtremes, HasNoIndexWhereThereIsNoElement) {
  EXPECT_EQ(why(Op::argmin, std::vector<float>{}, at(inf, -1)), "");
  EXPECT_NE(why(Op::argmin, std::vector<float>{}, at(inf, 0)), "");
  EXPECT_EQ(why(Op::argmax, std::vector<std::uint8_t>{}, at(std::uint8_t{0}, -1)), "");
  const std::vector<float> none{nan, nan};
  EXPECT_EQ(why(Op::argmin_ignore_nan, none, at(inf, -1)), "");
  EXPECT_EQ(why(Op::argmax_ignore_nan, none, at(-inf, -1)), "");
  EXPECT_EQ(why(Op::min_ignore_nan, none, inf), "");
  const std::vector<float> endless{inf, inf};
  EXPECT_EQ(why(Op::argmin, endless, at(inf, 0)), "");
  EXPECT_NE(why(Op::argmin, endless, at(inf, -1)), "") << "infinity is an element like others";
  const std::vector<std::uint8_t> lowest{0, 0};
  EXPECT_EQ(why(Op::argmax, lowest, at(std::uint8_t{0}, 0)), "");
}

TEST(ReferenceOfExtremes, FindsThemInEveryPieceOfALargeInput) {
  std::vector<float> values(std::size_t{4} << 20, 1.0F);
  values[values.size() - 2] = -3;
  values.back() = -3;
  const auto last = static_cast<std::int64_t>(values.size()) - 1;
  EXPECT_EQ(why(Op::argmin, values, at(-3.0F, last - 1)), "");
  EXPECT_EQ(why(Op::argmax, values, at(1.0F, 0)), "");
  values[values.size() / 2 + 5] = nan;
  EXPECT_EQ(why(Op::argmax, values, at(nan, last / 2 + 6)), "");
}

TEST(ReferenceOfExtremes, KnowsTheMagnitudeOfTheLowestInteger) {
  EXPECT_EQ(why(Op::abs_max, std::vector<std::int8_t>{5, -128, 127}, std::uint8_t{128}), "");
  EXPECT_NE(why(Op::abs_max, std::vector<std::int8_t>{5, -128, 127}, std::uint8_t{127}), "");
  const std::vector<std::int64_t> lowest{std::numeric_limits<std::int64_t>::min()};
  EXPECT_EQ(why(Op::abs_max, lowest, std::uint64_t{1} << 63), "");
  EXPECT_EQ(why(Op::abs_max, std::vector<float>{2, -3}, 3.0F), "");
  EXPECT_EQ(why(Op::abs_max, std::vector<float>{2, nan}, nan), "");
  EXPECT_EQ(why(Op::abs_max, std::vector<half>{half(-2.5F), half(1.0F)}, half(2.5F)), "");
  EXPECT_EQ(why(Op::abs_max, std::vector<half>{}, half(0.0F)), "");
}

TEST(ReferenceOfBits, CountsWhatIsNotZero) {
  const std::vector<float> values{0.0F, -0.0F, nan, 1, -2};
  EXPECT_EQ(why(Op::count_nonzero, values, std::int64_t{3}), "");
  EXPECT_NE(why(Op::count_nonzero, values, std::int64_t{4}), "") << "-0.0 is zero";
  EXPECT_EQ(why(Op::any, std::vector<float>{0, -0.0F}, std::uint8_t{0}), "");
  EXPECT_EQ(why(Op::any, std::vector<float>{0, nan}, std::uint8_t{1}), "");
  EXPECT_EQ(why(Op::all, std::vector<float>{1, nan}, std::uint8_t{1}), "");
  EXPECT_EQ(why(Op::all, std::vector<float>{1, -0.0F}, std::uint8_t{0}), "");
  EXPECT_NE(why(Op::any, std::vector<float>{3, 4}, std::uint8_t{2}), "") << "1, not how many";
}

TEST(ReferenceOfBits, OfNothingIsTheIdentity) {
  EXPECT_EQ(why(Op::all, std::vector<float>{}, std::uint8_t{1}), "");
  EXPECT_EQ(why(Op::any, std::vector<float>{}, std::uint8_t{0}), "");
  EXPECT_EQ(why(Op::bit_and, std::vector<std::int16_t>{}, std::int16_t{-1}), "");
  EXPECT_EQ(why(Op::bit_or, std::vector<std::uint16_t>{}, std::uint16_t{0}), "");
  EXPECT_EQ(why(Op::product, std::vector<std::int16_t>{}, std::int64_t{1}), "");
  EXPECT_EQ(why(Op::product, std::vector<float>{}, 1.0F), "");
  EXPECT_EQ(why(Op::l2_norm, std::vector<float>{}, 0.0F), "");
  EXPECT_EQ(why(Op::mean, std::vector<float>{}, nan), "");
  EXPECT_EQ(why(Op::mean, std::vector<float>{}, 0.0F), "expected NaN, got 0");
}

TEST(ReferenceOfBits, CombinesBitByBit) {
  const std::vector<std::uint8_t> values{0b1100, 0b0110, 0b0101};
  EXPECT_EQ(why(Op::bit_and, values, std::uint8_t{0b0100}), "");
  EXPECT_EQ(why(Op::bit_or, values, std::uint8_t{0b1111}), "");
  EXPECT_EQ(why(Op::bit_xor, values, std::uint8_t{0b1111}), "");
  EXPECT_NE(why(Op::bit_xor, values, std::uint8_t{0b0111}), "");
}

TEST(ReferenceOfNarrowOutputs, WrapsIntegersAndRoundsFloatsOnce) {
  const std::vector<std::int32_t> integers{300, -1};
  EXPECT_EQ(why(Op::sum, integers, std::int8_t{43}, {.out = DType::i8}), "");
  const std::vector<float> floats{1.0F, 0x1p-11F};  // half way between two halves
  EXPECT_EQ(why(Op::sum, floats, half(1.0F), {.out = DType::f16}), "");
  EXPECT_EQ(why(Op::sum, floats, half(1.0F + 0x1p-10F), {.out = DType::f16}), "");
  EXPECT_NE(why(Op::sum, floats, half(1.0F + 0x1p-9F), {.out = DType::f16}), "");
  EXPECT_EQ(why(Op::max, std::vector<float>{1.0F, 1.0001F}, half(1.0F), {.out = DType::f16}), "");
  EXPECT_NE(why(Op::max, floats, half(1.0F + 0x1p-10F), {.out = DType::f16}), "");
  const std::vector<half> large(2, half(60000.0F));
  EXPECT_EQ(why(Op::sum, large, half(inf), {.out = DType::f16}), "");
  EXPECT_EQ(why(Op::sum, large, half(65504.0F), {.out = DType::f16}), "expected inf, got 65504");
  EXPECT_EQ(why(Op::sum, large, 120000.0F), "");
}

TEST(ReferenceOfMeans, DividesExactSumsOfIntegers) {
  const std::vector<std::int32_t> values{2, 3, 5};
  const double mean = 10.0 / 3;
  EXPECT_EQ(why(Op::mean, values, mean), "");
  EXPECT_EQ(why(Op::mean, values, mean * (1 + 0x1p-52)), "");
  EXPECT_NE(why(Op::mean, values, mean * (1 + 0x1p-50)), "");
  EXPECT_NE(why(Op::mean, values, 10.0 / 4), "");
  const std::vector<std::int64_t> negative(3, -(std::int64_t{1} << 60) - 1);
  EXPECT_EQ(why(Op::mean, negative, -0x1p60), "");
  EXPECT_NE(why(Op::mean, negative, 0x1p60), "");
  EXPECT_EQ(why(Op::mean, std::vector<float>{1, 2}, 1.5F), "");
  EXPECT_EQ(why(Op::mean, std::vector<half>{half(1.0F), half(2.0F)}, 1.5F), "");
}

TEST(ResultText, SaysTheValueAndWhereItStands) {
  const auto text = [](const Problem& problem, const auto& result) {
    return result_text(problem, &result);
  };
  EXPECT_EQ(text(make_problem(Op::sum, DType::f32, 1), 1.5F), "1.5");
  EXPECT_EQ(text(make_problem(Op::min, DType::f16, 1), half(-0.25F)), "-0.25");
  EXPECT_EQ(text(make_problem(Op::max, DType::i8, 1), std::int8_t{65}), "65");
  EXPECT_EQ(text(make_problem(Op::argmin, DType::f32, 1), at(-2.5F, 7)), "-2.5 at 7");
}

}  // namespace
}  // namespace redtune::tuner
