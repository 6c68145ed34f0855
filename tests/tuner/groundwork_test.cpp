// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is made ready before a search begins: when it is taken over, and that it changes nothing.
#include "tuner/session/groundwork.hpp"

#include <gtest/gtest.h>

#include "tests/tuner/fake_evaluator.hpp"
#include "tuner/session/asks.hpp"

namespace redtune::tuner {
namespace {

std::vector<search::SourceTask> guides(const TuneRequest& request, std::size_t count) {
  const search::Space space = request.family->space(request.problem, request.limits);
  std::vector<search::SourceTask> all(count);
  for (std::size_t source = 0; source < count; ++source) {
    for (std::size_t i = 0; i < 20; ++i) {
      const auto at = (i * (source + 3) * 977) % space.size();
      all[source].observations.push_back({space[at], 10 + static_cast<double>(at % 13)});
    }
  }
  return all;
}

TEST(Groundwork, IsTakenOverByTheSearchOfItsProblem) {
  TuneRequest request = request_for_gpu();
  request.strategy = "auto";
  request.sources = guides(request, 3);
  request.groundwork = groundwork_of(request);
  EXPECT_EQ(space_of(request), request.groundwork->space);
  EXPECT_EQ(request.groundwork->prior->taken_over(), 0u);
  const auto again = groundwork_of(request);
  EXPECT_EQ(again->space, request.groundwork->space);
  EXPECT_EQ(again->prior->taken_over(), 3u);
  request.sources.back().observations.pop_back();
  EXPECT_EQ(groundwork_of(request)->prior->taken_over(), 2u);
}

TEST(Groundwork, IsLaidAnewForAnotherProblemAndAnotherRestriction) {
  TuneRequest request = request_for_gpu();
  request.strategy = "auto";
  request.sources = guides(request, 2);
  request.groundwork = groundwork_of(request);
  TuneRequest other = request;
  other.problem = make_problem(request.problem.op, request.problem.in, request.problem.count + 1);
  EXPECT_NE(space_of(other), request.groundwork->space);
  EXPECT_EQ(groundwork_of(other)->prior->taken_over(), 0u);
  other = request;
  other.only = {request.family->default_settings(request.problem, request.limits).front()};
  EXPECT_NE(space_of(other), request.groundwork->space);
  EXPECT_LT(space_of(other)->size(), request.groundwork->space->size());
  EXPECT_EQ(groundwork_of(other)->prior->taken_over(), 0u);
  other = request;
  other.sources.clear();
  EXPECT_EQ(groundwork_of(other)->prior, nullptr);
}

/// Whether what was thought of before is of this problem, of other sources of it, or of another.
TEST(Groundwork, ChangesNothingOfWhatIsTried) {
  TuneRequest request = request_for_gpu();
  request.strategy = "auto";
  request.sources = guides(request, 3);
  request.budget = {.evaluations = 40};
  request.asks = {.batch = 4, .ahead = 2, .first = 12};
  const auto tried = [](const TuneRequest& asked) {
    FakeEvaluator evaluator([](const search::Point& point) {
      double us = 10;
      for (std::size_t axis = 0; axis < point.size(); ++axis) {
        us += static_cast<double>((axis + 1) * point[axis]);
      }
      return measured(us);
    });
    (void)tune(asked, evaluator, {});
    return evaluator.asked();
  };
  const auto expected = tried(request);
  ASSERT_EQ(expected.size(), 40u);
  TuneRequest ahead = request;
  ahead.groundwork = groundwork_of(request);
  EXPECT_EQ(tried(ahead), expected);
  TuneRequest fewer = request;
  fewer.sources.pop_back();
  ahead.groundwork = groundwork_of(fewer);
  EXPECT_EQ(tried(ahead), expected);
  TuneRequest other = request;
  other.problem = make_problem(Op::max, request.problem.in, 2 * request.problem.count);
  ahead.groundwork = groundwork_of(other);
  EXPECT_EQ(tried(ahead), expected);
}

}  // namespace
}  // namespace redtune::tuner
