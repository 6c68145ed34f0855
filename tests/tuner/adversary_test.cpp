// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Inputs made to find mistakes: right loops pass them, and loops with a mistake do not.
#include "tuner/verify/adversary.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

#include "device/host/host_platform.hpp"
#include "tests/tuner/naive.hpp"
#include "tests/tuner/problems.hpp"
#include "tuner/verify/offsets.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::tuner {
namespace {

TEST(Adversaries, AcceptTheNaiveLoopForEveryProblem) {
  for (const std::int64_t count : {0, 1, 2, 65, 500}) {
    for (const Problem& problem : count == 65 ? all_problems(count) : all_pairs(count)) {
      for (const Adversary& adversary : adversaries_of(problem)) {
        const auto data = adversarial_input(problem, adversary);
        const auto got = naive::result_of(problem, data);
        EXPECT_EQ(why_wrong(problem, reference_of(problem, data), count, got.data()), "")
            << describe(problem) << " " << to_string(adversary);
      }
    }
  }
}

/// A kernel that never looks at the element at the head, in the middle or at the tail.
TEST(Adversaries, FindAnElementThatIsLeftOutForEveryOperatorAndType) {
  for (const Problem& problem : all_pairs(65)) {
    const std::size_t element = size_of(problem.in);
    for (const std::size_t left_out : {0U, 32U, 64U}) {
      const bool is_found =
          std::ranges::any_of(adversaries_of(problem), [&](const auto& adversary) {
            const auto data = adversarial_input(problem, adversary);
            auto less = data;
            const auto at = less.begin() + static_cast<std::ptrdiff_t>(left_out * element);
            less.erase(at, at + static_cast<std::ptrdiff_t>(element));
            const auto got = naive::result_of(problem, less);
            return !why_wrong(problem, reference_of(problem, data), 6, got.data()).empty();
          });
      EXPECT_TRUE(is_found) << describe(problem) << " without element " << left_out;
    }
  }
}

TEST(Adversaries, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  const auto all = adversaries_of(make_problem(Op::sum, DType::f32, 10));
  for (const Adversary& adversary : all) names.insert(to_string(adversary));
  EXPECT_EQ(names.size(), all.size());
  EXPECT_TRUE(names.contains("one_nan at the tail"));
  EXPECT_GT(all.size(), 25U);
}

TEST(Adversaries, OfIntegersHoldNoFloats) {
  for (const Adversary& adversary : adversaries_of(make_problem(Op::sum, DType::i8, 10))) {
    EXPECT_EQ(to_string(adversary).find("nan"), std::string::npos);
  }
}

/// Element by element.
std::vector<std::byte> laid_out_slowly(const Problem& problem, const Adversary& adversary) {
  const std::size_t element = size_of(problem.in);
  const auto of_one = adversarial_input(
      make_problem(problem.op, problem.in, elements_of_result(problem)), adversary);
  std::vector<std::byte> bytes(static_cast<std::size_t>(span_of(problem)) * element, in_gaps);
  const std::int64_t in_slice = problem.count * problem.inner;
  for (std::int64_t i = 0; i < elements_of(problem); ++i) {
    const std::int64_t slice = i / in_slice;
    const std::int64_t array = slice / problem.outer;
    const std::int64_t k = i / problem.inner % problem.count;
    const std::int64_t at = array * batch_step_of(problem) +
                            slice % problem.outer * slice_of(problem) + k * step_of(problem) +
                            i % problem.inner;
    std::memcpy(&bytes[static_cast<std::size_t>(at) * element],
                &of_one[static_cast<std::size_t>(array * problem.count + k) * element], element);
  }
  return bytes;
}

constexpr Shape shapes[] = {
    Shape::rows(1, 0),
    Shape::rows(3, 1),
    Shape::rows(700, 3),
    Shape::rows(2, 1),
    Shape::rows(3, 250),
    Shape::rows(3, 250, 257),
    Shape{.count = 201, .outer = 1, .outer_pitch = 5},
    Shape::columns(1, 5),
    Shape::columns(100, 3),
    Shape::columns(101, 3),
    Shape::columns(450, 2, 5),
    Shape::channels(3, 4, 70),
    Shape::channels(7, 1, 33),
    Shape{.count = 0, .outer = 4, .batch = 3},
    Shape{.count = 41, .outer = 3, .outer_pitch = 43, .batch = 4, .batch_pitch = 131},
    Shape{.count = 201, .outer = 4, .inner = 3},
    Shape{.count = 201, .outer = 3, .inner = 2, .outer_pitch = 900, .count_pitch = 4}};

TEST(Adversaries, StandInEachResultOfAShape) {
  for (const DType type : {DType::u8, DType::f64}) {
    for (const Shape& shape : shapes) {
      const Problem problem = make_problem(Op::sum, type, shape);
      for (const Adversary& adversary : adversaries_of(problem)) {
        EXPECT_EQ(adversarial_input(problem, adversary), laid_out_slowly(problem, adversary))
            << describe(problem) << " " << to_string(adversary);
      }
    }
  }
}

TEST(Adversaries, StandInEachSegmentAsInAnArrayOfItsLength) {
  for (const auto& [op, type] : {std::pair{Op::sum, DType::f32}, std::pair{Op::max, DType::u8}}) {
    for (const Skew skew : {Skew::uniform, Skew::zipf, Skew::giant}) {
      const Problem segments = make_problem(op, type, Shape::segments(2'500, 9, 32, skew));
      const std::vector<std::int64_t> offsets = segment_offsets(segments);
      const std::size_t element = size_of(type);
      for (const Adversary& adversary : adversaries_of(segments)) {
        const auto all = adversarial_input(segments, adversary);
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
          const std::int64_t count = offsets[i + 1] - offsets[i];
          const auto begin = all.begin() + offsets[i] * static_cast<std::int64_t>(element);
          const std::vector<std::byte> one(begin,
                                           begin + count * static_cast<std::int64_t>(element));
          EXPECT_EQ(one, adversarial_input(make_problem(op, type, count), adversary))
              << describe(segments) << " " << to_string(adversary) << " " << i;
        }
      }
    }
  }
}

TEST(Adversaries, AreLaidOutOnADeviceAsOnTheHost) {
  const auto device = device::host::make_host_device({.threads = 1});
  for (const Shape& shape : shapes) {
    const Problem problem = make_problem(Op::sum, DType::i16, shape);
    for (const Adversary& adversary : adversaries_of(problem)) {
      const auto right = adversarial_input(problem, adversary);
      const device::Buffer buffer = device->allocate(right.size());
      device->fill(buffer.data(), in_gaps, buffer.bytes());
      DeviceInputMemory memory(*device, buffer.data());
      lay_out(problem, adversary, memory);
      std::vector<std::byte> there(right.size());
      device->copy_to_host(there.data(), buffer.data(), there.size());
      EXPECT_EQ(there, right) << describe(problem) << " " << to_string(adversary);
    }
  }
}

}  // namespace
}  // namespace redtune::tuner
