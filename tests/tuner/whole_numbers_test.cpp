// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Numbers whose sum is exact in any order.
#include "tuner/verify/whole_numbers.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "tuner/verify/input.hpp"

namespace redtune::tuner {
namespace {

/// The largest whole number below which floats have no gaps.
template <class T>
constexpr double gapless = static_cast<double>(std::int64_t{1} << std::numeric_limits<T>::digits);

template <class T>
void expect_exact_in_any_order(DType dtype, std::int64_t count, double least_numbers) {
  const auto bytes = make_whole_numbers(make_problem(Op::sum, dtype, count), 3);
  std::vector<T> values(static_cast<std::size_t>(count));
  ASSERT_EQ(bytes.size(), values.size() * sizeof(T));
  if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
  double magnitudes = 0;
  double numbers = 0;
  double positive = 0;
  for (const T value : values) {
    ASSERT_EQ(value, std::round(value));
    magnitudes += std::fabs(static_cast<double>(value));
    numbers += value != 0 ? 1 : 0;
    positive += value > 0 ? 1 : 0;
  }
  EXPECT_LE(magnitudes, gapless<T>) << count;
  EXPECT_GE(numbers, least_numbers) << count;
  if (numbers > 1000) {
    EXPECT_NEAR(positive / numbers, 0.5, 0.1) << count;
  }
}

TEST(MakeWholeNumbers, AddUpToWhatFloatsHoldExactlyHoweverManyThereAre) {
  for (const std::int64_t count : {0, 1, 1000, 100000}) {
    expect_exact_in_any_order<float>(DType::f32, count, 0.9 * static_cast<double>(count) - 1);
    expect_exact_in_any_order<double>(DType::f64, count, 0.9 * static_cast<double>(count) - 1);
  }
  constexpr std::int64_t most = 1 << 24;
  expect_exact_in_any_order<float>(DType::f32, most / 8 + 1, most / 8.0 - 1);
  expect_exact_in_any_order<float>(DType::f32, most + 3, most / 2.0 - 1);
}

TEST(MakeWholeNumbers, OfIntegersAreAnyNumbers) {
  const Problem problem = make_problem(Op::sum, DType::i32, 1000);
  EXPECT_EQ(make_whole_numbers(problem, 5), make_input(problem, 5));
}

}  // namespace
}  // namespace redtune::tuner
