// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Who goes to the final.
#include "tuner/measure/finalists.hpp"

#include <gtest/gtest.h>

namespace redtune::tuner {
namespace {

constexpr CandidateId default_id{0};

/// Candidate i takes so long.
std::vector<TimedCandidate> candidates(std::size_t count, double first_us, double step_us) {
  std::vector<TimedCandidate> all;
  for (std::size_t i = 0; i < count; ++i) {
    const double us = first_us + step_us * static_cast<double>(i);
    all.push_back({CandidateId{i}, {us, us, us}});
  }
  return all;
}

std::vector<std::size_t> numbers(const std::vector<CandidateId>& finalists) {
  std::vector<std::size_t> all;
  for (const CandidateId finalist : finalists) all.push_back(static_cast<std::size_t>(finalist));
  return all;
}

TEST(Finalists, AreTheBestEightAndTheDefaultWhichIsFirst) {
  auto all = candidates(40, 10, 1);
  all[0].time_us = {90, 90, 90};
  EXPECT_EQ(numbers(choose_finalists(all, {0, default_id})),
            (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Finalists, CountTheDefaultOnceWhenItIsAmongTheBest) {
  EXPECT_EQ(choose_finalists(candidates(40, 10, 1), {0, default_id}).size(), 8U);
}

TEST(Finalists, AreFewerWhereFewerAreEnough) {
  EXPECT_EQ(
      choose_finalists(candidates(40, 10, 1), {.default_candidate = CandidateId{39}, .best = 5})
          .size(),
      1U + 5U);
}

TEST(Finalists, AreTwoPercentOfMany) {
  EXPECT_EQ(choose_finalists(candidates(600, 10, 1), {0, CandidateId{599}}).size(), 1U + 12U);
}

TEST(Finalists, AreAllWithinTheNoiseUpToABound) {
  const auto all = candidates(40, 10, 0.02);  // 0.2 % apart
  EXPECT_EQ(choose_finalists(all, {0.0001, CandidateId{39}}).size(), 1U + 8U);
  EXPECT_EQ(choose_finalists(all, {0.0201, CandidateId{39}}).size(), 1U + 11U);
  EXPECT_EQ(choose_finalists(all, {0.05, CandidateId{39}}).size(), 1U + most_finalists);
}

TEST(Finalists, HoldTheStandingWinnerHoweverSlow) {
  const auto all = candidates(40, 10, 1);
  EXPECT_EQ(numbers(choose_finalists(all, {0, default_id, CandidateId{33}}))[1], 33U);
  EXPECT_EQ(choose_finalists(candidates(40, 10, 0), {0, CandidateId{39}, CandidateId{38}}).size(),
            1U + most_finalists);
  EXPECT_EQ(numbers(choose_finalists(all, {0, default_id, default_id})),
            (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Finalists, AreTheDefaultAloneWhenNothingElseWasMeasured) {
  EXPECT_EQ(numbers(choose_finalists({}, {0, default_id})), (std::vector<std::size_t>{0}));
}

}  // namespace
}  // namespace redtune::tuner
