// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators that come as text: every shape of their struct, with every element type, gives what
// the host computes; and what cannot be an operator is refused with the line that is wrong.
#include "kernel_templates/custom_operator.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

#include "device/host/host_compiler.hpp"
#include "device/host/host_identity.hpp"
#include "device/host/host_platform.hpp"
#include "redtune/error.hpp"
#include "runtime/loaded_config.hpp"
#include "tests/kernels/config_samples.hpp"

namespace redtune {
namespace {

/// Which of the optional functions a struct has.
struct Shape {
  bool transforms = false;
  bool finishes = false;
};

/// All numbers that appear are whole and small, so floats compute them exactly. An element that is
/// left out, or a zero that is none of the input's, changes the result.
CustomOp operator_of(const Shape& shape) {
  std::string source =
      "struct custom {\n"
      "  static accumulator identity() { return 0; }\n"
      "  static accumulator combine(accumulator a, accumulator b) { return a + b; }\n";
  if (shape.transforms)
    source += "  static accumulator transform(element x) { return x * x + 1; }\n";
  if (shape.finishes)
    source += "  static result finish(accumulator a, i64 n) { return a + 2 * n; }\n";
  return {"sum.hpp", source + "};\n"};
}

template <class T>
T number_of(std::int64_t value) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(value);
  return T(static_cast<float>(value));
}

std::int64_t element_at(std::int64_t i) {
  return (i * 7 + i / 5) % 4;
}

std::int64_t expected(const Shape& shape, std::int64_t count) {
  std::int64_t sum = shape.finishes ? 2 * count : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t x = element_at(i);
    sum += shape.transforms ? x * x + 1 : x;
  }
  return sum;
}

/// Compiled configs of one problem on a host device.
class Reduction {
 public:
  Reduction(const Problem& problem, int wave_size, std::size_t number)
      : problem_(problem),
        options_{.wave_size = wave_size, .order = device::host::LaneOrder::random, .threads = 3},
        device_(device::host::make_host_device(options_)) {
    const kernels::Family& family = kernels::find_family("reduce");
    const Limits limits = device_->limits();
    const auto configs = checks::sample(family, problem, limits, number, 3);
    std::vector<std::string> names;
    std::vector<std::size_t> ends;
    for (const Settings& settings : configs) {
      for (auto& name : family.name_expressions(settings, problem, limits.wave_size)) {
        names.push_back(std::move(name));
      }
      ends.push_back(names.size());
    }
    auto result = device::host::HostCompiler(device::host::AlignmentCheck::on)
                      .compile({family.device_text(problem), names, "native"});
    if (auto* failure = std::get_if<device::CompileFailure>(&result)) throw Error(failure->log);
    const auto& program = std::get<device::CompiledProgram>(result);
    const std::shared_ptr<device::Module> module = device_->load(program.binary);
    std::size_t next = 0;
    for (std::size_t i = 0; i < configs.size(); ++i) {
      std::vector<device::Kernel> kernels;
      for (; next < ends[i]; ++next) {
        kernels.push_back(module->kernel(program.kernels[next].symbol));
      }
      loaded_.emplace_back(runtime::ConfigChoice{&family, problem, configs[i], limits}, module,
                           std::move(kernels));
    }
  }

  /// What each config makes of the bytes of an input that starts off all alignments but its own.
  [[nodiscard]] std::vector<std::vector<std::byte>> results(const std::vector<std::byte>& input) {
    const std::size_t element = size_of(problem_.in);
    std::vector<std::vector<std::byte>> all;
    for (const runtime::LoadedConfig& config : loaded_) {
      const runtime::Workspace workspace = config.make_workspace(*device_);
      const device::Buffer memory = device_->allocate(input.size() + element);
      auto* const in = static_cast<std::byte*>(memory.data()) + element;
      if (!input.empty()) device_->copy_to_device(in, input.data(), input.size());
      const device::Buffer out = device_->allocate(result_bytes(problem_));
      const auto count = static_cast<std::int64_t>(input.size() / element);
      device_->launch(config.launches({in, count, out.data()}, workspace), {});
      device_->synchronize({});
      device_->copy_to_host(all.emplace_back(out.bytes()).data(), out.data(), out.bytes());
    }
    return all;
  }

 private:
  Problem problem_;
  device::host::HostOptions options_;
  std::unique_ptr<device::Device> device_;
  std::vector<runtime::LoadedConfig> loaded_;
};

std::vector<std::byte> input_of(DType type, std::int64_t count) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * size_of(type));
  visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t i = 0; i < count; ++i) {
      const T x = number_of<T>(element_at(i));
      std::memcpy(&bytes[static_cast<std::size_t>(i) * sizeof(T)], &x, sizeof(T));
    }
  });
  return bytes;
}

