// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a right answer is: exact where it can be, within the rounding bound where it cannot.
#include "tuner/verify/reference.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "redtune/error.hpp"
#include "tests/support/special_floats.hpp"
#include "tests/tuner/naive.hpp"
#include "tests/tuner/problems.hpp"
#include "tuner/verify/input.hpp"

namespace redtune::tuner {
namespace {

using checks::inf;
using checks::nan;

/// Whether a result for these values is taken as right; chain: the additions it may have lost in.
template <class Out, class T>
bool is_right(Op op, const std::vector<T>& values, Out got, std::int64_t chain = 0) {
  const Problem problem = make_problem(op, dtype_of<T>(), static_cast<std::int64_t>(values.size()));
  EXPECT_EQ(problem.out, dtype_of<Out>());
  return why_wrong(problem, reference_of(problem, std::as_bytes(std::span(values))), chain, &got)
      .empty();
}

/// An input so large that several threads sum it.
TEST(ReferenceTest, OfManyPiecesIsThatOfTheWhole) {
  std::vector<float> values(std::size_t{5} << 20, 0.25F);
  values[3] = -7;
  values.back() = 9;
  const auto count = static_cast<float>(values.size() - 2);
  EXPECT_TRUE(is_right(Op::sum, values, 0.25F * count + 2));
  EXPECT_FALSE(is_right(Op::sum, values, 0.25F * count + 1));
  EXPECT_TRUE(is_right(Op::min, values, -7.0F));
  EXPECT_TRUE(is_right(Op::max, values, 9.0F));
  values[values.size() / 2] = nan;
  EXPECT_TRUE(is_right(Op::max, values, nan));
  EXPECT_FALSE(is_right(Op::max, values, 9.0F));
  std::vector<std::int32_t> integers(std::size_t{3} << 20, -5);
  integers.back() = -6;
  EXPECT_TRUE(is_right(Op::min, integers, std::int32_t{-6}));
  EXPECT_TRUE(is_right(Op::max, integers, std::int32_t{-5}));
  EXPECT_TRUE(is_right(Op::sum, integers, std::int64_t{-5} * (3 << 20) - 1));
}

/// Accepts the naive result, and refuses it with a high bit changed.
void expect_judged_well(const Problem& problem) {
  const auto data = make_input(problem, 11);
  auto got = naive::result_of(problem, data);
  const Reference reference = reference_of(problem, data);
  const std::int64_t chain = std::max<std::int64_t>(problem.count, 1);
  EXPECT_EQ(why_wrong(problem, reference, chain, got.data()), "") << describe(problem);
  got[size_of(problem.out) - 1] ^= std::byte{0x40};  // of the exponent, or of the integer
  EXPECT_NE(why_wrong(problem, reference, chain, got.data()), "") << describe(problem);
}

TEST(Reference, AcceptsTheNaiveLoopAndNothingFarFromItForEveryProblem) {
  for (const std::int64_t count : {0, 1, 2, 1000}) {
    for (const Problem& problem : all_problems(count)) expect_judged_well(problem);
  }
  for (const Problem& problem : all_pairs(65537)) expect_judged_well(problem);
}

/// Whether a kernel that leaves out one element is found, for every element of an input.
std::size_t unnoticed(const Problem& problem, std::size_t count) {
  Problem all = problem;
  all.count = static_cast<std::int64_t>(count);
  const auto data = make_input(all, 3);
  const Reference reference = reference_of(all, data);
  const std::size_t element = size_of(problem.in);
  std::size_t missed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto less = data;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(i * element),
               less.begin() + static_cast<std::ptrdiff_t>((i + 1) * element));
    const auto got = naive::result_of(problem, less);
    missed += why_wrong(all, reference, 20, got.data()).empty() ? 1 : 0;
  }
  return missed;
}

TEST(Reference, NoticesOneElementThatIsLeftOutOfSumsAndTheirLike) {
  for (const Problem& problem : all_pairs(0)) {
    const bool is_sum = problem.op == Op::sum || problem.op == Op::product ||
                        problem.op == Op::sum_of_squares || problem.op == Op::bit_xor;
    if (!is_sum) continue;
    // An element may be neutral, or too small to be seen, above all its square.
    EXPECT_LE(unnoticed(problem, 100), problem.op == Op::sum_of_squares ? 60U : 25U)
        << describe(problem);
  }
}

