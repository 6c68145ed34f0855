// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a reduction is computed and returned in, what may be chosen, and how it is described.
#include "redtune/problem.hpp"

#include <gtest/gtest.h>
#include <set>

#include "redtune/error.hpp"
#include "tests/vocabulary/refusal.hpp"

namespace redtune {
namespace {

using checks::refusal;

struct Types {
  DType acc;
  DType out;
};

void expect_types(Op op, DType in, const Types& types) {
  const Problem problem = make_problem(op, in, 5);
  EXPECT_EQ(to_string(problem.acc), to_string(types.acc)) << describe(problem);
  EXPECT_EQ(to_string(problem.out), to_string(types.out)) << describe(problem);
}

TEST(ProblemTypes, OfSumsAreWide) {
  for (const Op op : {Op::sum, Op::product, Op::sum_of_squares}) {
    expect_types(op, DType::f16, {DType::f32, DType::f32});
    expect_types(op, DType::bf16, {DType::f32, DType::f32});
    expect_types(op, DType::f32, {DType::f32, DType::f32});
    expect_types(op, DType::f64, {DType::f64, DType::f64});
    expect_types(op, DType::i8, {DType::i64, DType::i64});
    expect_types(op, DType::u16, {DType::u64, DType::u64});
    expect_types(op, DType::i64, {DType::i64, DType::i64});
  }
}

TEST(ProblemTypes, OfExtremesAreTheElements) {
  for (const Op op : {Op::min, Op::max, Op::argmin, Op::argmax}) {
    expect_types(op, DType::f16, {DType::f32, DType::f16});
    expect_types(op, DType::f64, {DType::f64, DType::f64});
    expect_types(op, DType::i8, {DType::i8, DType::i8});
  }
  expect_types(Op::max_ignore_nan, DType::bf16, {DType::f32, DType::bf16});
  expect_types(Op::abs_max, DType::i8, {DType::u8, DType::u8});
  expect_types(Op::abs_max, DType::u32, {DType::u32, DType::u32});
  expect_types(Op::abs_max, DType::f16, {DType::f32, DType::f16});
}

TEST(ProblemTypes, OfMeansAndNormsAreReal) {
  expect_types(Op::mean, DType::i32, {DType::i64, DType::f64});
  expect_types(Op::mean, DType::u64, {DType::f64, DType::f64});
  expect_types(Op::mean, DType::f16, {DType::f32, DType::f32});
  expect_types(Op::l2_norm, DType::i8, {DType::f64, DType::f64});
  expect_types(Op::l2_norm, DType::f32, {DType::f32, DType::f32});
}

TEST(ProblemTypes, OfBitsAndCounts) {
  expect_types(Op::bit_xor, DType::u16, {DType::u16, DType::u16});
  expect_types(Op::all, DType::f16, {DType::u32, DType::u8});
  expect_types(Op::any, DType::i64, {DType::u32, DType::u8});
  expect_types(Op::count_nonzero, DType::i8, {DType::i64, DType::i64});
}

TEST(ProblemTypes, AreWideEnoughForEveryPair) {
  for (const OpInfo& op : all_ops()) {
    for (const DTypeInfo& in : all_dtypes()) {
      if (!why_not_taken(op.op, in.dtype).empty()) continue;
      const Problem problem = make_problem(op.op, in.dtype, 7, CacheMode::warm);
      EXPECT_EQ(problem.cache_mode, CacheMode::warm);
      EXPECT_EQ(problem.order, Order::fixed);
      EXPECT_NE(problem.acc, DType::f16) << "16 bits are no accumulator";
      EXPECT_NE(problem.acc, DType::bf16);
      const bool is_indexed = op.shape == ResultShape::indexed;
      const std::size_t values = value_names(op.op).size();
      EXPECT_EQ(result_bytes(problem), is_indexed ? 16 : values * size_of(problem.out));
      EXPECT_EQ(values, op.shape == ResultShape::pair ? 2U : 1U);
      if (is_joint(op.op)) {
        EXPECT_GE(accumulator_bytes(problem), 2 * size_of(problem.acc));
        EXPECT_EQ(accumulator_bytes(problem) % 4, 0U);
      } else {
        EXPECT_EQ(accumulator_bytes(problem), is_indexed ? 16 : size_of(problem.acc));
      }
    }
  }
}

TEST(WhyNotTaken, SaysWhatAnOperatorIsFor) {
  EXPECT_EQ(why_not_taken(Op::bit_and, DType::f16), "bit_and is for integers, and f16 is a float");
  EXPECT_EQ(why_not_taken(Op::argmin_ignore_nan, DType::u8),
            "argmin_ignore_nan is for floats: u8 has no NaN, so argmin is what you want");
  EXPECT_EQ(why_not_taken(Op::bit_and, DType::u8), "");
  EXPECT_EQ(why_not_taken(Op::max_ignore_nan, DType::bf16), "");
  for (const DTypeInfo& in : all_dtypes()) {
    EXPECT_EQ(why_not_taken(Op::sum, in.dtype), "");
    EXPECT_EQ(why_not_taken(Op::custom, in.dtype), "");
    const bool is_float = in.kind == DTypeKind::floating;
    EXPECT_EQ(why_not_taken(Op::bit_or, in.dtype).empty(), !is_float) << in.name;
    EXPECT_EQ(why_not_taken(Op::min_ignore_nan, in.dtype).empty(), is_float) << in.name;
  }
  EXPECT_EQ(refusal([] { return make_problem(Op::bit_xor, DType::f32, 1); }),
            "bit_xor is for integers, and f32 is a float");
}

/// What may be chosen, by name.
std::set<std::string> accumulators(Op op, DType in) {
  std::set<std::string> names;
  for (const DTypeInfo& acc : all_dtypes()) {
    try {
      EXPECT_EQ(make_problem(op, in, 1, ProblemChoices{.acc = acc.dtype}).acc, acc.dtype);
      names.emplace(acc.name);
    } catch (const UsageError&) {
      continue;
    }
  }
  return names;
}

std::set<std::string> outputs(Op op, DType in) {
  std::set<std::string> names;
  for (const DTypeInfo& out : all_dtypes()) {
    try {
      EXPECT_EQ(make_problem(op, in, 1, ProblemChoices{.out = out.dtype}).out, out.dtype);
      names.emplace(out.name);
    } catch (const UsageError&) {
      continue;
    }
  }
  return names;
}

using Names = std::set<std::string>;
const Names floats{"f32", "f64", "f16", "bf16"};
const Names integers{"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"};

TEST(ProblemChoices, AllowWiderAccumulatorsForSumsAlone) {
  EXPECT_EQ(accumulators(Op::sum, DType::f16), (Names{"f32", "f64"}));
  EXPECT_EQ(accumulators(Op::sum, DType::f32), (Names{"f32", "f64"}));
  EXPECT_EQ(accumulators(Op::sum, DType::f64), (Names{"f64"}));
  EXPECT_EQ(accumulators(Op::sum, DType::i32), (Names{"i64", "f64"}));
  EXPECT_EQ(accumulators(Op::mean, DType::u8), (Names{"u64", "f64"}));
  EXPECT_EQ(accumulators(Op::mean, DType::i64), (Names{"f64"}));
  EXPECT_EQ(accumulators(Op::l2_norm, DType::bf16), (Names{"f32", "f64"}));
  EXPECT_EQ(accumulators(Op::min, DType::f32), (Names{"f32"}));
  EXPECT_EQ(accumulators(Op::count_nonzero, DType::f32), (Names{"i64"}));
  EXPECT_EQ(refusal([] {
              return make_problem(Op::sum, DType::i32, 1, ProblemChoices{.acc = DType::i32});
            }),
            "sum of i32 is accumulated in i64 or f64, not in i32");
  EXPECT_EQ(refusal([] {
              return make_problem(Op::max, DType::i32, 1, ProblemChoices{.acc = DType::i64});
            }),
            "max of i32 is accumulated in i32, not in i64");
}

TEST(ProblemChoices, AllowOutputsOfTheSameKind) {
  EXPECT_EQ(outputs(Op::sum, DType::f32), floats);
  EXPECT_EQ(outputs(Op::sum, DType::u8), integers);
  EXPECT_EQ(outputs(Op::mean, DType::u8), floats);
  EXPECT_EQ(outputs(Op::all, DType::f32), integers);
  EXPECT_EQ(outputs(Op::min, DType::bf16), floats);
  EXPECT_EQ(outputs(Op::argmin, DType::f32), (Names{"f32"}));
  const ProblemChoices real{.acc = DType::f64};
  EXPECT_EQ(make_problem(Op::sum, DType::i8, 1, real).out, DType::f64) << "follows the accumulator";
  EXPECT_EQ(refusal([] {
              return make_problem(Op::argmax, DType::f32, 1, ProblemChoices{.out = DType::f64});
            }),
            "the result of argmax of f32 is f32 and its index, not f64");
  EXPECT_EQ(refusal([] {
              return make_problem(Op::sum, DType::f32, 1, ProblemChoices{.out = DType::i32});
            }),
            "the result of sum of f32 is f32 or another float, not i32");
}

TEST(Rounds, IsTrueOfSumsThatAreAccumulatedInFloats) {
  EXPECT_TRUE(rounds(make_problem(Op::sum, DType::f16, 1)));
  EXPECT_TRUE(rounds(make_problem(Op::l2_norm, DType::i8, 1)));
  EXPECT_TRUE(rounds(make_problem(Op::mean, DType::i64, 1)));
  EXPECT_TRUE(rounds(make_problem(Op::product, DType::i8, 1, ProblemChoices{.acc = DType::f64})));
  EXPECT_FALSE(rounds(make_problem(Op::sum, DType::i32, 1)));
  EXPECT_FALSE(rounds(make_problem(Op::mean, DType::i32, 1)));
  EXPECT_FALSE(rounds(make_problem(Op::max, DType::f32, 1)));
  EXPECT_FALSE(rounds(make_problem(Op::argmin, DType::f64, 1)));
}

TEST(Describe, SaysWhatDiffersFromTheDefaults) {
  const auto text = [](const ProblemChoices& choices) {
    return describe(make_problem(Op::sum, DType::f16, 1 << 20, choices));
  };
  EXPECT_EQ(text({}), "sum f16 2^20 cold");
  EXPECT_EQ(text({.cache_mode = CacheMode::warm}), "sum f16 2^20 warm");
  EXPECT_EQ(text({.acc = DType::f64}), "sum f16 2^20 cold acc f64");
  EXPECT_EQ(text({.out = DType::f16}), "sum f16 2^20 cold out f16");
  EXPECT_EQ(text({.acc = DType::f64, .out = DType::f16, .order = Order::any}),
            "sum f16 2^20 cold acc f64 out f16 any order");
  EXPECT_EQ(text({.acc = DType::f32, .out = DType::f32}), "sum f16 2^20 cold");
  EXPECT_EQ(describe(make_problem(CustomOp{.name = "mine", .source = "..."}, DType::i32, 3)),
            "mine i32 3 cold");
}

TEST(Describe, PutsTheReducedExtentInBrackets) {
  EXPECT_EQ(describe_shape({1 << 20, 1, 1}), "2^20");
  EXPECT_EQ(describe_shape({1000, 4096, 1}), "2^12x[1000]");
  EXPECT_EQ(describe_shape({1000, 1, 4096}), "[1000]x2^12");
  EXPECT_EQ(describe_shape({5, 3, 7}), "3x[5]x7");
  EXPECT_EQ(describe_shape(Shape::channels(32, 1 << 12, 49)), "[32]x2^12x[49]");
  EXPECT_EQ(describe_shape(Shape::channels(32, 1, 49)), "[32]x1x[49]");
  EXPECT_EQ(describe_shape(Shape::segments(1 << 24, 1000)), "2^24 in 1000 segments");
  EXPECT_EQ(describe_shape(Shape::segments(0, 1, 64, Skew::zipf)),
            "0 in 1 segments zipf, offsets of 64 bits");
  EXPECT_EQ(describe(make_problem(Op::max, DType::i8, Shape{5, 3, 7})), "max i8 3x[5]x7 cold");
}

TEST(Shapes, HaveElementsAndResults) {
  constexpr Shape channels = Shape::channels(5, 3, 7);
  static_assert(elements_of(channels) == 105 && results_of(channels) == 3);
  static_assert(elements_of_result(channels) == 35 && span_of(channels) == 105);
  static_assert(!are_rows(channels) && !is_whole_array(Shape::channels(2, 1, 7)));
  constexpr Shape segments = Shape::segments(105, 10, 64);
  static_assert(elements_of(segments) == 105 && results_of(segments) == 10);
  static_assert(span_of(segments) == 105 && mean_length(segments) == 11);
  static_assert(offsets_of(segments) == 11 && offsets_bytes(segments) == 88);
  static_assert(!are_rows(segments) && !is_whole_array(Shape::segments(5, 1)));
  static_assert(mean_length(Shape::segments(5, 0)) == 0 && results_of(Shape::segments(5, 0)) == 0);
  constexpr Shape shape{.count = 5, .outer = 3, .inner = 7};
  static_assert(elements_of(shape) == 105 && results_of(shape) == 21);
  const Problem problem = make_problem(Op::argmin, DType::i8, shape);
  EXPECT_EQ(input_bytes(problem), 105U);
  EXPECT_EQ(output_bytes(problem), 21 * sizeof(IndexedValue<std::int64_t>));
  EXPECT_EQ(make_problem(Op::sum, DType::f32, 5), make_problem(Op::sum, DType::f32, Shape{5}));
}

TEST(Shapes, AreRefusedWhereTheyAreNone) {
  constexpr std::int64_t much = std::int64_t{1} << 32;
  for (const Shape& shape :
       {Shape{-1, 1, 1}, Shape{1, 0, 1}, Shape{1, 1, 0}, Shape{1, -1, -1}, Shape{much, much, 1},
        Shape{1, much, much}, Shape{0, much, much}, Shape{much, 1, much},
        Shape{.count = 1, .batch = 0}, Shape{.count = 1, .batch = -1},
        Shape{.count = 9, .inner = 2, .batch = 2}, Shape{.count = 9, .count_pitch = 2, .batch = 2},
        Shape::channels(much, much, 1), Shape::channels(much, 1, much)}) {
    EXPECT_THROW((void)make_problem(Op::sum, DType::f32, shape), UsageError)
        << describe_shape(shape);
    EXPECT_THROW((void)make_problem(CustomOp{"a", "b"}, DType::f32, shape), UsageError);
  }
  EXPECT_NO_THROW((void)make_problem(Op::sum, DType::f32, Shape{0, 5, 5}));
}

TEST(Shapes, AreRefusedWhereTheirSegmentsAreNone) {
  constexpr std::int64_t much = std::int64_t{1} << 31;
  const auto why = [](const Shape& shape, Order order = Order::fixed) -> std::string {
    try {
      (void)make_problem(Op::sum, DType::f32, shape, {.order = order});
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(why(Shape::segments(much, 5)),
            "offsets of 32 bits do not reach 2^31 elements; take offsets of 64 bits");
  EXPECT_EQ(why(Shape::segments(much, 5, 64)), "");
  EXPECT_EQ(why(Shape::segments(much - 1, 0)), "");
  EXPECT_EQ(why(Shape::segments(5, 5, 16)), "offset_bits is 16; offsets have 32 or 64 bits");
  EXPECT_NE(why(Shape::segments(5, -1)), "");
  EXPECT_NE(why({.count = 5, .segment_count = 3}), "");
  EXPECT_NE(why({.count = 5, .skew = Skew::giant}), "");
  EXPECT_NE(why({.count = 5, .outer = 2, .segment_count = 3, .offset_bits = 32}), "");
  EXPECT_NE(why({.count = 5, .batch = 2, .segment_count = 3, .offset_bits = 32}), "");
  EXPECT_EQ(why(Shape::segments(5, 5), Order::rows),
            "order rows is for rows and columns; segments take order fixed or any");
}

TEST(Skews, HaveNames) {
  for (const Skew skew : {Skew::uniform, Skew::zipf, Skew::giant}) {
    EXPECT_EQ(parse_skew(to_string(skew)), skew);
  }
  EXPECT_THROW((void)parse_skew("zipff"), UsageError);
}

TEST(CustomProblems, AccumulateWideUnlessChosen) {
  const CustomOp op{.name = "mine", .source = "struct custom {};"};
  const Problem plain = make_problem(op, DType::f16, 9);
  EXPECT_EQ(plain.op, Op::custom);
  EXPECT_EQ(plain.custom, op);
  EXPECT_EQ(plain.acc, DType::f32);
  EXPECT_EQ(plain.out, DType::f32);
  const Problem chosen =
      make_problem(op, DType::i8, 9, ProblemChoices{.acc = DType::i16, .out = DType::u8});
  EXPECT_EQ(chosen.acc, DType::i16);
  EXPECT_EQ(chosen.out, DType::u8);
  EXPECT_THROW(static_cast<void>(make_problem(op, DType::i8, -1)), UsageError);
}

TEST(IndexedValue, IsSixteenBytesOfAnyElement) {
  for (const DTypeInfo& type : all_dtypes()) {
    visit_dtype(type.dtype, []<class T>(std::type_identity<T>) {
      EXPECT_EQ(sizeof(IndexedValue<T>), 16U);
      EXPECT_EQ(offsetof(IndexedValue<T>, value), 0U);
      EXPECT_EQ(offsetof(IndexedValue<T>, index), 8U);
    });
  }
}

TEST(Problem, OfChannelsIsNotBatchInvariant) {
  const Shape channels = Shape::channels(32, 256, 3136);
  EXPECT_EQ(make_problem(Op::sum, DType::f32, channels).order, Order::fixed);
  try {
    (void)make_problem(Op::sum, DType::f32, channels, {.order = Order::rows});
    FAIL() << "nothing was thrown";
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("order rows is for rows and columns"), std::string::npos)
        << e.what();
  }
  EXPECT_EQ(make_problem(Op::sum, DType::i32, channels, {.order = Order::rows}).order, Order::fixed)
      << "integers are the same in every order";
}

}  // namespace
}  // namespace redtune
