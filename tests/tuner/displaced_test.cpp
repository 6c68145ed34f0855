// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Tunes of rows whose finalists are timed off the alignment of vectors as well.
#include <atomic>
#include <gtest/gtest.h>

#include "tests/tuner/fake_evaluator.hpp"
#include "tuner/session/tune.hpp"
#include "tuner/tuner.hpp"

namespace redtune::tuner {
namespace {

const Problem rows = make_problem(Op::sum, DType::f32, Shape::rows(1 << 14, 64));

/// Configs are alike but for the default, which is `slower` than others, and off the alignment of
/// vectors twice as fast.
struct DisplacedTune {
  TuneRequest request = request_for_gpu();
  std::atomic<bool> stop = false;
  FakeEvaluator evaluator;

  explicit DisplacedTune(double slower = 1.008, const Problem& problem = rows)
      : evaluator([this, slower](
                      const auto& point) { return measured(is_usual(point) ? 100 * slower : 100); },
                  0.0001) {
    request.problem = problem;
    request.family = &kernels::family_of(problem);
    request.stop = &stop;
    evaluator.displaced_us = [this](const auto& point) { return displaced_us(point); };
  }
  [[nodiscard]] bool is_usual(const search::Point& point) const {
    return point == default_point(request);
  }
  [[nodiscard]] double displaced_us(const search::Point& point) const {
    return is_usual(point) ? 110 : 220;
  }
  [[nodiscard]] TuneResult run() { return tune(request, evaluator, {}); }
};

TEST(DisplacedTune, KeepsTheDefaultWhereOthersAreSlowOffTheAlignmentOfVectors) {
  DisplacedTune kept;
  const TuneResult result = kept.run();
  EXPECT_EQ(result.winner(), result.default_settings);
  EXPECT_TRUE(result.decision.passed_over.has_value());
  EXPECT_GE(kept.evaluator.timed_displaced.size(), 2U);
}

TEST(DisplacedTune, TimesNoDefaultThatCannotWin) {
  DisplacedTune slow(1.05);
  const TuneResult result = slow.run();
  EXPECT_NE(result.winner(), result.default_settings);
  EXPECT_FALSE(slow.evaluator.timed_displaced.empty());
  for (const search::Point& point : slow.evaluator.timed_displaced) {
    EXPECT_FALSE(slow.is_usual(point));
  }
}

TEST(DisplacedTune, TimesNobodySoWhereRowsBeginEverywhere) {
  DisplacedTune odd(1.008, make_problem(Op::sum, DType::f32, Shape::rows(1 << 14, 65)));
  EXPECT_NE(odd.run().decision.winner, 0U);
  EXPECT_TRUE(odd.evaluator.timed_displaced.empty());
}

TEST(DisplacedTune, HasToldWhatItKeepsAlsoWhereItIsStoppedThen) {
  DisplacedTune kept;
  kept.evaluator.displaced_us = [&](const search::Point& point) {
    kept.stop = true;
    return kept.displaced_us(point);
  };
  const TuneResult result = kept.run();
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.decision.passed_over.has_value());
  EXPECT_FALSE(result.is_undecided);
}

TEST(DisplacedTune, DecidesByItsFinalWhereNothingCanBeTimedSo) {
  DisplacedTune kept;
  kept.evaluator.no_displaced = "faster than the device reads";
  const TuneResult result = kept.run();
  EXPECT_TRUE(result.decision.significant);
  EXPECT_TRUE(result.decision.displaced_us.empty());
}

}  // namespace
}  // namespace redtune::tuner