/// The decisive element is where no count and no alignment would put it by chance.
TEST(Reference, IsDecidedByOneElementOfAllAndAny) {
  for (const Op op : {Op::all, Op::any}) {
    for (const DTypeInfo& in : all_dtypes()) {
      const Problem problem = make_problem(op, in.dtype, 0);
      EXPECT_EQ(unnoticed(problem, 50), 49U) << describe(problem);
    }
  }
}

TEST(Reference, OfAGeneratedInputIsThatOfItsElements) {
  for (Problem problem : all_pairs((1 << 16) + 77)) {
    const auto data = make_input(problem, 9);
    const Recipe recipe = recipe_of(problem, 9);
    const std::size_t element = size_of(problem.in);
    const auto expect_same = [&](const Reference& a, const Reference& b) {
      EXPECT_EQ(a.bits, b.bits) << describe(problem);
      EXPECT_EQ(a.value, b.value) << describe(problem);
      EXPECT_EQ(a.index, b.index) << describe(problem);
      EXPECT_EQ(a.count, b.count) << describe(problem);
      EXPECT_EQ(a.grown.value(), b.grown.value()) << describe(problem);
    };
    // In another order, so that the last places of floats may be others.
    const auto expect_near = [&](const Reference& a, const Reference& b) {
      EXPECT_EQ(a.bits, b.bits) << describe(problem);
      EXPECT_EQ(a.second_bits, b.second_bits) << describe(problem);
      EXPECT_EQ(a.index, b.index) << describe(problem);
      EXPECT_EQ(a.second_index, b.second_index) << describe(problem);
      EXPECT_EQ(a.count, b.count) << describe(problem);
      const auto near = [&](long double x, long double y) {
        const bool is_same = x == y || (std::isnan(x) && std::isnan(y));
        return is_same || std::fabs(x - y) <= 1e-15L * (std::fabs(x) + a.positive + a.negative);
      };
      EXPECT_PRED2(near, a.value + a.lost, b.value + b.lost) << describe(problem);
      EXPECT_PRED2(near, a.second, b.second) << describe(problem);
      EXPECT_PRED2(near, a.positive, b.positive) << describe(problem);
      EXPECT_PRED2(near, a.grown.value(), b.grown.value()) << describe(problem);
    };
    expect_same(reference_of(problem, data), reference_of(problem, recipe));
    const Problem all = problem;
    problem.count -= 6;
    const KnownPart part{1, problem.count, reference_of(problem, recipe, 1)};
    expect_near(reference_of(all, recipe), reference_around(all, recipe, 0, part));
    expect_near(reference_of(problem, recipe, 2), reference_around(problem, recipe, 2, part));
    expect_same(reference_of(problem, std::span(data).subspan(element, data.size() - 6 * element)),
                reference_of(problem, recipe, 1));
  }
}

TEST(Reference, LosesNothingOfSumsThatCancelHoweverLongTheyAre) {
  for (const std::size_t count : {4095, 4096, 4097, 3 * 4096 + 5}) {
    // Pairs of huge numbers around small ones: only what is compensated finds the small ones.
    std::vector<float> values(count);
    double small = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto turn = static_cast<int>(i % 3);
      values[i] = turn == 0 ? 3e18F : turn == 1 ? 0.125F * static_cast<float>(i % 7) : -3e18F;
      if (turn == 1) small += static_cast<double>(values[i]);
    }
    const double huge = (count % 3 == 0 ? 0 : 1) * static_cast<double>(3e18F);
    const Problem sum = make_problem(Op::sum, DType::f32, static_cast<std::int64_t>(count));
    const Reference found = reference_of(sum, std::as_bytes(std::span(values)));
    EXPECT_EQ(found.value + found.lost, static_cast<long double>(huge) + small) << count;
    EXPECT_GE(found.positive, found.negative);
    EXPECT_NEAR(static_cast<double>(found.negative / 3e18F), static_cast<double>(count / 3), 1e-6);
    values[count / 2] = inf;
    EXPECT_EQ(reference_of(sum, std::as_bytes(std::span(values))).value, inf);
    values[count / 2 + 1] = -inf;
    EXPECT_TRUE(std::isnan(reference_of(sum, std::as_bytes(std::span(values))).value));
  }
}

