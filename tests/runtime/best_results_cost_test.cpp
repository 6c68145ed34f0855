// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a look-up takes from the heap: nothing, once a handle was asked.
#include <gtest/gtest.h>

#include "cache/snapshot/kept.hpp"
#include "redtune/best_results.hpp"
#include "redtune/reducer.hpp"
#include "tests/runtime/count_allocations.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using namespace testing_runtime;

TEST(BestResultsCost, NoAllocationWhenAskedAgain) {
  ResultsFile results;
  const DeviceIdentity host = identify_device("host");
  std::vector<Problem> problems{make_problem(CustomOp{"mine", "a text"}, DType::f32, 5)};
  for (std::int64_t count = 1; count <= 1000; ++count) {
    problems.push_back(make_problem(Op::sum, DType::f32, count));
  }
  results.publish(problems[1], host, unusual_settings());
  const BestResults best(host, results.options());
  for (const Problem& problem : problems) (void)best.find(problem);
  std::size_t found = 0;
  EXPECT_EQ(allocations_of([&] {
              for (const Problem& problem : problems) found += best.find(problem).settings.size();
            }),
            0);
  EXPECT_GT(found, problems.size());
}

TEST(BestResultsCost, NoAllocationWherePinnedAndStrict) {
  ResultsFile results;
  const DeviceIdentity host = identify_device("host");
  const Problem problem = make_problem(Op::sum, DType::f32, 1000);
  results.publish(problem, host, unusual_settings());
  const auto hash =
      cache::keep_content(results.snapshot(), cache::testing::read_text(results.snapshot()));
  const LookupOptions lookup{
      .cache_file = results.path(), .snapshot = to_string(hash), .strict = true};
  const BestResults best(host, lookup);
  (void)best.find(problem);
  EXPECT_EQ(allocations_of([&] { (void)best.find(problem); }), 0);
  Reducer reducer(problem, {.device = "host", .lookup = lookup});
  const std::vector<float> ones(1000, 1.0F);
  float result = 0;
  reducer.launch(ones.data(), 1000, &result);
  EXPECT_EQ(allocations_of([&] { reducer.launch(ones.data(), 1000, &result); }), 0);
  EXPECT_EQ(result, 1000.0F);
}

}  // namespace
}  // namespace redtune
