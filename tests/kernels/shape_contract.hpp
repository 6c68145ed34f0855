// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every loaded config owes for shapes of many results, on any device: each result, whatever
// the extents, the pitches and the place of the array; nothing else read into it, nothing else
// written.
#pragma once

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <vector>

#include "tests/kernels/reduction_checks.hpp"
#include "tests/kernels/reduction_inputs.hpp"

namespace redtune::checks {

/// Problems that the contract is tried on, with a shape in the place of a count.
[[nodiscard]] inline Problem with_shape(Problem problem, const Shape& shape) {
  static_cast<Shape&>(problem) = shape;
  return problem;
}

/// Of element k of a result in an array.
[[nodiscard]] inline std::int64_t place_of(const Shape& shape, std::int64_t result,
                                           std::int64_t k) {
  const std::int64_t first = result / shape.inner * slice_of(shape) + result % shape.inner;
  return first + k / shape.count * batch_step_of(shape) + k % shape.count * step_of(shape);
}

/// The checks of one config; after a failure the rest is passed over.
template <class In>
class ShapeContract {
 public:
  ShapeContract(device::Device& device, const runtime::LoadedConfig& config)
      : device_(device), config_(config), workspace_(config.make_workspace(device)) {}

  /// Results of a pattern each, the first element so many behind an aligned address. What lies
  /// between and around the elements would decide the results.
  void expect_right(const Pattern<In>& pattern, const Shape& shape, std::size_t skipped) {
    if (testing::Test::HasFailure()) return;
    place(pattern, shape, skipped);
    const std::vector<std::byte> results = run(shape);
    for (std::int64_t result = 0; result < results_of(shape); ++result) {
      expect_met(results, shape, result, fmt::format("{}, {} behind", pattern.name, skipped));
      if (testing::Test::HasFailure()) return;
    }
  }
  void expect_right(const Shape& shape, std::size_t skipped) {
    expect_right(ordinary<In>(problem().op), shape, skipped);
  }

  /// An element that decides its own result decides that of no other, at each of these positions
  /// in turn: one for each result.
  void expect_decided(const Shape& shape, std::size_t skipped,
                      std::vector<std::int64_t> positions) {
    if (testing::Test::HasFailure()) return;
    place(ordinary<In>(problem().op), shape, skipped);
    for (std::int64_t result = 0; result < results_of(shape); ++result) {
      const std::int64_t at = positions[static_cast<std::size_t>(result) % positions.size()];
      if (at >= 0 && at < elements_of_result(shape)) {
        array_[index_of(shape, result, at)] = decisive<In>(problem().op);
      }
    }
    const std::vector<std::byte> results = run(shape);
    for (std::int64_t result = 0; result < results_of(shape); ++result) {
      expect_met(results, shape, result, "decided by one element");
      if (testing::Test::HasFailure()) return;
    }
  }

  void expect_same_bits_again(const Shape& shape) {
    if (testing::Test::HasFailure() || problem().order == Order::any) return;
    place(ordinary<In>(problem().op), shape, 1);
    const std::vector<std::byte> first = run(shape);
    EXPECT_EQ(run(shape), first) << settings();
  }

 private:
  static constexpr std::size_t margin = 64;
  static constexpr std::byte poison{0xa5};

  [[nodiscard]] const Problem& problem() const { return config_.choice().problem; }
  [[nodiscard]] std::string settings() const { return to_string(config_.choice().settings); }
  /// Of element k of a result.
  [[nodiscard]] std::size_t index_of(const Shape& shape, std::int64_t result,
                                     std::int64_t k) const {
    return margin + skipped_ + static_cast<std::size_t>(place_of(shape, result, k));
  }

