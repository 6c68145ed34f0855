// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Real kernels on the host device: right ones are measured, and every kind of wrong one is found.
#include "tuner/session/bench_evaluator.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "redtune/find_best.hpp"
#include "tests/tuner/broken_family.hpp"
#include "tests/tuner/host_evaluator.hpp"

namespace redtune::tuner {
namespace {

constexpr const char* plain =
    "finish=single_block block_size=64 items_per_thread=4 vector_width=4 blocks_per_unit=0";

class BenchEvaluatorTest : public ::testing::Test {
 protected:
  /// Evaluates configs; a config whose block_size is 64 is replaced by this kernel.
  std::vector<Evaluation> evaluate(const std::string& kernel,
                                   const std::vector<std::string>& configs) {
    breaks_ = kernel;
    std::vector<search::Point> points;
    for (const std::string& text : configs) points.push_back(point(text));
    return evaluator_->evaluate(points);
  }
  /// What becomes of that kernel.
  Outcome outcome_of(const std::string& kernel) { return evaluate(kernel, {plain})[0].outcome; }

  [[nodiscard]] search::Point point(const std::string& text) const {
    return family_.point_of(parse_settings(text));
  }

  std::string breaks_;
  BrokenFamily family_{[this](const Settings& settings) {
    return value_of(settings, "block_size") == "64" ? breaks_ : std::string();
  }};
  HostEvaluator evaluator_{family_, make_problem(Op::sum, DType::f32, 10000)};
};

TEST_F(BenchEvaluatorTest, TriesInAnyOrderWhatIsCompiledBehind) {
  const Problem problem = make_problem(Op::sum, DType::f32, 10000);
  HostEvaluator behind(family_, problem, 0, nullptr, true);
  std::vector<search::Point> points;
  for (const char* size : {"64", "32", "16", "8"}) {
    points.push_back(
        point(fmt::format("finish=single_block block_size={} items_per_thread=4 "
                          "vector_width=4 blocks_per_unit=0",
                          size)));
  }
  behind->prepare(std::span(points).first(1));
  behind->prepare(std::span(points).subspan(1, 2));
  behind->prepare(std::span(points).subspan(3));
  for (const std::size_t i : {2, 0, 3, 1}) {
    const Evaluation evaluation = behind->evaluate({&points[i], 1}).front();
    EXPECT_TRUE(cost_of(evaluation.outcome)) << i << ": " << detail_of(evaluation.outcome);
    EXPECT_GT(evaluation.compile_ms, 0) << i;
  }
}

TEST_F(BenchEvaluatorTest, MeasuresRightConfigsAndTimesThemAgainstEachOther) {
  const std::vector<std::string> configs{
      plain, "finish=last_block block_size=16 items_per_thread=8 vector_width=2 blocks_per_unit=2",
      "finish=second_pass block_size=8 items_per_thread=4 vector_width=1 blocks_per_unit=4"};
  const auto evaluations = evaluate("", configs);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const Outcome& outcome = evaluations[i].outcome;
    // The race may stop a slow one early; all are right.
    ASSERT_TRUE(cost_of(outcome)) << status_of(outcome) << ": " << detail_of(outcome);
    EXPECT_GT(*cost_of(outcome), 0);
    EXPECT_GT(evaluations[i].compile_ms, 0);
    EXPECT_GT(evaluations[i].wall_ms, 0);
  }
  EXPECT_TRUE(std::holds_alternative<Measured>(evaluations[0].outcome)) << "the first has no rival";
  EXPECT_EQ(evaluate("", {plain})[0].compile_ms, 0) << "compiled twice";

