// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Columns through the application's handle on the host: looked up, launched for any extents,
// refused where there is no kernel.
#include <gtest/gtest.h>
#include <vector>

#include "device/host/host_identity.hpp"
#include "redtune/reduce_axes.hpp"
#include "redtune/reducer.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::ResultsFile;

std::int32_t element_of_columns(std::int64_t result, std::int64_t k) {
  return static_cast<std::int32_t>((result * 7 + k * 31) % 257 - 100);
}

/// Index of an element in the memory of a shape.
std::size_t index_of(const Shape& shape, std::int64_t result, std::int64_t k) {
  return static_cast<std::size_t>(result / shape.inner * slice_of(shape) + result % shape.inner +
                                  k * step_of(shape));
}

void expect_column_sums(Reducer& reducer, const Shape& shape) {
  // What lies in gaps would be seen.
  std::vector<std::int32_t> in(static_cast<std::size_t>(span_of(shape)), 1 << 20);
  for (std::int64_t i = 0; i < results_of(shape); ++i) {
    for (std::int64_t k = 0; k < shape.count; ++k) {
      in[index_of(shape, i, k)] = element_of_columns(i, k);
    }
  }
  std::vector<std::int64_t> out(static_cast<std::size_t>(results_of(shape)) + 1, -7);
  reducer.launch(in.data(), shape, out.data());
  reducer.synchronize();
  for (std::int64_t i = 0; i < results_of(shape); ++i) {
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < shape.count; ++k) sum += element_of_columns(i, k);
    ASSERT_EQ(out[static_cast<std::size_t>(i)], sum) << i << " of " << describe_shape(shape);
  }
  EXPECT_EQ(out.back(), -7);
}

TEST(Columns, AreLaunchedWithAnyExtents) {
  for (const Shape& tuned :
       {Shape::columns(300, 5), Shape::columns(1000, 300), Shape::columns(1 << 20, 2),
        Shape{.count = 8, .outer = 90, .inner = 64}}) {
    Reducer reducer(make_problem(Op::sum, DType::i32, tuned),
                    {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
    EXPECT_EQ(reducer.answer().family, "reduce_columns");
    for (const Shape& shape :
         {tuned, Shape::columns(1, 2), Shape::columns(100'001, 2), Shape::columns(3, 4097),
          Shape::columns(0, 7), Shape::columns(77, 100, 101), Shape::columns(77, 10, 128),
          Shape::columns(5, 0), Shape{.count = 77, .outer = 5, .count_pitch = 3},
          Shape{.count = 9, .outer = 100, .inner = 3, .outer_pitch = 40, .count_pitch = 4}}) {
      expect_column_sums(reducer, shape);
    }
  }
}

TEST(Columns, HaveTheAnswerThatWasTuned) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::columns(1000, 300));
  const Settings settings = parse_settings(
      "way=tiles block_size=1 threads_across=1 vectors_per_thread=4 loads_per_thread=2 "
      "vector_width=8 blocks_per_column=1 blocks_per_unit=2 load=cached early_start=off");
  ResultsFile results;
  results.publish(problem, identify_device("host"), settings);
  Reducer reducer(problem, {.device = "host", .lookup = results.options(Match::exact)});
  EXPECT_EQ(reducer.answer().match, Match::exact);
  EXPECT_EQ(reducer.answer().settings, settings);
  expect_column_sums(reducer, problem);
  const auto match_of = [&](const Shape& shape) {
    return find_best(make_problem(Op::sum, DType::i32, shape), identify_device("host"),
                     results.options(Match::fallback))
        .match;
  };
  EXPECT_EQ(match_of(Shape::columns(1100, 300)), Match::near);
  EXPECT_EQ(match_of(Shape::columns(1000, 300, 301)), Match::fallback);
  EXPECT_EQ(match_of(Shape::rows(300, 1000)), Match::fallback) << "another family";
}

TEST(Columns, ThatAreNoneAreLeftToOthers) {
  const auto family = [](const Shape& shape) {
    return Reducer(make_problem(Op::max, DType::f32, shape), {.device = "host"}).answer().family;
  };
  EXPECT_EQ(family(reduce_axes({64, 16}, {}, {0})), "reduce_columns");
  EXPECT_EQ(family(reduce_axes({64, 16, 1}, {}, {1})), "reduce_rows");
  EXPECT_EQ(family(reduce_axes({64, 16}, {}, {0, 1})), "reduce");
}

TEST(Columns, ThatNoKernelIsForAreRefused) {
  Reducer reducer(make_problem(Op::sum, DType::i32, Shape::columns(300, 5)),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  std::vector<std::int32_t> in(100);
  std::vector<std::int64_t> out(100);
  for (const Shape& shape : {Shape::rows(5, 4), Shape{.count = 5}, Shape::columns(-1, 5),
                             Shape::columns(3, 5, 4), Shape::channels(2, 3, 4)}) {
    EXPECT_THROW(reducer.launch(in.data(), shape, out.data()), UsageError) << describe_shape(shape);
  }
}

}  // namespace
}  // namespace redtune
