// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Order::rows through the application's handle on the host: one answer for a length, and the same
// bits, whatever Reducers and arrays a row is in.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/host/host_identity.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/parse_identity.hpp"
#include "redtune/reducer.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::ResultsFile;

/// Sums of each row of an array whose rows are these, over and over.
std::vector<float> sums_of(Reducer& reducer, const std::vector<float>& row, const Shape& shape) {
  std::vector<float> in(static_cast<std::size_t>(span_of(shape)) + 1, 1e6F);
  for (std::int64_t i = 0; i < shape.outer; ++i) {
    std::ranges::copy(row, in.begin() + 1 + static_cast<std::ptrdiff_t>(i * slice_of(shape)));
  }
  std::vector<float> out(static_cast<std::size_t>(shape.outer));
  reducer.launch(in.data() + 1, shape, out.data());
  reducer.synchronize();
  return out;
}

/// A results file may know several numbers of rows: the newest answers for all.
TEST(RowsOfOneOrder, HaveOneAnswerAndTheSameBitsInAnyNumber) {
  const DeviceIdentity host = identify_device("host");
  const auto problem = [](const Shape& shape) {
    return make_problem(Op::sum, DType::f32, shape, {.order = Order::rows});
  };
  const auto settings = [](int loads) {
    return kernels::find_family("reduce_rows")
        .completed(parse_settings("way=groups block_size=8 threads_per_row=8 vector_width=1 "
                                  "loads_per_thread=" +
                                  std::to_string(loads)),
                   Limits{});
  };
  ResultsFile results;
  results.publish(problem(Shape::rows(300, 1000)), host, settings(2));
  results.publish(problem(Shape::rows(2, 1000)), host, settings(4));
  std::vector<float> row;
  for (int i = 0; i < 1000; ++i) row.push_back(std::ldexp(1.0F + 0.37F * float(i % 29), i % 13));
  std::vector<float> seen;
  for (const Shape& made_for : {Shape::rows(300, 1000), Shape::rows(2, 1000), Shape{.count = 1000},
                                Shape::rows(7, 50), Shape::rows(5000, 1'000'000)}) {
    Reducer reducer(problem(made_for), {.device = "host", .lookup = results.options()});
    EXPECT_EQ(reducer.answer().family, "reduce_rows");
    for (const Shape& shape : {Shape::rows(1, 1000), Shape::rows(2, 1000), Shape::rows(301, 1000),
                               Shape::rows(9, 1000, 1003)}) {
      EXPECT_EQ(reducer.answer(shape).match, Match::exact) << describe_shape(shape);
      EXPECT_EQ(reducer.answer(shape).settings, settings(4)) << describe_shape(shape);
      EXPECT_EQ(Shape(reducer.answer(shape).problem), shape);
      EXPECT_EQ(find_best(problem(shape), host, results.options()).settings, settings(4));
      const std::vector<float> sums = sums_of(reducer, row, shape);
      seen.insert(seen.end(), sums.begin(), sums.end());
    }
  }
  EXPECT_TRUE(std::ranges::all_of(seen, [&](float sum) { return sum == seen.front(); }));
}

/// What places elements by where a row lies is refused, also from a results file.
TEST(RowsOfOneOrder, AreNotAnsweredByAConfigForAFixedOrder) {
  const DeviceIdentity host = identify_device("host");
  const Problem rows =
      make_problem(Op::sum, DType::f32, Shape::rows(300, 1000), {.order = Order::rows});
  const Settings by_vectors = find_best(make_problem(Op::sum, DType::f32, Shape::rows(300, 1000)),
                                        host, ResultsFile().options())
                                  .settings;
  ResultsFile results;
  results.publish(rows, host, by_vectors);
  const Answer answer = find_best(rows, host, results.options());
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_NE(answer.explanation.find("vector_width is 1"), std::string::npos) << answer.explanation;
}

}  // namespace
}  // namespace redtune