  const auto final = evaluator_->confirm(std::vector{point(configs[0]), point(configs[1])},
                                         {.least_rounds = 3, .most_rounds = 3});
  const auto& rounds = std::get<Rounds>(final);
  ASSERT_EQ(rounds.size(), 3u);
  for (const auto& round : rounds) {
    ASSERT_EQ(round.size(), 2u);
    for (const double us : round) EXPECT_GT(us, 0);
  }
  EXPECT_EQ(evaluator_.benches(), 2) << "the final begins on a fresh bench";
}

TEST_F(BenchEvaluatorTest, EvaluatesNothingWhenNothingIsAsked) {
  EXPECT_TRUE(evaluate("", {}).empty());
}

TEST_F(BenchEvaluatorTest, KeepsTheCompilersLogOfAConfigThatDoesNotCompile) {
  const auto evaluations = evaluate("there_is_no_such_kernel",
                                    {"finish=single_block block_size=16 blocks_per_unit=0", plain});
  EXPECT_TRUE(cost_of(evaluations[0].outcome)) << "a neighbour in the batch suffers";
  const auto* failed = std::get_if<CompileFailed>(&evaluations[1].outcome);
  ASSERT_NE(failed, nullptr) << status_of(evaluations[1].outcome);
  EXPECT_NE(failed->why.find("there_is_no_such_kernel"), std::string::npos) << failed->why;
}

TEST_F(BenchEvaluatorTest, FindsAWrongResult) {
  const Outcome outcome = outcome_of("writes_one");
  ASSERT_TRUE(std::holds_alternative<WrongResult>(outcome)) << status_of(outcome);
  EXPECT_NE(detail_of(outcome).find("got 1 (of 10000 elements)"), std::string::npos)
      << detail_of(outcome);
}

TEST_F(BenchEvaluatorTest, FindsThatNothingWasWritten) {
  EXPECT_EQ(status_of(outcome_of("writes_nothing")), "wrong_result");
}

TEST_F(BenchEvaluatorTest, FindsAWriteBesideTheOutput) {
  EXPECT_EQ(detail_of(outcome_of("writes_past_its_output")),
            "wrote past its output (of 10000 elements)");
}

TEST_F(BenchEvaluatorTest, FindsAWriteBeforeTheOutput) {
  EXPECT_EQ(detail_of(outcome_of("writes_before_its_output")),
            "wrote before its output (of 10000 elements)");
}

TEST_F(BenchEvaluatorTest, FindsAConfigThatHangsAtABarrierAndGoesOn) {
  const Outcome outcome = outcome_of("hangs");
  ASSERT_TRUE(std::holds_alternative<LaunchFailed>(outcome)) << status_of(outcome);
  EXPECT_NE(detail_of(outcome).find("hangs"), std::string::npos) << detail_of(outcome);
  EXPECT_TRUE(cost_of(evaluate("", {"finish=last_block block_size=16"})[0].outcome))
      << "the device does not work any more";
}

TEST(BenchEvaluatorEdges, BelievesNoSampleThatIsFasterThanTheDevicesPeak) {
  const kernels::Family& family = kernels::find_family("reduce");
  const Problem problem = make_problem(Op::sum, DType::f32, 10000);
  for (const double peak_bytes_per_us : {1e-6, 1e6}) {
    HostEvaluator evaluator(family, problem, peak_bytes_per_us);
    const Outcome outcome = evaluator->evaluate(std::vector{evaluator.default_point()})[0].outcome;
    EXPECT_EQ(status_of(outcome), peak_bytes_per_us < 1 ? "implausible" : "ok")
        << detail_of(outcome);
  }
}

TEST(BenchEvaluatorEdges, MeasuresTinyAndEmptyProblemsWarmAndCold) {
  const kernels::Family& family = kernels::find_family("reduce");
  for (const std::int64_t count : {0, 1, 17}) {
    for (const CacheMode mode : {CacheMode::cold, CacheMode::warm}) {
      const Problem problem = make_problem(Op::max, DType::u64, count, mode);
      HostEvaluator evaluator(family, problem);
      const Outcome outcome =
          evaluator->evaluate(std::vector{evaluator.default_point()})[0].outcome;
      EXPECT_TRUE(std::holds_alternative<Measured>(outcome))
          << describe(problem) << ": " << status_of(outcome) << " " << detail_of(outcome);
    }
  }
}

}  // namespace
}  // namespace redtune::tuner
