// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Inputs made to find mistakes: right loops pass them, and loops with a mistake do not.
#include "tuner/verify/adversary.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "tests/tuner/naive.hpp"
#include "tests/tuner/problems.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::tuner {
namespace {

TEST(Adversaries, AcceptTheNaiveLoopForEveryProblem) {
  for (const std::int64_t count : {0, 1, 2, 65, 500}) {
    for (const Problem& problem : count == 65 ? all_problems(count) : all_pairs(count)) {
      for (const Adversary& adversary : adversaries_of(problem)) {
        const auto data = adversarial_input(problem, adversary);
        const auto got = naive::result_of(problem, data);
        EXPECT_EQ(why_wrong(problem, reference_of(problem, data), count, got.data()), "")
            << describe(problem) << " " << to_string(adversary);
      }
    }
  }
}

/// A kernel that never looks at the element at the head, in the middle or at the tail.
TEST(Adversaries, FindAnElementThatIsLeftOutForEveryOperatorAndType) {
  for (const Problem& problem : all_pairs(65)) {
    const std::size_t element = size_of(problem.in);
    for (const std::size_t left_out : {0U, 32U, 64U}) {
      const bool is_found =
          std::ranges::any_of(adversaries_of(problem), [&](const auto& adversary) {
            const auto data = adversarial_input(problem, adversary);
            auto less = data;
            const auto at = less.begin() + static_cast<std::ptrdiff_t>(left_out * element);
            less.erase(at, at + static_cast<std::ptrdiff_t>(element));
            const auto got = naive::result_of(problem, less);
            return !why_wrong(problem, reference_of(problem, data), 6, got.data()).empty();
          });
      EXPECT_TRUE(is_found) << describe(problem) << " without element " << left_out;
    }
  }
}

TEST(Adversaries, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  const auto all = adversaries_of(make_problem(Op::sum, DType::f32, 10));
  for (const Adversary& adversary : all) names.insert(to_string(adversary));
  EXPECT_EQ(names.size(), all.size());
  EXPECT_TRUE(names.contains("one_nan at the tail"));
  EXPECT_GT(all.size(), 25U);
}

TEST(Adversaries, OfIntegersHoldNoFloats) {
  for (const Adversary& adversary : adversaries_of(make_problem(Op::sum, DType::i8, 10))) {
    EXPECT_EQ(to_string(adversary).find("nan"), std::string::npos);
  }
}

TEST(Adversaries, StandInEachResultOfAShape) {
  const Adversary tail{Trick::one_nonzero, Place::tail};
  const auto of_three = adversarial_input(make_problem(Op::sum, DType::u8, 3), tail);
  const auto all =
      adversarial_input(make_problem(Op::sum, DType::u8, Shape{3, 2, 2}), tail);  // outer, inner: 2
  ASSERT_EQ(all.size(), 12U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], of_three[i / 2 % 3]) << i;
}

}  // namespace
}  // namespace redtune::tuner