  void place(const Pattern<In>& pattern, const Shape& shape, std::size_t skipped) {
    skipped_ = skipped;
    const auto span = static_cast<std::size_t>(std::max<std::int64_t>(span_of(shape), 0));
    array_.assign(2 * margin + skipped + span, decisive<In>(problem().op));
    for (std::int64_t result = 0; result < results_of(shape); ++result) {
      const std::int64_t count = elements_of_result(shape);
      for (std::int64_t k = 0; k < count; ++k) {
        // Of each result others, where the pattern goes by more than the place.
        const std::int64_t index = pattern.name == "mixed" ? result * count + k : k;
        array_[index_of(shape, result, k)] = pattern.at(index, count);
      }
    }
  }

  /// The bytes of all results, which begin behind an aligned address where lines are odd in number.
  /// What is around them, and the input, stay as they were, and the workspace is left as the next
  /// launch needs it.
  [[nodiscard]] std::vector<std::byte> run(const Shape& shape) {
    const std::size_t in_bytes = array_.size() * sizeof(In);
    const device::Buffer in = device_.allocate(in_bytes);
    device_.copy_to_device(in.data(), array_.data(), in_bytes);
    const std::size_t bytes =
        static_cast<std::size_t>(results_of(shape)) * result_bytes(config_.choice().problem);
    const std::size_t before =
        margin + (shape.count % 2 == 0 ? 0 : std::min<std::size_t>(result_bytes(problem()), 8));
    const device::Buffer out = device_.allocate(before + bytes + margin);
    device_.fill(out.data(), poison, out.bytes());
    auto* const first = static_cast<In*>(in.data()) + margin + skipped_;
    auto* const result = static_cast<std::byte*>(out.data()) + before;
    device_.launch(config_.launches({first, shape, result}, workspace_), {});
    device_.synchronize({});

    std::vector<In> input(array_.size());
    device_.copy_to_host(input.data(), in.data(), in_bytes);
    EXPECT_EQ(std::memcmp(input.data(), array_.data(), in_bytes), 0) << settings();
    std::vector<std::byte> zeros(workspace_.zero_bytes());
    device_.copy_to_host(zeros.data(), workspace_.counter(), zeros.size());
    EXPECT_TRUE(std::ranges::all_of(zeros, [](std::byte b) { return b == std::byte{0}; }))
        << "the workspace after " << settings();
    std::vector<std::byte> all(out.bytes());
    device_.copy_to_host(all.data(), out.data(), all.size());
    const auto is_poison = [](std::byte b) { return b == poison; };
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(before);
    const auto end = begin + static_cast<std::ptrdiff_t>(bytes);
    EXPECT_TRUE(std::all_of(all.begin(), begin, is_poison)) << settings();
    EXPECT_TRUE(std::all_of(end, all.end(), is_poison)) << settings();
    return {begin, end};
  }

  void expect_met(const std::vector<std::byte>& results, const Shape& shape, std::int64_t result,
                  const std::string& what) {
    std::vector<In> elements;
    elements.reserve(static_cast<std::size_t>(elements_of_result(shape)));
    for (std::int64_t k = 0; k < elements_of_result(shape); ++k) {
      elements.push_back(array_[index_of(shape, result, k)]);
    }
    const std::byte* const at =
        results.data() + static_cast<std::size_t>(result) * result_bytes(problem());
    Output output{};
    const bool is_pair = info(problem().op).shape == ResultShape::pair;
    std::memcpy(output.data(), at, is_pair ? result_bytes(problem()) : size_of(problem().out));
    if (info(problem().op).shape == ResultShape::indexed) {
      std::memcpy(&output[1], at + sizeof(std::uint64_t), sizeof(std::uint64_t));
    }
    EXPECT_TRUE(Expectation(problem(), std::span<const In>(elements))
                    .met_by(output, config_.longest_chain(shape)))
        << fmt::format("{} of {}, result {} of {}: {}; {}", to_string(problem().op),
                       to_string(problem().in), result, describe_shape(shape), what, settings());
  }

  device::Device& device_;
  const runtime::LoadedConfig& config_;
  runtime::Workspace workspace_;
  std::vector<In> array_;
  std::size_t skipped_ = 0;
};

}  // namespace redtune::checks
