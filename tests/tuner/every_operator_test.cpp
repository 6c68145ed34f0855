// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels as they are, for every operator and type, judged as tuning judges them: the ordinary
// inputs and those made to find mistakes.
#include <gtest/gtest.h>
#include <set>

#include "tests/support/samples.hpp"
#include "tests/tuner/host_evaluator.hpp"
#include "tests/tuner/problems.hpp"

namespace redtune::tuner {
namespace {

class EveryOperator : public testing::TestWithParam<Op> {};

/// Every fifth of the operator's types, of each operator other ones; all in a full run.
std::vector<Problem> checked_problems(Op op) {
  std::vector<Problem> problems = all_pairs(20011);
  std::erase_if(problems, [&](const Problem& problem) { return problem.op != op; });
  return checks::every_nth(problems, 7, static_cast<std::size_t>(op));
}

TEST_P(EveryOperator, IsRightInTheDefaultConfigAndUnderChallenge) {
  const kernels::Family& family = kernels::find_family("reduce");
  for (const Problem& problem : checked_problems(GetParam())) {
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

TEST(EveryOperators, TypesAreAllTried) {
  std::set<DType> tried;
  for (const OpInfo& op : all_ops()) {
    const auto problems = checked_problems(op.op);
    EXPECT_FALSE(problems.empty()) << op.name;
    for (const Problem& problem : problems) tried.insert(problem.in);
  }
  EXPECT_EQ(tried.size(), all_dtypes().size());
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
