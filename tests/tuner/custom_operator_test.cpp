// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Custom operators on the host device: broken promises are told with the values that break them,
// and results are judged by what plain kernels of the same device find.
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "redtune/error.hpp"
#include "redtune/find_best.hpp"
#include "tests/tuner/broken_family.hpp"
#include "tests/tuner/host_evaluator.hpp"
#include "tuner/verify/custom_reference.hpp"
#include "tuner/verify/input.hpp"
#include "tuner/verify/operator_samples.hpp"

namespace redtune::tuner {
namespace {

/// A struct with these bodies.
CustomOp operator_of(const std::string& identity, const std::string& combine,
                     const std::string& more = "") {
  return {"my.hpp", "struct custom {\n  static accumulator identity() { " + identity +
                        " }\n  static accumulator combine(accumulator a, accumulator b) { " +
                        combine + " }\n" + more + "};\n"};
}

const std::string lse =
    "if (a == b && a < -1e30f) return a;\n"
    "    const accumulator m = a < b ? b : a;\n"
    "    return m + log(1 + exp((a < b ? a : b) - m));";

class CustomOperatorTest : public testing::Test {
 protected:
  [[nodiscard]] OperatorProgram program(const Problem& problem) const {
    const kernels::Family& family = kernels::find_family("reduce");
    return {*device_, family, problem,
            CompilePool({&compiler_, "host", "native", family.device_text(problem)}, {}, 1)};
  }
  /// What is said of an operator that is tried on samples; empty: nothing.
  [[nodiscard]] std::string complaint(const CustomOp& op, DType in,
                                      const ProblemChoices& choices = {}) const {
    try {
      require_sound(program(make_problem(op, in, 1000, choices)), 1);
      return {};
    } catch (const UsageError& error) {
      return error.what();
    }
  }
  /// The reference of count elements that are generated, offset elements off the start.
  [[nodiscard]] CustomReference reference_of(const Problem& problem) const {
    const auto input = make_input(make_problem(Op::sum, problem.in, problem.count), 1);
    const device::Buffer memory = device_->allocate(input.size());
    device_->copy_to_device(memory.data(), input.data(), input.size());
    return custom_reference(program(problem), memory.data(), problem.count);
  }

