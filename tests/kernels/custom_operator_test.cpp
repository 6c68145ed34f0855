// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators that come as text: every shape of their struct, with every element type, gives what
// the host computes.
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
#include "tests/support/samples.hpp"

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
      device_->launch(config.launches({in, {.count = count}, out.data()}, workspace), {});
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

constexpr int wave_sizes[] = {1, 32, 64};
constexpr Shape shapes[] = {{false, false}, {false, true}, {true, false}, {true, true}};

struct Cell {
  int wave_size = 1;
  Shape shape;
  DType in = DType::f32;
};

std::string name_of(int wave_size, const Shape& shape) {
  return fmt::format("wave{}{}{}", wave_size, shape.transforms ? "_transforms" : "",
                     shape.finishes ? "_finishes" : "");
}

/// Every type, and every shape on every wave size; in a full run, with every type.
std::vector<Cell> cells() {
  std::vector<Cell> all;
  for (const int wave_size : wave_sizes) {
    for (const Shape& shape : shapes) {
      for (const DTypeInfo& in : all_dtypes()) all.push_back({wave_size, shape, in.dtype});
    }
  }
  if (checks::is_full_run()) return all;
  return checks::every_value(all, [](const Cell& cell) {
    return checks::Axes{name_of(cell.wave_size, cell.shape), std::string(to_string(cell.in))};
  });
}

class CustomOperator : public testing::TestWithParam<std::tuple<int, Shape>> {};

TEST_P(CustomOperator, GivesTheRightResultForManyTypes) {
  const auto& [wave_size, shape] = GetParam();
  std::size_t tried = 0;
  for (const Cell& cell : cells()) {
    if (name_of(cell.wave_size, cell.shape) != name_of(wave_size, shape)) continue;
    const Problem problem = make_problem(operator_of(shape), cell.in, 5003);
    Reduction reduction(problem, wave_size, 1 + static_cast<std::size_t>(cell.in));
    expect_right(reduction, problem, shape);
    ++tried;
  }
  EXPECT_GT(tried, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, CustomOperator,
                         testing::Combine(testing::ValuesIn(wave_sizes), testing::ValuesIn(shapes)),
                         [](const auto& test) {
                           return name_of(std::get<0>(test.param), std::get<1>(test.param));
                         });

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

}  // namespace
}  // namespace redtune
