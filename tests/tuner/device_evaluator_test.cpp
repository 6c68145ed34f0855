// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Real kernels on the host device: right ones are measured, and every kind of wrong one is found.
#include "tuner/session/device_evaluator.hpp"

#include <gtest/gtest.h>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "redtune/find_best.hpp"
#include "tests/tuner/broken_family.hpp"

namespace redtune::tuner {
namespace {

constexpr const char* plain =
    "finish=single_block block_size=64 items_per_thread=4 vector_width=4 blocks_per_unit=0";

class DeviceEvaluatorTest : public ::testing::Test {
 protected:
  /// Evaluates configs; a config whose block_size is 64 is replaced by this kernel.
  std::vector<Evaluation> evaluate(const std::string& kernel,
                                   const std::vector<std::string>& configs) {
    breaks_ = kernel;
    std::vector<search::Point> points;
    for (const std::string& text : configs) points.push_back(point(text));
    return evaluator_.evaluate(points);
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
  std::unique_ptr<device::Device> device_ = device::host::make_host_device({.threads = 2});
  device::host::HostCompiler compiler_;
  Problem problem_ = make_problem(Op::sum, DType::f32, 10000);
  DeviceEvaluator evaluator_{
      {device_.get(), &family_, problem_, 1},
      CompilePool({&compiler_, "host", "native", family_.device_text(problem_)}, {}, 1)};
};

TEST_F(DeviceEvaluatorTest, MeasuresRightConfigsAndTimesThemAgainstEachOther) {
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

  const Rounds rounds =
      evaluator_.time_rounds(std::vector{point(configs[0]), point(configs[1])}, 3);
  ASSERT_EQ(rounds.size(), 3u);
  for (const auto& round : rounds) {
    ASSERT_EQ(round.size(), 2u);
    for (const double us : round) EXPECT_GT(us, 0);
  }
}

TEST_F(DeviceEvaluatorTest, EvaluatesNothingWhenNothingIsAsked) {
  EXPECT_TRUE(evaluate("", {}).empty());
}

TEST_F(DeviceEvaluatorTest, KeepsTheCompilersLogOfAConfigThatDoesNotCompile) {
  const auto evaluations = evaluate("there_is_no_such_kernel",
                                    {"finish=single_block block_size=16 blocks_per_unit=0", plain});
  EXPECT_TRUE(cost_of(evaluations[0].outcome)) << "a neighbour in the batch suffers";
  const auto* failed = std::get_if<CompileFailed>(&evaluations[1].outcome);
  ASSERT_NE(failed, nullptr) << status_of(evaluations[1].outcome);
  EXPECT_NE(failed->why.find("there_is_no_such_kernel"), std::string::npos) << failed->why;
}

TEST_F(DeviceEvaluatorTest, FindsAWrongResult) {
  const Outcome outcome = outcome_of("writes_one");
  ASSERT_TRUE(std::holds_alternative<WrongResult>(outcome)) << status_of(outcome);
  EXPECT_NE(detail_of(outcome).find("got 1 (of 10000 elements)"), std::string::npos)
      << detail_of(outcome);
}

TEST_F(DeviceEvaluatorTest, FindsThatNothingWasWritten) {
  EXPECT_EQ(status_of(outcome_of("writes_nothing")), "wrong_result");
}

TEST_F(DeviceEvaluatorTest, FindsAWriteBesideTheOutput) {
  EXPECT_EQ(detail_of(outcome_of("writes_past_its_output")),
            "wrote past its output (of 10000 elements)");
}

TEST_F(DeviceEvaluatorTest, FindsAWriteBeforeTheOutput) {
  EXPECT_EQ(detail_of(outcome_of("writes_before_its_output")),
            "wrote before its output (of 10000 elements)");
}

TEST_F(DeviceEvaluatorTest, FindsAConfigThatHangsAtABarrierAndGoesOn) {
  const Outcome outcome = outcome_of("hangs");
  ASSERT_TRUE(std::holds_alternative<LaunchFailed>(outcome)) << status_of(outcome);
  EXPECT_NE(detail_of(outcome).find("hangs"), std::string::npos) << detail_of(outcome);
  EXPECT_TRUE(cost_of(evaluate("", {plain})[0].outcome)) << "the device does not work any more";
}

TEST(DeviceEvaluatorEdges, BelievesNoSampleThatIsFasterThanTheDevicesPeak) {
  const auto device = device::host::make_host_device({.threads = 2});
  const device::host::HostCompiler compiler;
  const kernels::Family& family = kernels::find_family("reduce");
  const Problem problem = make_problem(Op::sum, DType::f32, 10000);
  for (const double peak_gbps : {1e-6, 1e6}) {
    DeviceEvaluator evaluator(
        {device.get(), &family, problem, 1, peak_gbps},
        CompilePool({&compiler, "host", "native", family.device_text(problem)}, {}, 1));
    const std::vector points{family.point_of(family.default_settings(problem, device->limits()))};
    const Outcome outcome = evaluator.evaluate(points)[0].outcome;
    EXPECT_EQ(status_of(outcome), peak_gbps < 1 ? "implausible" : "ok") << detail_of(outcome);
  }
}

TEST(DeviceEvaluatorEdges, MeasuresTinyAndEmptyProblemsWarmAndCold) {
  const auto device = device::host::make_host_device({.threads = 2});
  const device::host::HostCompiler compiler;
  const kernels::Family& family = kernels::find_family("reduce");
  for (const std::int64_t count : {0, 1, 17}) {
    for (const CacheMode mode : {CacheMode::cold, CacheMode::warm}) {
      const Problem problem = make_problem(Op::max, DType::u64, count, mode);
      DeviceEvaluator evaluator(
          {device.get(), &family, problem, 1},
          CompilePool({&compiler, "host", "native", family.device_text(problem)}, {}, 1));
      const std::vector points{family.point_of(family.default_settings(problem, device->limits()))};
      const Outcome outcome = evaluator.evaluate(points)[0].outcome;
      EXPECT_TRUE(std::holds_alternative<Measured>(outcome))
          << describe(problem) << ": " << status_of(outcome) << " " << detail_of(outcome);
    }
  }
}

}  // namespace
}  // namespace redtune::tuner