  device::host::HostCompiler compiler_;
  std::unique_ptr<device::Device> device_ = device::host::make_host_device({.threads = 2});
};

TEST_F(CustomOperatorTest, LetsSoundOperatorsPassWithEveryType) {
  for (const DTypeInfo& in : all_dtypes()) {
    EXPECT_EQ(complaint(operator_of("return 0;", "return a + b;"), in.dtype), "") << in.name;
  }
}

TEST_F(CustomOperatorTest, LetsRoundingPass) {
  const std::string magnitude = "static accumulator transform(element x) { return fabs(x); }\n";
  const std::string fourth = "static accumulator transform(element x) { return x * x * x * x; }\n";
  for (const DType in : {DType::f16, DType::f32, DType::f64}) {
    EXPECT_EQ(complaint(operator_of("return 0;", "return a + b;", fourth), in), "");
    EXPECT_EQ(complaint(operator_of("return 1;", "return a * b;"), in), "");
    EXPECT_EQ(complaint(operator_of("return 0;", "return a < b ? b : a;", magnitude), in), "");
    EXPECT_EQ(complaint(operator_of("return -1.0f / 0.0f;", lse), in), "");
    EXPECT_EQ(complaint(operator_of("return 0;", "return hypot(a, b);", magnitude), in), "");
  }
}

TEST_F(CustomOperatorTest, TellsTheValuesThatBreakAPromise) {
  EXPECT_EQ(complaint(operator_of("return 1;", "return a + b;"), DType::i32),
            "my.hpp: identity() is not neutral: combine(identity(), identity()) is 2, not 1");
  EXPECT_EQ(
      complaint(operator_of("return 100;", "return a < b ? a : b;"), DType::f32).substr(0, 62),
      "my.hpp: identity() is not neutral: combine(identity(), 3.40282");
  EXPECT_EQ(complaint(operator_of("return 0;", "return a - b;"), DType::f32),
            "my.hpp: identity() is not neutral: combine(identity(), 1) is -1, not 1");
  EXPECT_EQ(complaint(operator_of("return 0;", "return b;"), DType::f64),
            "my.hpp: identity() is not neutral: combine(1, identity()) is 0, not 1");
  EXPECT_EQ(complaint(operator_of("return 0;", "return a == 0 ? b : b == 0 ? a : a;"), DType::u8),
            "my.hpp: not commutative: combine(1, 2) is 1, combine(2, 1) is 2");
  EXPECT_EQ(complaint(operator_of("return 0;", "return a > b ? a - b : b - a;"), DType::i64),
            "my.hpp: not associative: combine(combine(1, 1), 2) is 2, combine(1, combine(1, 2)) is "
            "0");
}

/// A sum in floats that loses a thousandth is no rounding.
TEST_F(CustomOperatorTest, SeesSmallViolationsInFloats) {
  for (const std::string combine :
       {"return a + b + a * b * (a - b) * 1e-3f;", "return (a + b) * (a * b == 0 ? 1 : 1.001f);"}) {
    const std::string said = complaint(operator_of("return 0;", combine), DType::f32);
    EXPECT_EQ(said.substr(0, 12), "my.hpp: not ") << combine << ": " << said;
  }
}

TEST_F(CustomOperatorTest, SaysWhatTheCompilerSaysWithTheLineOfTheText) {
  const std::string said = complaint(operator_of("return 0;", "return a + c;"), DType::f32);
  EXPECT_EQ(said.substr(0, 9), "my.hpp:3:") << said;
  EXPECT_NE(said.find("static accumulator combine"), std::string::npos) << said;
}

template <class T>
std::string judged(const Problem& problem, const CustomReference& reference, T value) {
  return why_wrong(problem, reference, 100, &value);
}

TEST_F(CustomOperatorTest, ComparesIntegersExactly) {
  const Problem problem = make_problem(operator_of("return 0;", "return a ^ b;"), DType::u32, 777);
  const auto input = make_input(make_problem(Op::sum, DType::u32, 777), 1);
  std::uint64_t right = 0;
  for (std::size_t i = 0; i < 777; ++i) {
    std::uint32_t x = 0;
    std::memcpy(&x, &input[4 * i], 4);
    right ^= x;
  }
  const CustomReference reference = reference_of(problem);
  EXPECT_EQ(judged<std::uint64_t>(problem, reference, right), "");
  EXPECT_EQ(judged<std::uint64_t>(problem, reference, right + 1),
            fmt::format("expected {}, got {}", right, right + 1));
}

TEST_F(CustomOperatorTest, FoldsByBlocksThatEveryWaveSizeTakes) {
  const Problem problem = make_problem(operator_of("return 0;", "return a + b;"), DType::u8, 5000);
  const long double right = reference_of(problem).values.front().low;
  for (const int wave_size : {32, 64}) {
    device_ = device::host::make_host_device({.wave_size = wave_size, .threads = 2});
    EXPECT_EQ(complaint(problem.custom, DType::u8), "");
    EXPECT_EQ(reference_of(problem).values.front().high, right) << wave_size;
  }
}

TEST_F(CustomOperatorTest, ComparesFloatsWithinWhatOrdersDifferBy) {
  const Problem problem = make_problem(operator_of("return 0;", "return a + b;"), DType::f32, 4000);
  const CustomReference reference = reference_of(problem);
  const ValueReference& value = reference.values.front();
  const auto middle = static_cast<float>((value.low + value.high) / 2);
  EXPECT_LT(value.high - value.low, 0.1L) << "rounds more than it should";
  EXPECT_EQ(judged(problem, reference, middle), "");
  EXPECT_NE(judged(problem, reference, middle + 1), "");
  EXPECT_NE(judged(problem, reference, std::nanf("")), "");
}

TEST_F(CustomOperatorTest, KnowsTheResultOfNothing) {
  const std::string finish = "static result finish(accumulator a, i64 n) { return a + n + 5; }\n";
  const Problem problem =
      make_problem(operator_of("return 0;", "return a + b;", finish), DType::i32, 0);
  const CustomReference reference = reference_of(problem);
  EXPECT_EQ(judged<std::int64_t>(problem, reference, 5), "");
  EXPECT_NE(judged<std::int64_t>(problem, reference, 0), "");
}

TEST_F(CustomOperatorTest, ExpectsNanWhereEveryOrderGivesNan) {
  const std::string nan = "static accumulator transform(element) { return 0.0f / 0.0f; }\n";
  const Problem problem =
      make_problem(operator_of("return 0;", "return a + b;", nan), DType::f32, 10);
  const CustomReference reference = reference_of(problem);
  EXPECT_TRUE(reference.values.front().is_nan);
  EXPECT_EQ(judged(problem, reference, std::nanf("")), "");
  EXPECT_EQ(judged(problem, reference, 1.0F), "expected NaN, got 1");
}

/// What samples did not show, the input may.
TEST_F(CustomOperatorTest, RefusesIntegersThatDependOnTheOrder) {
  const Problem problem = make_problem(operator_of("return 0;", "return a - b;"), DType::i32, 100);
  try {
    (void)reference_of(problem);
    FAIL() << "not noticed";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 45),
              "my.hpp: not associative: 100 elements come to");
  }
}

TEST_F(CustomOperatorTest, FindsAWrongConfigAmongRightOnes) {
  const std::string magnitude = "static accumulator transform(element x) { return fabs(x); }\n";
  const Problem problem =
      make_problem(operator_of("return 0;", "return a + b;", magnitude), DType::f32, 10000);
  const BrokenFamily family([](const Settings& settings) {
    return value_of(settings, "block_size") == "64" ? "writes_one" : "";
  });
  HostEvaluator evaluator(family, problem);
  const std::vector points{
      family.point_of(parse_settings("finish=single_block block_size=64 blocks_per_unit=0")),
      family.point_of(parse_settings("finish=last_block block_size=16 blocks_per_unit=2"))};
  const auto evaluations = evaluator->evaluate(points);
  EXPECT_EQ(status_of(evaluations[0].outcome), "wrong_result");
  EXPECT_TRUE(cost_of(evaluations[1].outcome)) << detail_of(evaluations[1].outcome);
  EXPECT_TRUE(evaluator->challenge(points[0]));
  const auto right = evaluator->challenge(points[1]);
  EXPECT_FALSE(right) << detail_of(right->outcome);
}

}  // namespace
}  // namespace redtune::tuner
