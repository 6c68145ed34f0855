// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What operators that find several values promise: of nothing, of one element, of NaN and
// infinities; how near to the exact values they are where others lose all digits.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "tests/kernels/reduction_checks.hpp"
#include "tests/support/special_floats.hpp"

namespace redtune {
namespace {

using checks::inf;
using checks::nan;

/// Blocks of two waves, several of them, each with several tiles.
constexpr const char* in_blocks =
    "finish=last_block block_size=64 items_per_thread=16 vector_width=4 blocks_per_unit=2";

/// Kernels of several operators on f32, compiled together.
class JointOps : public testing::Test {
 protected:
  JointOps() : device_(device::host::make_host_device({.wave_size = 32, .threads = 1})) {
    const kernels::Family& family = kernels::find_family("reduce");
    const Settings settings = parse_settings(in_blocks);
    std::vector<Problem> problems;
    for (const Op op : {Op::min_max, Op::mean_variance, Op::mean_sample_variance, Op::softmax_stats,
                        Op::logsumexp}) {
      problems.push_back(make_problem(op, DType::f32, 1 << 16));
    }
    std::vector<std::string> names;
    for (const Problem& problem : problems) {
      names.push_back(family.name_expressions(settings, problem, 32).front());
    }
    const device::host::HostCompiler compiler(device::host::AlignmentCheck::on);
    auto result = compiler.compile({family.device_text(problems.front()), names, "native"});
    if (auto* failure = std::get_if<device::CompileFailure>(&result)) throw Error(failure->log);
    const auto& program = std::get<device::CompiledProgram>(result);
    const std::shared_ptr<device::Module> module = device_->load(program.binary);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      std::vector<device::Kernel> kernels{module->kernel(program.kernels[i].symbol)};
      runners_.try_emplace(
          problems[i].op, *device_,
          runtime::LoadedConfig({&family, problems[i], settings, device_->limits()}, module,
                                std::move(kernels)));
    }
  }

  template <class Result>
  Result of(Op op, const std::vector<float>& values) {
    const checks::PlacedInput<float> input(*device_, values, checks::Place::one_behind);
    const auto count = static_cast<std::int64_t>(values.size());
    return checks::value_in<Result>(runners_.at(op).run(input.data(), count));
  }
  MinMax<float> extremes(const std::vector<float>& values) {
    return of<MinMax<float>>(Op::min_max, values);
  }
  MeanVariance<float> moments(const std::vector<float>& values) {
    return of<MeanVariance<float>>(Op::mean_variance, values);
  }
  MeanVariance<float> sample(const std::vector<float>& values) {
    return of<MeanVariance<float>>(Op::mean_sample_variance, values);
  }
  SoftmaxStats<float> softmax(const std::vector<float>& values) {
    return of<SoftmaxStats<float>>(Op::softmax_stats, values);
  }
  float logsumexp(const std::vector<float>& values) { return of<float>(Op::logsumexp, values); }

 private:
  std::unique_ptr<device::Device> device_;
  std::map<Op, checks::Runner> runners_;
};

/// 1000 small numbers with one other among them.
std::vector<float> with(float value, std::size_t at = 777) {
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<float>(i % 7));
  values.at(at) = value;
  return values;
}

TEST_F(JointOps, SayWhatNothingComesTo) {
  EXPECT_EQ(extremes({}), (MinMax<float>{inf, -inf}));
  EXPECT_TRUE(std::isnan(moments({}).mean) && std::isnan(moments({}).variance));
  EXPECT_TRUE(std::isnan(sample({}).mean) && std::isnan(sample({}).variance));
  EXPECT_EQ(softmax({}), (SoftmaxStats<float>{-inf, 0}));
  EXPECT_EQ(logsumexp({}), -inf);
}

TEST_F(JointOps, SayWhatOneElementComesTo) {
  for (const float x : {-7.25F, 0.0F, 1e6F, 3.3e38F}) {
    EXPECT_EQ(extremes({x}), (MinMax<float>{x, x}));
    EXPECT_EQ(moments({x}), (MeanVariance<float>{x, 0}));
    EXPECT_EQ(sample({x}).mean, x);
    EXPECT_TRUE(std::isnan(sample({x}).variance)) << "there is no freedom in one element";
    EXPECT_EQ(softmax({x}), (SoftmaxStats<float>{x, 1}));
    EXPECT_EQ(logsumexp({x}), x);
  }
}

TEST_F(JointOps, LetNaNWinWhereverItStands) {
  for (const std::size_t at : {std::size_t{0}, std::size_t{500}, std::size_t{999}}) {
    const std::vector<float> values = with(nan, at);
    EXPECT_TRUE(std::isnan(extremes(values).min) && std::isnan(extremes(values).max)) << at;
    EXPECT_TRUE(std::isnan(moments(values).mean) && std::isnan(moments(values).variance)) << at;
    EXPECT_TRUE(std::isnan(sample(values).mean) && std::isnan(sample(values).variance)) << at;
    EXPECT_TRUE(std::isnan(softmax(values).max) && std::isnan(softmax(values).sum)) << at;
    EXPECT_TRUE(std::isnan(logsumexp(values))) << at;
  }
}

