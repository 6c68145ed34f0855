// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels as they are, for every operator and type, judged as tuning judges them: the ordinary
// inputs and those made to find mistakes.
#include <gtest/gtest.h>

#include "tests/tuner/host_evaluator.hpp"
#include "tests/tuner/problems.hpp"

namespace redtune::tuner {
namespace {

class EveryOperator : public testing::TestWithParam<Op> {};

TEST_P(EveryOperator, IsRightInTheDefaultConfigAndUnderChallenge) {
  const kernels::Family& family = kernels::find_family("reduce");
  for (const Problem& problem : all_pairs(20011)) {
    if (problem.op != GetParam()) continue;
    HostEvaluator evaluator(family, problem);
    const std::vector points{evaluator.default_point()};
    const Outcome outcome = evaluator->evaluate(points)[0].outcome;
    EXPECT_TRUE(cost_of(outcome)) << describe(problem) << ": " << status_of(outcome) << " "
                                  << detail_of(outcome);
    if (!cost_of(outcome)) continue;
    const auto failure = evaluator->challenge(points[0]);
    EXPECT_FALSE(failure) << describe(problem) << ": " << detail_of(failure->outcome);
  }
}

std::vector<Op> operators() {
  std::vector<Op> all;
  for (const OpInfo& op : all_ops()) all.push_back(op.op);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, EveryOperator, testing::ValuesIn(operators()),
                         [](const auto& param) { return std::string(to_string(param.param)); });

}  // namespace
}  // namespace redtune::tuner
