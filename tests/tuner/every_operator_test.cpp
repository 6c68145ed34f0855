// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels as they are, for every operator and type, judged as tuning judges them: the ordinary
// inputs and those made to find mistakes.
#include <gtest/gtest.h>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "tests/tuner/problems.hpp"
#include "tuner/session/device_evaluator.hpp"

namespace redtune::tuner {
namespace {

class EveryOperator : public testing::TestWithParam<Op> {};

TEST_P(EveryOperator, IsRightInTheDefaultConfigAndUnderChallenge) {
  const auto device = device::host::make_host_device({.threads = 2});
  const device::host::HostCompiler compiler;
  const kernels::Family& family = kernels::find_family("reduce");
  for (const Problem& problem : all_pairs(20011)) {
    if (problem.op != GetParam()) continue;
    DeviceEvaluator evaluator(
        {device.get(), &family, problem, 1},
        CompilePool({&compiler, "host", "native", family.device_text(problem)}, {}, 2));
    const std::vector points{family.point_of(family.default_settings(problem, device->limits()))};
    const Outcome outcome = evaluator.evaluate(points)[0].outcome;
    EXPECT_TRUE(cost_of(outcome)) << describe(problem) << ": " << status_of(outcome) << " "
                                  << detail_of(outcome);
    if (!cost_of(outcome)) continue;
    const auto failure = evaluator.challenge(points)[0];
    EXPECT_FALSE(failure.has_value()) << describe(problem) << ": " << detail_of(*failure);
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
