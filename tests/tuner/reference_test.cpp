// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a right answer is: exact where it can be, within the rounding bound where it cannot.
#include "tuner/verify/reference.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "tuner/verify/input.hpp"

namespace redtune::tuner {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

/// Whether a result for these values is taken as right; chain: the additions it may have lost in.
template <class Out, class T>
bool is_right(Op op, const std::vector<T>& values, Out got, std::int64_t chain = 0) {
  const Problem problem = make_problem(op, dtype_of<T>(), static_cast<std::int64_t>(values.size()));
  EXPECT_EQ(problem.out, dtype_of<Out>());
  return why_wrong(problem, reference_of(problem, bytes_of(values)), chain, &got).empty();
}

/// A plain loop in the accumulator's type: as right as any kernel, with a chain of count.
template <class Out, class T>
Out naive(Op op, const std::vector<T>& values, Out start) {
  for (const T value : values) {
    const Out x = static_cast<Out>(value);
    if (op == Op::sum) {
      if constexpr (std::is_integral_v<Out>)
        start = static_cast<Out>(static_cast<std::uint64_t>(start) + static_cast<std::uint64_t>(x));
      else
        start += x;
    } else {
      start = op == Op::min ? std::min(start, x) : std::max(start, x);
    }
  }
  return start;
}

template <class Out>
Out identity_of(Op op) {
  using Limits = std::numeric_limits<Out>;
  if (op == Op::sum) return Out{};
  if (op == Op::min) return Limits::has_infinity ? Limits::infinity() : Limits::max();
  return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
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

/// Accepts the naive result, and refuses it with its last byte changed.
void expect_judged_well(Op op, DType in, std::int64_t count) {
  const Problem problem = make_problem(op, in, count);
  const auto data = make_input(in, count, 11);
  visit_dtype(in, [&]<class T>(std::type_identity<T>) {
    std::vector<T> values(static_cast<std::size_t>(count));
    if (count > 0) std::memcpy(values.data(), data.data(), data.size());
    visit_dtype(problem.out, [&]<class Out>(std::type_identity<Out>) {
      Out got = naive(op, values, identity_of<Out>(op));
      const Reference reference = reference_of(problem, data);
      EXPECT_EQ(why_wrong(problem, reference, std::max<std::int64_t>(count, 1), &got), "")
          << describe(problem);
      auto* bytes = reinterpret_cast<unsigned char*>(&got);
      bytes[sizeof(Out) - 1] ^= 0x40;  // a high bit of the exponent, or of the integer
      EXPECT_NE(why_wrong(problem, reference, std::max<std::int64_t>(count, 1), &got), "")
          << describe(problem);
    });
  });
}

TEST(Reference, AcceptsTheNaiveLoopAndNothingFarFromItForEveryOperatorAndType) {
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& type : all_dtypes()) {
      for (const std::int64_t count : {0, 1, 2, 1000, 65537}) {
        expect_judged_well(op.op, type.dtype, count);
      }
    }
  }
}

TEST(Reference, ReadsDataAtAnyAlignment) {
  const auto data = make_input(DType::f64, 101, 5);
  std::vector<std::byte> shifted(data.size() + 1);
  std::memcpy(&shifted[1], data.data(), data.size());
  const Problem problem = make_problem(Op::sum, DType::f64, 101);
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
  for (const OpInfo& op : all_ops()) {
    const std::vector<float> poisoned{1, nan, 2};
    EXPECT_TRUE(is_right(op.op, poisoned, nan)) << op.name;
    EXPECT_TRUE(is_right(op.op, poisoned, -nan)) << op.name;
    EXPECT_FALSE(is_right(op.op, poisoned, 3.0f, 1000)) << op.name;
    EXPECT_FALSE(is_right(op.op, std::vector<float>{1, 2}, nan, 1000)) << op.name;
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
  EXPECT_EQ(why_wrong(problem, reference_of(problem, bytes_of(values)), 1, &got),
            "expected 7, got 8");
}

}  // namespace
}  // namespace redtune::tuner