void expect_right(Reduction& reduction, const Problem& problem, const Shape& shape) {
  for (const std::int64_t count : {0, 1, 33, 1000, 5003}) {
    visit_dtype(problem.out, [&]<class Out>(std::type_identity<Out>) {
      const Out right = number_of<Out>(expected(shape, count));
      for (const auto& bytes : reduction.results(input_of(problem.in, count))) {
        ASSERT_EQ(bytes.size(), sizeof(Out));
        EXPECT_EQ(std::memcmp(bytes.data(), &right, sizeof(Out)), 0)
            << describe(problem) << ", " << count << " elements";
      }
    });
  }
}

class CustomOperator : public testing::TestWithParam<std::tuple<int, Shape>> {};

TEST_P(CustomOperator, GivesTheRightResultForEveryType) {
  const auto& [wave_size, shape] = GetParam();
  std::size_t number = 0;
  for (const DTypeInfo& in : all_dtypes()) {
    const Problem problem = make_problem(operator_of(shape), in.dtype, 5003);
    Reduction reduction(problem, wave_size, ++number);
    expect_right(reduction, problem, shape);
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<int, Shape>>& info) {
  const auto& [wave_size, shape] = info.param;
  return fmt::format("wave{}{}{}", wave_size, shape.transforms ? "_transforms" : "",
                     shape.finishes ? "_finishes" : "");
}

INSTANTIATE_TEST_SUITE_P(All, CustomOperator,
                         testing::Combine(testing::Values(1, 32, 64),
                                          testing::Values(Shape{false, false}, Shape{false, true},
                                                          Shape{true, false}, Shape{true, true})),
                         name_of);

TEST(CustomOperatorTypes, AccumulateAndGiveWhatWasChosen) {
  const std::initializer_list<std::tuple<DType, DType, DType>> choices = {
      {DType::i32, DType::f32, DType::i16},   {DType::f16, DType::f64, DType::f16},
      {DType::bf16, DType::f32, DType::bf16}, {DType::u8, DType::i32, DType::f64},
      {DType::i64, DType::i64, DType::f16},   {DType::f32, DType::i32, DType::u32}};
  for (const auto& [in, acc, out] : choices) {
    for (const Shape shape : {Shape{false, false}, Shape{true, true}}) {
      const Problem problem = make_problem(operator_of(shape), in, 200, {.acc = acc, .out = out});
      Reduction reduction(problem, 1, 1);
      for (const std::int64_t count : {0, 200}) {
        visit_dtype(out, [&]<class Out>(std::type_identity<Out>) {
          const Out right = number_of<Out>(expected(shape, count));
          for (const auto& bytes : reduction.results(input_of(in, count))) {
            EXPECT_EQ(std::memcmp(bytes.data(), &right, sizeof(Out)), 0) << describe(problem);
          }
        });
      }
    }
  }
}

TEST(CustomOperatorTypes, AreNeverAccumulatedInStorage) {
  for (const DType acc : {DType::f16, DType::bf16}) {
    EXPECT_THROW((void)make_problem(operator_of({}), DType::f16, 1, {.acc = acc}), UsageError);
  }
}

/// The words of GPU languages, helpers beside the struct, functions of mathematics.
TEST(CustomOperatorText, MayUseWhatGpusHave) {
  const CustomOp op{"words.hpp", R"(#pragma once
#define SQUARE(x) ((x) * (x))
namespace parts {
template <class T> __host__ __device__ __forceinline__ T twice(T x) { return x + x; }
}
static __device__ accumulator half_of(accumulator x) { return x / 2; }
class custom {
 public:
  __host__ __device__ static accumulator identity() { return 0; }
  static __device__ __forceinline__ accumulator combine(accumulator a, accumulator b) { return a + b; }
  static auto transform(element x) { return sqrtf(SQUARE(half_of(parts::twice(x)))); }
  static double finish(accumulator a, long long) { return floor(fabs(double(a))); }
}
)"};
  const Problem problem = make_problem(op, DType::f32, 1000);
  Reduction reduction(problem, 32, 1);
  expect_right(reduction, problem, {});
}

TEST(CustomOperatorText, IsTheSameProgramForBuiltInOperatorsWhateverACustomOneSays) {
  const kernels::Family& family = kernels::find_family("reduce");
  const std::string sum = family.device_text(make_problem(Op::sum, DType::f32, 1));
  EXPECT_EQ(sum, family.device_text(make_problem(Op::argmax, DType::i8, 1)));
  EXPECT_EQ(sum.find("custom"), std::string::npos);
  EXPECT_NE(family.device_text(make_problem(operator_of({}), DType::f32, 1)).find("custom"),
            std::string::npos);
}

/// What is said of a text at sight; empty: nothing.
std::string refusal(const std::string& source) {
  try {
    kernels::require_operator_text({"my.hpp", source});
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(CustomOperatorText, IsRefusedWithItsLineWhenItWouldNotStayInItsPlace) {
  const std::string good = operator_of({true, true}).source;
  EXPECT_EQ(refusal(good), "");
  EXPECT_EQ(refusal(""), refusal(" \n\t\n"));
  EXPECT_EQ(
      refusal(""),
      "my.hpp: there is nothing in it; write a struct 'custom' with identity() and combine()");
  EXPECT_EQ(refusal("struct mine {};"), "my.hpp: there is no struct 'custom' in it");
  EXPECT_EQ(refusal("struct mine {}; // custom\n"), "my.hpp: there is no struct 'custom' in it");
  EXPECT_EQ(refusal(std::string("custom\0", 7)), "my.hpp: this is no text");
  EXPECT_EQ(refusal("\n#include <cmath>\n" + good),
            "my.hpp:2: nothing can be included: kernels have no headers and no standard library");
  EXPECT_EQ(refusal(good + "}\n"), "my.hpp:7: this '}' closes nothing");
  EXPECT_EQ(refusal("struct custom {\n"), "my.hpp:1: this '{' is never closed");
  EXPECT_EQ(refusal("} struct custom {\n"), "my.hpp:1: this '}' closes nothing");
  EXPECT_EQ(refusal("struct custom {\n int a(int b};\n"),
            "my.hpp:2: this '}' does not close the '(' of line 2");
  EXPECT_EQ(refusal("\n/* custom"), "my.hpp:2: this comment is never closed");
  EXPECT_EQ(refusal("custom \"a\n"), "my.hpp:1: this quotation is never closed");
  EXPECT_EQ(refusal("custom\n#ifdef A\n"), "my.hpp:2: this condition has no #endif");
  EXPECT_EQ(refusal("custom\n#else\n"), "my.hpp:2: this #else has no #if");
}

TEST(CustomOperatorText, MayHaveBracketsThatAreNoCode) {
  EXPECT_EQ(refusal("struct custom { // }\n /* { */ char a = '{', b = '\\'', c = '\"'; };"), "");
  EXPECT_EQ(refusal("struct custom { const char* a = \"}\\\"}\"; int b = 1'000'000; };"), "");
  EXPECT_EQ(refusal("struct custom { const char* a = R\"x(}\")\")x\"; };"), "");
  EXPECT_EQ(refusal("#ifdef A\nstruct custom {\n#else\nstruct custom { // other\n#endif\n};\n"),
            "");
}

std::string explained(const std::string& log) {
  return kernels::explain_operator_log({"my.hpp", "one\n\ttwo y\nthree\n"}, log)
      .value_or("nothing");
}

TEST(CustomOperatorLog, TellsTheErrorsOfEveryCompilerAlike) {
  const std::string with_column = "my.hpp:2: no y\n     2 | \ttwo y\n       | \t    ^";
  EXPECT_EQ(explained("ops.hip.h:1:1: error: other\nmy.hpp:2:6: error: no y\n two y\n     ^\n"),
            with_column);
  EXPECT_EQ(explained("my.hpp: In static member function 'f':\nmy.hpp:2:6: fatal error: no y"),
            with_column);
  EXPECT_EQ(explained("my.hpp(2): error: no y\n      two y\n"), "my.hpp:2: no y\n     2 | \ttwo y");
  EXPECT_EQ(explained("my.hpp(2): error #20: no y\n"), "my.hpp:2: no y\n     2 | \ttwo y");
  EXPECT_EQ(explained("my.hpp:2:6: warning: no y\nmy.hpp:2:6: note: error: no y"), "nothing");
  EXPECT_EQ(explained("not_my.hpp:2:6: error: no y"), "nothing");
  EXPECT_EQ(explained(""), "nothing");
}

TEST(CustomOperatorLog, QuotesLinesOfOtherSystems) {
  EXPECT_EQ(kernels::explain_operator_log({"my.hpp", "one\r\ntwo\r\n"}, "my.hpp:1:2: error: no"),
            "my.hpp:1: no\n     1 | one\n       |  ^");
}

TEST(CustomOperatorLog, TellsEachErrorOnceAndAFewOnly) {
  const std::string error = "my.hpp:3:1: error: bad 'redtune_custom::given::custom'\n";
  EXPECT_EQ(explained(error + error), "my.hpp:3: bad 'custom'\n     3 | three\n       | ^");
  std::string many;
  for (int i = 1; i <= 9; ++i) many += fmt::format("my.hpp:3:{}: error: bad\n", i);
  const std::string said = explained(many);
  EXPECT_EQ(std::ranges::count(said, '|'), 2 * 5) << said;
}

TEST(CustomOperatorLog, TellsWhatTheProgramSays) {
  EXPECT_EQ(explained("a.h:1:1: error: static assertion failed: redtune says: there is no cake"),
            "my.hpp: there is no cake");
  EXPECT_EQ(explained("a.h(1): error: static assertion failed with \"redtune says: no cake\""),
            "my.hpp: no cake");
  EXPECT_EQ(explained("a.h:1:1: error: static assertion failed: redtune says: it must be: static "
                      "cake three(int)"),
            "my.hpp:3: it must be: static cake three(int)");
  EXPECT_EQ(explained("behind the operator:2:1: error: expected more"),
            "my.hpp:3: expected more\n     3 | three");
  EXPECT_EQ(explained("behind the operator:20:1: error: something else"), "nothing");
}

}  // namespace
}  // namespace redtune