TEST(Reference, ThrowsForCustomOperators) {
  const Problem problem = make_problem(CustomOp{.name = "mine", .source = ""}, DType::f32, 0);
  EXPECT_THROW(static_cast<void>(reference_of(problem, std::span<const std::byte>{})), Error);
}

TEST(Reference, ReadsDataAtAnyAlignment) {
  const Problem problem = make_problem(Op::sum, DType::f64, 101);
  const auto data = make_input(problem, 5);
  std::vector<std::byte> shifted(data.size() + 1);
  std::memcpy(&shifted[1], data.data(), data.size());
  EXPECT_EQ(reference_of(problem, std::span(shifted).subspan(1)).value,
            reference_of(problem, data).value);
}

TEST(Reference, WrapsIntegerSumsAsTheHardwareDoes) {
  const std::vector<std::int32_t> small(3, std::numeric_limits<std::int32_t>::max());
  EXPECT_TRUE(is_right(Op::sum, small, 3 * std::int64_t{0x7fffffff})) << "32 bits do not wrap";
  const std::vector<std::int64_t> big(2, std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(is_right(Op::sum, big, std::int64_t{-2}));
  EXPECT_FALSE(is_right(Op::sum, big, std::int64_t{-1}));
  const std::vector<std::uint64_t> all(2, ~std::uint64_t{0});
  EXPECT_TRUE(is_right(Op::sum, all, ~std::uint64_t{0} - 1));
}

TEST(Reference, KnowsSignedFromUnsignedExtremes) {
  EXPECT_TRUE(is_right(Op::min, std::vector<std::int32_t>{1, -1}, std::int32_t{-1}));
  EXPECT_TRUE(is_right(Op::min, std::vector<std::uint32_t>{1, ~0u}, std::uint32_t{1}));
  EXPECT_TRUE(is_right(Op::max, std::vector<std::int64_t>{-5, -7}, std::int64_t{-5}));
  EXPECT_FALSE(is_right(Op::max, std::vector<std::int64_t>{-5, -7}, std::int64_t{-7}));
}

TEST(Reference, RefusesAnErrorJustAboveTheBoundAndAcceptsOneBelow) {
  // 1000 ones: sum |x| = 1000; a chain of 1000 allows 1000 * 1000 * 2^-24 = 0.0596.
  const std::vector<float> ones(1000, 1.0f);
  EXPECT_TRUE(is_right(Op::sum, ones, 1000.0594f, 1000));
  EXPECT_FALSE(is_right(Op::sum, ones, 1000.0599f, 1000));
  EXPECT_TRUE(is_right(Op::sum, ones, 999.9407f, 1000));
  EXPECT_FALSE(is_right(Op::sum, ones, 999.9402f, 1000));
  EXPECT_FALSE(is_right(Op::sum, ones, 999.0f, 1000)) << "an element is missing";
}

TEST(Reference, ScalesTheBoundByTheMagnitudesThatCancel) {
  const std::vector<float> cancelling{1e8f, 3.0f, -1e8f};
  EXPECT_TRUE(is_right(Op::sum, cancelling, 0.0f, 3)) << "lost beside 1e8";
  EXPECT_FALSE(is_right(Op::sum, cancelling, 0.0f, 0)) << "no addition, no error";
}

TEST(Reference, AllowsHalfAnUlpForTheRoundingOfTheResultAlone) {
  const std::vector<float> values{1.0f, 0x1p-24f};  // half way between two floats
  EXPECT_TRUE(is_right(Op::sum, values, 1.0f));
  EXPECT_TRUE(is_right(Op::sum, values, 1.0f + 0x1p-23f));
  EXPECT_FALSE(is_right(Op::sum, values, 1.0f + 0x1p-22f));
}

TEST(Reference, ExpectsNaNWhereThereIsOneAndNowhereElse) {
  for (const Op op : {Op::sum, Op::product, Op::min, Op::max, Op::mean, Op::sum_of_squares,
                      Op::l2_norm, Op::abs_max}) {
    const std::vector<float> poisoned{1, nan, 2};
    EXPECT_TRUE(is_right(op, poisoned, nan)) << to_string(op);
    EXPECT_TRUE(is_right(op, poisoned, -nan)) << to_string(op);
    EXPECT_FALSE(is_right(op, poisoned, 3.0f, 1000)) << to_string(op);
    EXPECT_FALSE(is_right(op, std::vector<float>{1, 2}, nan, 1000)) << to_string(op);
  }
  EXPECT_TRUE(is_right(Op::sum, std::vector<float>{inf, -inf}, nan));
  EXPECT_FALSE(is_right(Op::sum, std::vector<float>{inf, -inf}, inf));
}

TEST(Reference, ExpectsInfinityWhereThereIsOne) {
  const std::vector<float> endless{1, inf, 2};
  EXPECT_TRUE(is_right(Op::sum, endless, inf, 10));
  EXPECT_FALSE(is_right(Op::sum, endless, -inf, 10));
  EXPECT_FALSE(is_right(Op::sum, endless, 3.0f, 10));
  EXPECT_FALSE(is_right(Op::sum, endless, nan, 10));
  EXPECT_TRUE(is_right(Op::min, std::vector<float>{inf, inf}, inf));
  EXPECT_FALSE(is_right(Op::min, std::vector<float>{inf, inf}, 3.4e38f));
  EXPECT_TRUE(is_right(Op::max, std::vector<float>{-inf, -inf}, -inf));
  EXPECT_FALSE(is_right(Op::sum, std::vector<float>{1, 2}, inf, 10));
}

TEST(Reference, ExpectsInfinityWhereTheSumIsTooLargeForItsType) {
  const std::vector<float> huge(4, 3e38f);
  EXPECT_TRUE(is_right(Op::sum, huge, inf, 4));
  EXPECT_FALSE(is_right(Op::sum, huge, 3e38f, 4));
}

TEST(Reference, OfNothingIsTheOperatorsIdentity) {
  EXPECT_TRUE(is_right(Op::sum, std::vector<float>{}, 0.0f));
  EXPECT_TRUE(is_right(Op::min, std::vector<float>{}, inf));
  EXPECT_TRUE(is_right(Op::max, std::vector<float>{}, -inf));
  EXPECT_FALSE(is_right(Op::max, std::vector<float>{}, 0.0f));
  EXPECT_TRUE(is_right(Op::min, std::vector<std::uint32_t>{}, ~0u));
  EXPECT_TRUE(
      is_right(Op::max, std::vector<std::int32_t>{}, std::numeric_limits<std::int32_t>::lowest()));
  EXPECT_TRUE(is_right(Op::sum, std::vector<std::int32_t>{}, std::int64_t{0}));
}

TEST(Reference, TakesEitherZeroForZero) {
  EXPECT_TRUE(is_right(Op::sum, std::vector<float>{-0.0f}, 0.0f));
  EXPECT_TRUE(is_right(Op::min, std::vector<float>{0.0f, -0.0f}, 0.0f));
  EXPECT_TRUE(is_right(Op::max, std::vector<float>{-0.0f}, -0.0f));
}

TEST(Reference, StillRefusesNaNWhereAChainIsTooLongForAnyBound) {
  const std::vector<float> ones(10, 1.0f);
  const std::int64_t endless = std::int64_t{1} << 25;
  EXPECT_TRUE(is_right(Op::sum, ones, 10.0f, endless));
  EXPECT_TRUE(is_right(Op::sum, ones, 11.0f, endless)) << "as large as all of it: no bound";
  EXPECT_FALSE(is_right(Op::sum, ones, nan, endless));
  EXPECT_FALSE(is_right(Op::min, ones, 1.5f, endless)) << "a minimum does not round";
}

TEST(Reference, SaysWhatWasExpectedAndWhatCame) {
  const std::vector<std::int32_t> values{3, 4};
  const Problem problem = make_problem(Op::sum, DType::i32, 2);
  const std::int64_t got = 8;
  EXPECT_EQ(why_wrong(problem, reference_of(problem, std::as_bytes(std::span(values))), 1, &got),
            "expected 7, got 8");
}

}  // namespace
}  // namespace redtune::tuner
