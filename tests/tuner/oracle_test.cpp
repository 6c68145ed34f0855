// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What outputs have to be, for shapes of one result and of many.
#include "tuner/verify/oracle.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <vector>

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"
#include "tests/tuner/problems.hpp"
#include "tuner/verify/job.hpp"
#include "tuner/verify/one_result.hpp"

namespace redtune::tuner {
namespace {

constexpr Shape shapes[] = {
    {5, 1, 1},
    {5, 3, 1},
    {5, 1, 4},
    {5, 3, 4},
    {1, 6, 2},
    {0, 2, 2},
    {70'000, 2, 3},
    {5, 3, 1, 7, 0},
    {5, 3, 4, 40, 6},
    {5, 1, 4, 0, 9},
    {40'000, 2, 1, 40'001, 0},
    Shape::channels(3, 5, 7),
    Shape::channels(3, 700, 2),
    Shape::channels(2, 3, 30'000),
    {.count = 9, .outer = 5, .outer_pitch = 10, .batch = 4, .batch_pitch = 53}};

std::int32_t element(std::int64_t i) {
  return static_cast<std::int32_t>(i * 7 % 1009);
}

std::vector<std::int32_t> elements(const Shape& shape) {
  std::vector<std::int32_t> all;
  for (std::int64_t i = 0; i < span_of(shape); ++i) all.push_back(element(i));
  return all;
}

/// By the words of Shape.
std::vector<std::int64_t> sums_of(const Shape& shape) {
  std::vector<std::int64_t> sums;
  for (std::int64_t outer = 0; outer < shape.outer; ++outer) {
    for (std::int64_t inner = 0; inner < shape.inner; ++inner) {
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < elements_of_result(shape); ++k) {
        sum += element(outer * slice_of(shape) + k / shape.count * batch_step_of(shape) +
                       k % shape.count * step_of(shape) + inner);
      }
      sums.push_back(sum);
    }
  }
  return sums;
}

/// Right sums are right, and each that is changed is found and named.
void expect_sums_alone(const Expected& expected, const Shape& shape) {
  std::vector<std::int64_t> sums = sums_of(shape);
  EXPECT_EQ(expected.why_wrong(sums.data(), 1), "") << describe_shape(shape);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    ++sums[i];
    const std::string why = expected.why_wrong(sums.data(), 1);
    EXPECT_NE(why, "") << describe_shape(shape);
    const std::string named = "result " + std::to_string(i) + " of ";
    EXPECT_EQ(why.starts_with(named), sums.size() > 1) << why;
    --sums[i];
  }
}

TEST(HostOracle, KnowsEachResultOfAShape) {
  for (const Shape& shape : shapes) {
    const Problem problem = make_problem(Op::sum, DType::i32, shape);
    const auto in = elements(shape);
    const auto expected =
        host_oracle(problem)->of_elements({shape, in.data()}, std::as_bytes(std::span(in)));
    expect_sums_alone(*expected, shape);
  }
}

/// So many that it does not keep what it knows of each.
TEST(HostOracle, KnowsEachOfAMillionResults) {
  constexpr Shape shape = Shape::rows((1 << 20) + 3, 2, 3);
  const Problem problem = make_problem(Op::sum, DType::i32, shape);
  const auto in = elements(shape);
  const auto expected =
      host_oracle(problem)->of_elements({shape, in.data()}, std::as_bytes(std::span(in)));
  std::vector<std::int64_t> sums = sums_of(shape);
  EXPECT_EQ(expected->why_wrong(sums.data(), 1), "");
  for (const std::size_t i : {std::size_t{0}, sums.size() / 2, sums.size() - 1}) {
    ++sums[i];
    EXPECT_TRUE(expected->why_wrong(sums.data(), 1).starts_with(fmt::format("result {} of ", i)));
    --sums[i];
  }
}

TEST(HostOracle, KnowsWhatIsGeneratedAsIfItWereGiven) {
  for (const Problem& of_one : all_pairs(1)) {
    if (of_one.op == Op::custom) continue;
    for (const Shape& shape :
         {Shape{90, 3, 1}, Shape{90, 2, 5}, Shape{90, 2, 1, 93, 0}, Shape::channels(3, 2, 30)}) {
      const Problem problem = make_problem(of_one.op, of_one.in, shape);
      const Recipe recipe = recipe_of(problem, 3);
      const std::size_t element = size_of(problem.in);
      std::vector<std::byte> in(element * static_cast<std::size_t>(span_of(shape) + 1));
      generate(recipe, 0, in);
      const auto oracle = host_oracle(problem);
      const auto generated = oracle->of_generated({shape, &in[element]}, recipe, 1);
      const auto given = oracle->of_elements({shape, &in[element]}, std::span(in).subspan(element));
      const std::vector<std::byte> nothing(output_bytes(problem), std::byte{0x5a});
      EXPECT_EQ(generated->why_wrong(nothing.data(), 1), given->why_wrong(nothing.data(), 1))
          << describe(problem);
      EXPECT_NE(given->why_wrong(nothing.data(), 1), "") << describe(problem);
    }
  }
}

/// More elements than are folded at a time, of few results: each core takes some lines.
TEST(HostOracle, KnowsFewResultsOfManyElements) {
  for (const auto& [op, type] :
       {std::pair{Op::sum, DType::i32}, std::pair{Op::product, DType::f32},
        std::pair{Op::argmin, DType::f32}, std::pair{Op::bit_xor, DType::u8}}) {
    for (const Shape& shape : {Shape::columns(1 << 20, 3), Shape::rows(3, 1 << 20, (1 << 20) + 1),
                               Shape::channels(5, 3, 200'003)}) {
      const Problem problem = make_problem(op, type, shape);
      const Recipe recipe = recipe_of(problem, 3);
      const auto expected = host_oracle(problem)->of_generated({shape, nullptr}, recipe, 0);
      std::vector<Reference> all(3);
      ASSERT_TRUE(expected->fill_references(0, all));
      const std::size_t element = size_of(type);
      std::vector<std::byte> in(static_cast<std::size_t>(span_of(shape)) * element);
      generate(recipe, 0, in);
      for (std::size_t i = 0; i < 3; ++i) {
        std::vector<std::byte> one(static_cast<std::size_t>(elements_of_result(shape)) * element);
        const std::size_t first =
            i / static_cast<std::size_t>(shape.inner) * static_cast<std::size_t>(slice_of(shape)) +
            i % static_cast<std::size_t>(shape.inner);
        for (std::size_t k = 0; k < one.size() / element; ++k) {
          const auto count = static_cast<std::size_t>(shape.count);
          const std::size_t at = first +
                                 k / count * static_cast<std::size_t>(batch_step_of(shape)) +
                                 k % count * static_cast<std::size_t>(step_of(shape));
          std::memcpy(&one[k * element], &in[at * element], element);
        }
        const Reference right = reference_of(one_of(problem, shape), one);
        EXPECT_EQ(all[i].bits, right.bits) << describe(problem);
        EXPECT_EQ(all[i].index, right.index) << describe(problem);
        EXPECT_EQ(all[i].count, right.count) << describe(problem);
        EXPECT_EQ(all[i].grown.value(), right.grown.value()) << describe(problem);
        EXPECT_NEAR(double(all[i].value), double(right.value), 1e-9) << describe(problem);
      }
    }
  }
}

/// Results that all have the same elements.
void expect_one_sum(const Expected& expected, std::int64_t sum, std::size_t results) {
  std::vector<std::int64_t> sums(results, sum);
  EXPECT_EQ(expected.why_wrong(sums.data(), 1), "");
  for (std::size_t i = 0; i < results; ++i) {
    ++sums[i];
    EXPECT_TRUE(expected.why_wrong(sums.data(), 1)
                    .starts_with(results > 1 ? fmt::format("result {} of ", i) : "expected"))
        << i;
    --sums[i];
  }
  std::ranges::fill(sums, sum + 1);  // alike, and wrong
  EXPECT_NE(expected.why_wrong(sums.data(), 1), "");
}

TEST(HostOracle, KnowsResultsThatAreAlike) {
  const std::vector<std::int32_t> elements{3, -1, 7};
  for (const Shape& shape : {Shape{3}, Shape::rows(5, 3), Shape{3, 2, 3, 20, 5}}) {
    const auto expected = host_oracle(make_problem(Op::sum, DType::i32, shape))
                              ->of_alike(shape, std::as_bytes(std::span(elements)));
    expect_one_sum(*expected, 9, static_cast<std::size_t>(results_of(shape)));
  }
}

TEST(DeviceOracle, KnowsEachResultOfAShape) {
  const auto device = device::host::make_host_device({.threads = 1});
  const device::host::HostCompiler compiler;
  const kernels::Family& family = kernels::find_family("reduce");
  const CustomOp adds{.name = "adds", .source = R"(struct custom {
  static accumulator identity() { return 0; }
  static accumulator combine(accumulator a, accumulator b) { return a + b; }
};)"};
  const Problem one = make_problem(adds, DType::i32, 5);
  const CompilePool pool({.compiler = &compiler,
                          .platform = "host",
                          .arch = "native",
                          .text = family.device_text(one)},
                         {}, 1);
  const OperatorProgram program(*device, family, one, pool);
  for (const Shape& shape : shapes) {
    if (shape.count > 100) continue;
    const auto in = elements(shape);
    const auto expected = device_oracle(program)->of_elements({shape, in.data()}, {});
    expect_sums_alone(*expected, shape);
  }
  const std::vector<std::int32_t> elements{3, -1, 7};
  for (const Shape& shape : {Shape{3}, Shape::rows(1025, 3)}) {
    const auto alike = device_oracle(program)->of_alike(shape, std::as_bytes(std::span(elements)));
    expect_one_sum(*alike, 9, static_cast<std::size_t>(results_of(shape)));
  }
}

TEST(Job, ChecksAPartThatIsNotAligned) {
  const auto device = device::host::make_host_device({.threads = 1});
  const device::host::HostCompiler compiler;
  const kernels::Family& family = kernels::find_family("reduce");
  const CompilePool pool({.compiler = &compiler, .platform = "host", .arch = "native"}, {}, 1);
  for (const Shape& shape : {Shape{0}, Shape{15}, Shape{16}, Shape{1000}, Shape{1, 5, 1},
                             Shape{9, 1, 9}, Shape{0, 3, 3}, Shape{1, 1, 7}}) {
    const Job job(*device, family, make_problem(Op::sum, DType::f32, shape), 1, pool);
    ASSERT_EQ(job.parts().size(), 2U);
    EXPECT_EQ(job.parts()[0].shape, shape);
    const auto& [part, first] = job.parts()[1];
    EXPECT_LE(first + span_of(part), span_of(shape)) << describe_shape(shape);
    EXPECT_EQ(first, elements_of(shape) >= 16 && elements_of(part) > 0 ? 1 : first);
  }
}

}  // namespace
}  // namespace redtune::tuner
