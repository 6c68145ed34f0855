// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The bounds that docs/reference/operators.md states for operators of several values, as they stand
// there, against exact arithmetic: whole numbers whose sums and squares 128 bits hold, and
// exponentials in long double, on rows that are as bad as any.
#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/reduction_checks.hpp"

namespace redtune {
namespace {

__extension__ using Whole = __int128;

/// Configs of one operator, type and array, on the host.
class Kernels {
 public:
  Kernels(Op op, DType type)
      : device_(device::host::make_host_device({.wave_size = 32, .threads = 2})),
        program_(kernels::find_family("reduce"), make_problem(op, type, 1 << 16),
                 device_->limits()) {
    const kernels::Family& family = kernels::find_family("reduce");
    const Problem problem = make_problem(op, type, 1 << 16);
    program_.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                     checks::sample(family, problem, device_->limits(), 2, 4), "native");
    runners_ = program_.load(*device_);
  }

  /// check(result, chain): of each config.
  template <class Result, class T>
  void each(const std::vector<T>& values,
            const std::function<void(const Result&, std::int64_t)>& check) {
    const checks::PlacedInput<T> input(*device_, values, checks::Place::one_behind);
    const auto count = static_cast<std::int64_t>(values.size());
    for (checks::Runner& runner : runners_) {
      check(checks::value_in<Result>(runner.run(input.data(), count)),
            runner.config().longest_chain({.count = count}));
    }
  }

