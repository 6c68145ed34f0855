// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The elements that candidates are verified on.
#include "tuner/verify/input.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

#include "tests/tuner/naive.hpp"
#include "tests/tuner/problems.hpp"
#include "tuner/verify/fold.hpp"

namespace redtune::tuner {
namespace {

TEST(MakeInput, RepeatsItselfForASeedAndForNoOther) {
  for (const Problem& problem : all_pairs(1000)) {
    const auto once = make_input(problem, 7);
    EXPECT_EQ(once.size(), 1000 * size_of(problem.in)) << describe(problem);
    EXPECT_EQ(once, make_input(problem, 7)) << describe(problem);
    EXPECT_NE(once, make_input(problem, 8)) << describe(problem);
  }
}

/// Sums of floats and 32-bit integers keep the inputs that recorded results were made with.
TEST(MakeInput, MakesTheSameNumbersInEveryVersion) {
  const auto floats = make_input(make_problem(Op::sum, DType::f32, 3), 1);
  const auto again = naive::values_of<float>(floats);
  const Recipe recipe = recipe_of(make_problem(Op::sum, DType::f32, 3), 1);
  std::vector<std::byte> last(4);
  generate(recipe, 2, last);
  EXPECT_EQ(naive::values_of<float>(last)[0], again[2]);
}

TEST(MakeInput, StartsTheSameHoweverMuchIsAskedButForTheDecisiveElement) {
  for (const Problem& problem : all_pairs(10)) {
    if (recipe_of(problem, 7).pattern.starts_with("one_")) continue;
    Problem longer = problem;
    longer.count = 1000;
    auto start = make_input(longer, 7);
    start.resize(10 * size_of(problem.in));
    EXPECT_EQ(start, make_input(problem, 7)) << describe(problem);
  }
}

TEST(MakeInput, OfNothingIsEmpty) {
  for (const Problem& problem : all_pairs(0)) EXPECT_TRUE(make_input(problem, 1).empty());
}

TEST(MakeInput, OfSumsHasBothSignsAndManyMagnitudesAndNeverNaN) {
  for (const DTypeInfo& type : all_dtypes()) {
    visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
      const auto values =
          naive::values_of<T>(make_input(make_problem(Op::sum, type.dtype, 100000), 3));
      std::size_t negative = 0;
      std::set<int> magnitudes;
      for (const T value : values) {
        const auto x = static_cast<double>(value);
        ASSERT_TRUE(std::isfinite(x));
        negative += x < 0 ? 1 : 0;
        magnitudes.insert(std::ilogb(x));
      }
      if (type.bytes >= 4) {
        EXPECT_GE(magnitudes.size(), 12U) << type.name;
      }
      if (type.kind == DTypeKind::unsigned_int) return;
      EXPECT_GT(negative, values.size() * 4 / 10) << type.name;
      EXPECT_LT(negative, values.size() * 6 / 10) << type.name;
    });
  }
}

TEST(MakeInput, HasFewElementsAtTheEndsOfSmallTypesAndManyValues) {
  for (const DTypeInfo& type : all_dtypes()) {
    if (type.bytes >= 4) continue;
    visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
      std::vector<double> values;
      for (const T x :
           naive::values_of<T>(make_input(make_problem(Op::min, type.dtype, 100000), 3)))
        values.push_back(static_cast<double>(x));
      const std::set<double> different(values.begin(), values.end());
      EXPECT_GT(different.size(), 80U) << type.name;
      EXPECT_LE(std::ranges::count(values, *different.begin()), 5) << type.name;
      EXPECT_LE(std::ranges::count(values, *different.rbegin()), 5) << type.name;
      const double range = *different.rbegin() - *different.begin();
      const bool is_float = type.kind == DTypeKind::floating;
      EXPECT_GT(range, is_float ? 6 : std::exp2(8 * double(type.bytes) - 2)) << type.name;
    });
  }
}

/// However long: no order of multiplications leaves the accumulator's range.
TEST(MakeInput, OfProductsNeitherOverflowsNorBecomesZero) {
  for (const Problem& problem : all_problems(1 << 20)) {
    if (problem.op != Op::product || problem.out != problem.acc) continue;
    const Reference reference = reference_of(problem, recipe_of(problem, 5));
    if (!rounds(problem)) {
      EXPECT_EQ(reference.bits % 2, 1U) << describe(problem);
      continue;
    }
    const double most = problem.acc == DType::f32 ? 60 : 500;
    EXPECT_EQ(reference.zeros + reference.infinities + reference.nans, 0) << describe(problem);
    EXPECT_LT(reference.grown.log2(), most) << describe(problem);
    EXPECT_GT(reference.shrunk.log2(), -most) << describe(problem);
    EXPECT_GT(reference.inexact, 100) << describe(problem);
    if (info(problem.in).kind == DTypeKind::unsigned_int) continue;
    EXPECT_GT(reference.negatives, 1 << 18) << describe(problem);
  }
}

