// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What 'redtune ladder' says of times that nobody had to take.
#include "cli/report/ladder_report.hpp"

#include <gtest/gtest.h>

namespace redtune::cli {
namespace {

LadderRow row_of(const std::string& step, const StepTimes& times) {
  LadderRow row;
  row.step = &kernels::find_ladder_step(step);
  row.attempts.push_back({.variant = {}, .launches = 2, .longest_chain = 10, .times = times});
  return row;
}

/// Of the second the kernels alone are said to take longer than everything.
LadderResult one_that_cannot_be() {
  LadderResult result;
  result.problem = make_problem(Op::sum, DType::f32, 1 << 20);
  result.rows.push_back(row_of("tree_interleaved", {.kernel_us = {99, 100, 103},
                                                    .samples = 9,
                                                    .executions = 1,
                                                    .system_us = {88, 90, 91},
                                                    .system_samples = 3}));
  result.rows.push_back(row_of("tree_less_divergence", {.kernel_us = {7700, 7747, 7800},
                                                        .samples = 9,
                                                        .executions = 1,
                                                        .system_us = {210, 214, 220},
                                                        .system_samples = 3}));
  return result;
}

TEST(LadderReport, ShowsIntervalsInTheUnitOfTheTime) {
  const std::string text = text_of(one_that_cannot_be(), {});
  EXPECT_NE(text.find("  100 us   99.0 to 103  "), std::string::npos) << text;
  EXPECT_NE(text.find("7.75 ms !  7.70 to 7.80  "), std::string::npos) << text;
}

TEST(LadderReport, FlagsATimeThatCannotBe) {
  const std::string text = text_of(one_that_cannot_be(), {});
  EXPECT_NE(text.find("\n!       tree_less_divergence: its kernels alone took 7.70 ms to 7.80 ms"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("tree_interleaved:"), std::string::npos) << "within what another load may be";
  const Json steps = json_of(one_that_cannot_be(), {}).at("steps");
  EXPECT_FALSE(steps[0].contains("contradiction"));
  EXPECT_TRUE(steps[1].contains("contradiction"));
}

}  // namespace
}  // namespace redtune::cli