 private:
  std::unique_ptr<device::Device> device_;
  checks::ConfigProgram program_;
  std::vector<checks::Runner> runners_;
};

template <class T>
long double roundoff() {
  return static_cast<long double>(std::numeric_limits<T>::epsilon()) / 2;
}

/// Rows of whole numbers as far from zero as a float holds them: `far`.
template <class T>
std::vector<std::vector<T>> rows_of_whole_numbers(std::int64_t far) {
  const auto made = [](std::int64_t count, auto at) {
    std::vector<T> row;
    for (std::int64_t i = 0; i < count; ++i) row.push_back(static_cast<T>(at(i)));
    return row;
  };
  return {
      made(100'003, [&](std::int64_t i) { return far - i % 3; }),           // a small deviation
      made(100'003, [&](std::int64_t i) { return -far + i % 2; }),          // below zero
      made(30'000, [&](std::int64_t i) { return i == 20'011 ? far : 1; }),  // one far from all
      made(30'000, [&](std::int64_t i) { return i < 29'999 ? far : 1; }),   // all far from one
      made(65'536, [&](std::int64_t i) { return i % 2 == 0 ? far : -far; }),
      made(50'000, [&](std::int64_t i) { return far / 2 + i; }),  // each larger than those before
      made(50'000, [&](std::int64_t i) { return far - i; }),
      made(7, [&](std::int64_t i) { return far - i; }),
      made(1, [&](std::int64_t) { return far; })};
}

/// k = 8 (chain + 4); |S' - S| <= k u S + 32 k u^3 (S + n mean^2), the mean within k u of the mean
/// magnitude; and each the rounding of the result. Of exact S: n times it is a whole number.
template <class T>
void expect_moments_within_bounds(DType type, std::int64_t far) {
  Kernels kernels(Op::mean_variance, type);
  for (const std::vector<T>& row : rows_of_whole_numbers<T>(far)) {
    Whole sum = 0;
    Whole squares = 0;
    Whole magnitudes = 0;
    for (const T x : row) {
      const auto whole = static_cast<Whole>(x);
      sum += whole;
      squares += whole * whole;
      magnitudes += whole < 0 ? -whole : whole;
    }
    const auto n = static_cast<long double>(row.size());
    const auto count = static_cast<Whole>(row.size());
    const long double s = static_cast<long double>(count * squares - sum * sum) / n;
    const long double mean = static_cast<long double>(sum) / n;
    const long double magnitude = static_cast<long double>(magnitudes) / n;
    kernels.each<MeanVariance<T>, T>(row, [&](const MeanVariance<T>& got, std::int64_t chain) {
      const long double u = roundoff<T>();
      const auto k = static_cast<long double>(8 * (chain + 4));
      const long double bound_of_s = k * u * s + 32 * k * u * u * u * (s + n * mean * mean);
      EXPECT_LE(std::fabs(static_cast<long double>(got.variance) - s / n),
                bound_of_s / n + u * s / n)
          << row.size() << " elements, the first " << row.front();
      EXPECT_LE(std::fabs(static_cast<long double>(got.mean) - mean),
                k * u * magnitude + u * std::fabs(mean))
          << row.size() << " elements, the first " << row.front();
    });
  }
}

TEST(JointBounds, HoldForMeanAndVarianceInF32) {
  expect_moments_within_bounds<float>(DType::f32, (1 << 24) - 1);
}

TEST(JointBounds, HoldForMeanAndVarianceInF64) {
  expect_moments_within_bounds<double>(DType::f64, std::int64_t{1} << 46);
}

/// With K = 8 (chain + 2) + 5 log2(n), rounded up: sums within K u of themselves, logarithms within
/// K u absolutely, and the rounding of the result.
template <class T>
void expect_exponentials_within_bounds(DType type) {
  const auto made = [](std::int64_t count, auto at) {
    std::vector<T> row;
    for (std::int64_t i = 0; i < count; ++i) row.push_back(static_cast<T>(at(i)));
    return row;
  };
  const std::vector<std::vector<T>> rows{
      made(30'000, [](auto) { return -std::log(30'000.0); }),  // whose logarithm cancels to nothing
      made(2, [](auto) { return -std::log(2.0); }),
      made(100'003, [](auto i) { return -1e-3 * static_cast<double>(i); }),
      made(100'003, [](auto i) { return 1e-3 * static_cast<double>(i); }),
      made(65'536, [](auto i) { return i % 2 == 0 ? 80.0 : -80.0; }),
      made(30'000, [](auto i) { return -12.5 * static_cast<double>(i == 7 ? 0 : 1); }),
      made(9'999, [](auto i) { return 50 * std::sin(static_cast<double>(i)); }),
      made(1, [](auto) { return -3.25; })};
  Kernels sums(Op::softmax_stats, type);
  Kernels logarithms(Op::logsumexp, type);
  for (const std::vector<T>& row : rows) {
    const auto largest = static_cast<long double>(*std::ranges::max_element(row));
    long double sum = 0;
    for (const T x : row) sum += std::exp(static_cast<long double>(x) - largest);
    const long double logarithm = largest + std::log(sum);
    const long double u = roundoff<T>();
    const auto bound = [&](std::int64_t chain) {
      return (static_cast<long double>(8 * (chain + 2)) +
              5 * std::ceil(std::log2(static_cast<long double>(row.size() + 1)))) *
             u;
    };
    sums.each<SoftmaxStats<T>, T>(row, [&](const SoftmaxStats<T>& got, std::int64_t chain) {
      EXPECT_EQ(static_cast<long double>(got.max), largest);
      EXPECT_LE(std::fabs(static_cast<long double>(got.sum) - sum), (bound(chain) + u) * sum)
          << row.size() << " elements, the first " << row.front();
    });
    logarithms.each<T, T>(row, [&](const T& got, std::int64_t chain) {
      EXPECT_LE(std::fabs(static_cast<long double>(got) - logarithm),
                bound(chain) + u * std::fabs(logarithm))
          << row.size() << " elements, the first " << row.front();
    });
  }
}

TEST(JointBounds, HoldForExponentialsInF32) {
  expect_exponentials_within_bounds<float>(DType::f32);
}

TEST(JointBounds, HoldForExponentialsInF64) {
  expect_exponentials_within_bounds<double>(DType::f64);
}

}  // namespace
}  // namespace redtune
