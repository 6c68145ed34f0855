// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Fault 29: every single allocation of a look-up fails once. The answer is the default, and nothing
// is left behind.
#include <gtest/gtest.h>
#include <new>

#include "redtune/error.hpp"
#include "redtune/find_best.hpp"
#include "redtune/reducer.hpp"
#include "tests/runtime/count_allocations.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using namespace testing_runtime;

const Problem problem = make_problem(Op::sum, DType::f32, 1000);

/// Fails each allocation of an action in turn, until the action has fewer. Returns how many it has.
template <class Action>
long each_allocation_failing(const Action& action) {
  for (int warm_up = 0; warm_up < 2; ++warm_up) action(0);  // what is kept for good is there now
  for (long nth = 1;; ++nth) {
    const long before = blocks_now();
    fail_allocation(nth);
    action(nth);
    const bool all_went_well = is_failure_pending();
    fail_allocation(0);
    EXPECT_EQ(blocks_now(), before) << "allocation " << nth << " leaves something behind";
    if (all_went_well || ::testing::Test::HasFailure()) return nth - 1;
  }
}

TEST(Fault29, AnyFailingAllocationOfALookUpGivesTheDefaultAndLeaksNothing) {
  ResultsFile results;
  const DeviceIdentity host = identify_device("host");
  results.publish(problem, host, unusual_settings());
  const LookupOptions options = results.options();
  const std::string expected =
      to_string(find_best(problem, host, ResultsFile().options()).settings);
  const std::string tuned = to_string(unusual_settings());
  long defaults = 0;
  const long count = each_allocation_failing([&](long nth) {
    try {
      const Answer answer = find_best(problem, host, options);
      const bool failed = nth > 0 && !is_failure_pending();
      fail_allocation(0);
      if (answer.match == Match::fallback) {
        ++defaults;
        EXPECT_EQ(to_string(answer.settings), expected);
        EXPECT_NE(answer.explanation.find("not enough memory"), std::string::npos);
      } else {
        EXPECT_EQ(to_string(answer.settings), tuned) << nth;
      }
      // The checks above took memory too: whether the look-up had fewer is said again.
      if (!failed) fail_allocation(nth > 0 ? 1'000'000 : 0);
    } catch (const std::exception& error) {
      fail_allocation(0);
      ADD_FAILURE() << "allocation " << nth << ": " << error.what();
    }
  });
  EXPECT_GE(count, 100);  // all of a look-up, not its first steps alone
  EXPECT_GE(defaults, 100);
  RecordProperty("allocations", static_cast<int>(count));
}

TEST(Fault29, AnyFailingAllocationOfReadingAFileThrowsAndLeaksNothing) {
  ResultsFile results;
  const DeviceIdentity host = identify_device("host");
  results.publish(problem, host, unusual_settings());
  const cache::Query query{"reduce", std::nullopt, problem, host};
  const cache::Layer layer{"user", results.snapshot()};
  const long count = each_allocation_failing([&](long nth) {
    try {
      const cache::LookupResult answer = cache::look_up(std::span(&layer, 1), query);
      EXPECT_TRUE(nth == 0 || is_failure_pending()) << "allocation " << nth << " was not missed";
      EXPECT_EQ(answer.match, Match::exact);
    } catch (const std::bad_alloc&) {
    }
  });
  EXPECT_GT(count, 30);
}

TEST(Fault29, AFailingAllocationMeetsNoDemandForAMatch) {
  ResultsFile results;
  const DeviceIdentity host = identify_device("host");
  results.publish(problem, host, unusual_settings());
  const LookupOptions options = results.options(Match::exact);
  EXPECT_NO_THROW((void)find_best(problem, host, options));
  fail_allocation(60);
  EXPECT_THROW((void)find_best(problem, host, options), UnmetMatch);
  fail_allocation(0);
}

}  // namespace
}  // namespace redtune
