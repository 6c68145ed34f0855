// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device takes for a result that is certainly near enough is so for the host as well, and it
// is most of what is.
#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "kernel_templates/compare.hip.h"
#include "tests/kernels/operator_cells.hpp"
#include "tuner/verify/adversary.hpp"
#include "tuner/verify/device_comparison.hpp"
#include "tuner/verify/float_format.hpp"

namespace redtune::tuner {
namespace {

/// A type on the host, and in the kernels' text.
template <class Host, class Device>
struct BothTypes {
  using host = Host;
  using device = Device;
};

template <class Visitor>
void visit_float(DType dtype, Visitor&& visitor) {
  if (dtype == DType::f16) visitor(BothTypes<half, f16>{});
  if (dtype == DType::bf16) visitor(BothTypes<bfloat16, bf16>{});
  if (dtype == DType::f32) visitor(BothTypes<float, float>{});
  if (dtype == DType::f64) visitor(BothTypes<double, double>{});
}

/// What is known of one input, and how many additions each of its elements passes; of two values,
/// which is looked at.
struct KnownInput {
  const Problem& problem;
  Reference reference;
  std::int64_t chain;
  std::size_t value;
};

/// As the kernel is called (DeviceComparison::uncertain).
template <class Device, class T>
bool is_certain(const KnownInput& known, T got) {
  static_assert(sizeof(kernels::NearValue) == sizeof(redtune::near_value));
  const Slack slack = slack_of(known.problem, known.chain);
  const Near near = near_of(known.problem, known.reference, known.value);
  return is_near(std::bit_cast<Device>(got), std::bit_cast<redtune::near_value>(near_value(near)),
                 static_cast<double>(slack.per_value), static_cast<double>(slack.per_reach));
}

/// Inputs made to find mistakes, and ordinary ones.
std::vector<Reference> some_references(const Problem& problem) {
  std::vector<Reference> references;
  for (const Adversary& adversary : adversaries_of(problem)) {
    references.push_back(reference_of(problem, adversarial_input(problem, adversary)));
  }
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    references.push_back(reference_of(problem, make_input(problem, seed)));
  }
  return references;
}

/// So many numbers from x.
template <class T>
T moved(const FloatFormat& format, long double x, int steps) {
  const long double near = format.rounded(x);
  const long double far = std::isfinite(near) ? near + steps * format.spacing(near) : near;
  return static_cast<T>(static_cast<double>(format.rounded(far)));
}

/// At both ends of what is acceptable, beyond them, in between; and what is no number.
template <class T>
std::vector<T> numbers_around(const Problem& problem, const Acceptable& right) {
  const FloatFormat format = format_of(problem.out);
  const long double middle = right.low / 2 + right.high / 2;
  const long double half = right.high / 2 - right.low / 2;
  std::vector<long double> wanted{0};
  for (const long double part : {0.0L, 0.02L, 0.5L, 0.99L, 1.0L, 1.01L, 2.0L, 100.0L}) {
    wanted.insert(wanted.end(), {middle + part * half, middle - part * half});
  }
  std::vector<T> numbers;
  for (const long double x : wanted) {
    for (int steps = -2; steps <= 2; ++steps) numbers.push_back(moved<T>(format, x, steps));
  }
  using Limits = std::numeric_limits<double>;
  for (const double x : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    numbers.push_back(static_cast<T>(x));
  }
  return numbers;
}

/// Operators and types whose results round, with accumulators and outputs of choice.
std::vector<Problem> rounded_problems(std::int64_t count) {
  std::vector<Problem> problems;
  constexpr DType inputs[] = {DType::f32, DType::f64, DType::bf16, DType::i64, DType::u8};
  for (const auto& [op, in] : checks::operator_cells()) {
    if (std::ranges::find(inputs, in) == std::end(inputs)) continue;
    for (const DType acc : {DType::f32, DType::f64, DType::i64, DType::u64}) {
      for (const DType out : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
        const ProblemChoices choices{.acc = acc, .out = out};
        try {
          const Problem problem = make_problem(op, in, count, choices);
          if (is_compared_as_near(problem)) problems.push_back(problem);
        } catch (const UsageError&) {
          continue;  // tests/vocabulary knows what may be chosen
        }
      }
    }
  }
  return problems;
}

/// A result that is acceptable.
template <class T>
T right_one(const Problem& problem, const Acceptable& right) {
  using Limits = std::numeric_limits<double>;
  if (right.number) return moved<T>(format_of(problem.out), right.low / 2 + right.high / 2, 0);
  if (right.nan) return static_cast<T>(Limits::quiet_NaN());
  return static_cast<T>(right.plus_infinity ? Limits::infinity() : -Limits::infinity());
}

template <class T, class Device>
void expect_no_certain_mistake(const KnownInput& known) {
  const auto& [problem, reference, chain, value] = known;
  for (const T got : numbers_around<T>(problem, acceptable(problem, reference, chain, value))) {
    if (!is_certain<Device>(known, got)) continue;
    const T other = right_one<T>(problem, acceptable(problem, reference, chain, 1 - value));
    const T results[2] = {value == 0 ? got : other, value == 0 ? other : got};
    ASSERT_EQ(why_wrong(problem, reference, chain, results), "")
        << describe(problem) << ", " << static_cast<double>(got);
  }
}

template <class T, class Device>
void expect_certainty_within(const KnownInput& known) {
  const auto& [problem, reference, chain, value] = known;
  const Acceptable right = acceptable(problem, reference, chain, value);
  const FloatFormat format = format_of(problem.out);
  if (std::isinf(format.rounded(right.high))) return;
  const Near near = near_of(problem, reference, value);
  // What a float does not hold is left to the host: squares of the largest integers; and variances
  // of integers that are nearly alike.
  if (std::isnan(near_value(near).value)) {
    EXPECT_TRUE(near.reach > std::numeric_limits<float>::max() || near.reach > 8 * right.high);
    return;
  }
  for (const long double part : {0.0L, 0.5L, 0.98L, -0.5L, -0.98L}) {
    const long double x = right.low * (0.5L - part / 2) + right.high * (0.5L + part / 2);
    const T got = moved<T>(format, x, 0);
    EXPECT_TRUE(is_certain<Device>(known, got))
        << describe(problem) << ", " << static_cast<double>(got);
  }
}

TEST(NearValue, IsCertainOfNothingThatTheHostRefuses) {
  for (const std::int64_t count : {1, 7, 300}) {
    for (const Problem& problem : rounded_problems(count)) {
      for (const Reference& reference : some_references(problem)) {
        visit_float(problem.out, [&]<class T, class Device>(BothTypes<T, Device>) {
          for (const std::int64_t chain : {1, 5, 100}) {
            for (std::size_t value = 0; value < value_names(problem.op).size(); ++value) {
              expect_no_certain_mistake<T, Device>({problem, reference, chain, value});
            }
          }
        });
      }
    }
  }
}

/// Of the inputs that trials are checked on.
TEST(NearValue, IsCertainOfWhatIsWellWithinTheBounds) {
  for (const std::int64_t count : {2, 7, 300}) {
    for (const Problem& problem : rounded_problems(count)) {
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        visit_float(problem.out, [&]<class T, class Device>(BothTypes<T, Device>) {
          for (std::size_t value = 0; value < value_names(problem.op).size(); ++value) {
            expect_certainty_within<T, Device>(
                {problem, reference_of(problem, make_input(problem, seed)), 5, value});
          }
        });
      }
    }
  }
}

}  // namespace
}  // namespace redtune::tuner
