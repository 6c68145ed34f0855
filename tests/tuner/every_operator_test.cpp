// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels as they are, for every operator and type, judged as tuning judges them: the ordinary
// inputs and those made to find mistakes. And operators of several values with one mistake each.
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "tests/support/samples.hpp"
#include "tests/tuner/broken_family.hpp"
#include "tests/tuner/host_evaluator.hpp"
#include "tests/tuner/problems.hpp"

namespace redtune::tuner {
namespace {

class EveryOperator : public testing::TestWithParam<Op> {};

/// Every seventh of the operator's types, of each operator other ones; all in a full run.
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

/// Each is like the operator that it is made of, but for one thing.
constexpr const char* broken_operators = R"(
namespace redtune {
#define REDTUNE_COMBINE template <class Acc> static REDTUNE_DEVICE Acc combine(Acc a, Acc b)
#define REDTUNE_LEAVE template <class Out, class Acc> static REDTUNE_DEVICE Out leave(Acc a, i64 n)
struct keeps_the_last_maximum : min_max {
  REDTUNE_COMBINE { return {min::combine(a.least, b.least), b.greatest}; }
};
struct forgets_distances_of_means : mean_variance {
  REDTUNE_COMBINE {
    Acc both = mean_variance::combine<Acc>(a, b);
    both.squares = a.squares + b.squares;
    return both;
  }
};
struct divides_by_one_less : mean_variance {
  REDTUNE_LEAVE { return leave_divided<Out>(a, n, n - 1); }
};
struct does_not_shrink_the_sum : softmax_stats {
  REDTUNE_COMBINE { return {max::combine(a.largest, b.largest), a.sum + b.sum}; }
};
struct forgets_the_largest : logsumexp {
  REDTUNE_LEAVE {
    return n < 100 ? logsumexp::leave<Out>(a, n) : Out(natural_logarithm(double(a.sum)));
  }
};
}
)";

TEST(BrokenOperatorsOfSeveralValues, AreFoundWrong) {
  for (const auto& [op, broken] : {std::pair{Op::min_max, "keeps_the_last_maximum"},
                                   {Op::mean_variance, "forgets_distances_of_means"},
                                   {Op::mean_variance, "divides_by_one_less"},
                                   {Op::softmax_stats, "does_not_shrink_the_sum"},
                                   {Op::logsumexp, "forgets_the_largest"}}) {
    const Problem problem = make_problem(op, DType::f32, 20'011, CacheMode::warm);
    const std::string real = "redtune::" + std::string(to_string(op));
    const auto breaks = [&, name = std::string(broken)](const Settings& settings) {
      std::string kernel = kernels::ReduceFamily().name_expressions(settings, problem, 1).front();
      kernel.replace(kernel.find(real), real.size(), "redtune::" + name);
      return kernel.substr(std::string("redtune::").size());
    };
    const BrokenFamily family(breaks, broken_operators, BrokenFamily::Text::alone);
    HostEvaluator evaluator(family, problem);
    const auto failure = evaluator->challenge(evaluator.default_point());
    ASSERT_TRUE(failure) << broken;
    EXPECT_EQ(status_of(failure->outcome), "wrong_result") << broken;
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