TEST_F(JointOps, SayWhatInfinitiesComeTo) {
  EXPECT_EQ(extremes(with(inf)), (MinMax<float>{0, inf}));
  EXPECT_EQ(softmax(with(inf)), (SoftmaxStats<float>{inf, inf}));
  EXPECT_EQ(logsumexp(with(inf)), inf);
  EXPECT_EQ(logsumexp(with(-inf)), logsumexp(with(-1000))) << "as if it were not there";
  const std::vector<float> all(1000, -inf);
  EXPECT_EQ(softmax(all), (SoftmaxStats<float>{-inf, 0}));
  EXPECT_EQ(logsumexp(all), -inf);
  for (const float x : {inf, -inf}) {
    EXPECT_TRUE(std::isnan(moments(with(x)).mean) && std::isnan(moments(with(x)).variance)) << x;
    EXPECT_TRUE(std::isnan(moments({x}).mean) && std::isnan(moments({x}).variance)) << x;
  }
}

/// Numbers around a mean that few floats are near to, roughly normally distributed.
std::vector<float> around(double mean, double deviation, std::int64_t count) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    double sum = 0;
    for (int k = 0; k < 12; ++k) {
      sum += static_cast<double>(checks::hash_of(12 * i + k) >> 11) * 0x1p-53;
    }
    values.push_back(static_cast<float>(mean + deviation * (sum - 6)));
  }
  return values;
}

TEST_F(JointOps, KeepTheVarianceOfNumbersFarFromZero) {
  for (const double mean : {1e6, -1e6, 1e3, 0.0}) {
    const std::vector<float> values = around(mean, 1, 100'003);
    long double sum = 0;
    for (const float x : values) sum += static_cast<long double>(x);
    const auto count = static_cast<long double>(values.size());
    long double squares = 0;
    for (const float x : values) {
      const long double distance = static_cast<long double>(x) - sum / count;
      squares += distance * distance;
    }
    EXPECT_NEAR(moments(values).variance / static_cast<double>(squares / count), 1, 2e-6) << mean;
    EXPECT_NEAR(sample(values).variance / static_cast<double>(squares / (count - 1)), 1, 2e-6);
    EXPECT_NEAR(moments(values).mean, static_cast<double>(sum / count),
                std::fabs(mean) * 0x1p-24 + 1e-6);
  }
}

TEST_F(JointOps, GiveNoVarianceToWhatIsAlike) {
  for (const float x : {0.1F, 1e6F, 1e-30F, -12345.678F}) {
    const std::vector<float> values(10'007, x);
    EXPECT_EQ(moments(values), (MeanVariance<float>{x, 0}));
  }
}

/// The distance of a float from a number, in the float's last places.
double places_off(float got, long double exact) {
  const float next = std::nextafter(std::fabs(got), std::numeric_limits<float>::infinity());
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) /
                             static_cast<long double>(next - std::fabs(got)));
}

TEST_F(JointOps, TakeLogarithmsOfSumsOfExponentialsWithinTwoPlaces) {
  const auto made = [](auto at, int count = 30'000) {
    std::vector<float> values;
    for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(at(i)));
    return values;
  };
  const std::vector<std::vector<float>> rows{
      made([](int) { return 3.7; }),                             // alike
      made([](int) { return -1e4 / 3; }),                        // whose exponentials vanish
      made([](int) { return 88.9; }),                            // whose exponentials overflow
      made([](int i) { return i == 20'011 ? 16.0 : -0.1; }),     // one large among many small
      made([](int i) { return 0.01 * i; }),                      // each larger than those before
      made([](int i) { return 300 - 0.01 * i; }),                // each smaller
      made([](int i) { return i % 2 == 0 ? 1e30 : -1e30; }),     // as far apart as can be
      made([](int i) { return 1000 + std::sin(i); }),            // far from zero
      made([](int i) { return i == 0 ? -inf : 0x1p-140 * i; }),  // denormal
      // A distance whose product with 1 / ln 2 rounds as badly as any, again and again.
      made([](int i) { return i == 7 ? 0 : -0x1.914d4ap+3; }, 700'000),
  };
  for (const std::vector<float>& row : rows) {
    const long double largest = static_cast<long double>(*std::ranges::max_element(row));
    long double sum = 0;
    for (const float x : row) sum += std::exp(static_cast<long double>(x) - largest);
    EXPECT_LE(places_off(logsumexp(row), largest + std::log(sum)), 2) << row.front();
    const SoftmaxStats<float> stats = softmax(row);
    EXPECT_EQ(stats.max, static_cast<float>(largest));
    EXPECT_NEAR(stats.sum / static_cast<double>(sum), 1, 3e-6) << row.front();
  }
}

}  // namespace
}  // namespace redtune