TEST(MakeInput, OfAllAndAnyHasOneDecisiveElement) {
  for (const DTypeInfo& in : all_dtypes()) {
    Problem counting = make_problem(Op::count_nonzero, in.dtype, 5000);
    const auto nonzero = [&](Op op) {
      const auto data = make_input(make_problem(op, in.dtype, counting.count), 2);
      return reference_of(counting, data).bits;
    };
    EXPECT_EQ(nonzero(Op::any), 1U) << in.name;
    EXPECT_EQ(nonzero(Op::all), 4999U) << in.name;
    const auto some = nonzero(Op::count_nonzero);
    EXPECT_GT(some, 3500U) << in.name;
    EXPECT_LT(some, 4000U) << in.name;
  }
}

/// Looking for the index must take as long as it may: wherever an element is the best of those
/// around it, others equal it.
TEST(MakeInput, OfIndicesHasManyEqualsAndOneDecisiveElement) {
  for (const Problem& problem : all_pairs(100000)) {
    if (info(problem.op).shape != ResultShape::indexed) continue;
    const Recipe recipe = recipe_of(problem, 3);
    const bool is_min = problem.op == Op::argmin || problem.op == Op::argmin_ignore_nan;
    const bool has_nan = recipe.pattern.ends_with("_and_nan");
    visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
      const auto values = naive::values_of<T>(make_input(problem, 3));
      std::map<double, int> counts;
      std::size_t nans = 0;
      const auto decisive =
          static_cast<double>(values.at(static_cast<std::size_t>(recipe.decisive)));
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto x = static_cast<double>(values[i]);
        if (x != x) {
          ++nans;
          continue;
        }
        ++counts[x];
        if (static_cast<std::int64_t>(i) < recipe.decisive) {
          ASSERT_TRUE(is_min ? decisive < x : x < decisive) << describe(problem) << " at " << i;
        }
      }
      EXPECT_EQ(nans > 5000, has_nan) << describe(problem);
      ASSERT_EQ(counts.size(), 9U) << describe(problem);
      EXPECT_EQ(is_min ? counts.begin()->first : counts.rbegin()->first, decisive);
      for (const auto& [x, count] : counts) {
        EXPECT_EQ(count > 10000, x != decisive) << describe(problem) << ": " << x;
      }
    });
  }
}

/// Half of the bits are decided by single elements: none by chance, none twice.
TEST(MakeInput, OfBitsHasElementsThatDecideABitAlone) {
  for (const DTypeInfo& in : all_dtypes()) {
    if (in.kind == DTypeKind::floating) continue;
    const Problem all = make_problem(Op::bit_and, in.dtype, 1 << 12);
    const auto bits = reference_of(all, recipe_of(all, 4)).bits;
    if (in.bytes >= 4) {
      EXPECT_NE(bits & 0x55555555U, 0U) << in.name;
    }
    Problem half_of_them = all;
    half_of_them.count /= 2;
    const auto before = reference_of(half_of_them, recipe_of(all, 4)).bits;
    if (in.bytes == 8) {
      EXPECT_EQ(
          std::popcount(before & 0x5555555555555555U) - std::popcount(bits & 0x5555555555555555U),
          1);
    }
    const Problem any = make_problem(Op::bit_or, in.dtype, 1 << 12);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * in.bytes);
    EXPECT_EQ(reference_of(any, recipe_of(any, 4)).bits & mask, ~bits & mask) << in.name;
  }
}

TEST(MakeInput, HasNaNWhereItIsToBeIgnored) {
  for (const DTypeInfo& in : all_dtypes()) {
    if (in.kind != DTypeKind::floating) continue;
    visit_dtype(in.dtype, [&]<class T>(std::type_identity<T>) {
      const auto values =
          naive::values_of<T>(make_input(make_problem(Op::min_ignore_nan, in.dtype, 16000), 3));
      const auto count = std::ranges::count_if(values, [](T x) { return x != x; });
      EXPECT_GT(count, 800) << in.name;
      EXPECT_LT(count, 1200) << in.name;
    });
  }
}

/// Of each result an input of its own is generated, with an element that decides it.
TEST(Input, HasADecisiveElementForEachResult) {
  const Shape shapes[] = {
      Shape::rows(200, 33),
      Shape::rows(200, 33, 40),
      Shape::columns(33, 200),
      {.count = 33, .outer = 5, .inner = 40},
      Shape::channels(3, 200, 11),
      {.count = 11, .outer = 200, .outer_pitch = 13, .batch = 3, .batch_pitch = 2605}};
  for (const Shape& shape : shapes) {
    const Problem problem = make_problem(Op::any, DType::u32, shape);
    const std::vector<std::byte> bytes = make_input(problem, 4);
    std::vector<std::uint32_t> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    std::set<std::int64_t> places;
    for (std::int64_t result = 0; result < results_of(shape); ++result) {
      const std::int64_t first = result / shape.inner * slice_of(shape) + result % shape.inner;
      int nonzero = 0;
      for (std::int64_t k = 0; k < elements_of_result(shape); ++k) {
        const std::int64_t at =
            first + k / shape.count * batch_step_of(shape) + k % shape.count * step_of(shape);
        if (values[static_cast<std::size_t>(at)] == 0) continue;
        ++nonzero;
        places.insert(k);
      }
      EXPECT_EQ(nonzero, 1) << describe_shape(shape) << ", result " << result;
    }
    EXPECT_GT(places.size(), 20U) << "wherever it stands";
  }
}

}  // namespace
}  // namespace redtune::tuner
