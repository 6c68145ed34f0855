// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every loaded config of rows owes, on any device: each row's result, whatever the length, the
// number, the pitch and the place of the rows; nothing else read into it, nothing else written.
#pragma once

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <vector>

#include "tests/kernels/reduction_checks.hpp"
#include "tests/kernels/reduction_inputs.hpp"

namespace redtune::checks {

/// Problems that the contract is tried on, with rows in the place of a count.
[[nodiscard]] inline Problem with_rows(Problem problem, const Shape& shape) {
  static_cast<Shape&>(problem) = shape;
  return problem;
}

/// Lengths, numbers and pitches at which something changes, or nothing should. Prime lengths are
/// aligned nowhere.
[[nodiscard]] inline std::vector<Shape> shapes_of_rows(std::int64_t width) {
  std::vector<Shape> shapes;
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2},
                                   std::int64_t{3}, width - 1, width, width + 1}) {
    shapes.push_back(Shape::rows(37, std::max<std::int64_t>(count, 0)));
  }
  for (const std::int64_t count : {31, 32, 33, 127, 256, 509}) {
    shapes.push_back(Shape::rows(7, count));
  }
  shapes.push_back(Shape::rows(1, 4099));
  shapes.push_back(Shape::rows(2, 4096));
  shapes.push_back(Shape::rows(521, 5));
  shapes.push_back(Shape::rows(0, 5));
  shapes.push_back(Shape::rows(9, 3, 4));
  shapes.push_back(Shape::rows(9, 64, 65));
  shapes.push_back(Shape::rows(5, 127, 128));
  shapes.push_back(Shape::rows(3, 1000, 1024));
  return shapes;
}

/// The checks of one config; after a failure the rest is passed over.
template <class In>
class RowsContract {
 public:
  RowsContract(device::Device& device, const runtime::LoadedConfig& config)
      : device_(device), config_(config), workspace_(config.make_workspace(device)) {}

  /// Rows of a pattern, the first of them so many elements behind an aligned address. What lies
  /// between and around the rows would decide their results.
  void expect_right(const Pattern<In>& pattern, const Shape& shape, std::size_t skipped) {
    if (testing::Test::HasFailure()) return;
    place(pattern, shape, skipped);
    const std::vector<std::byte> results = run(shape);
    for (std::int64_t row = 0; row < shape.outer; ++row) {
      expect_met(results, shape, row, fmt::format("{}, {} behind", pattern.name, skipped));
      if (testing::Test::HasFailure()) return;
    }
  }
  void expect_right(const Shape& shape, std::size_t skipped) {
    expect_right(ordinary<In>(problem().op), shape, skipped);
  }

  /// An element that decides the result of its row decides that of no other, at each of these
  /// positions in turn: one for each row.
  void expect_decided(const Shape& shape, std::size_t skipped,
                      std::vector<std::int64_t> positions) {
    if (testing::Test::HasFailure()) return;
    place(ordinary<In>(problem().op), shape, skipped);
    for (std::int64_t row = 0; row < shape.outer; ++row) {
      const std::int64_t at = positions[static_cast<std::size_t>(row) % positions.size()];
      if (at >= 0 && at < shape.count) {
        array_[index_of(shape, row) + static_cast<std::size_t>(at)] = decisive<In>(problem().op);
      }
    }
    const std::vector<std::byte> results = run(shape);
    for (std::int64_t row = 0; row < shape.outer; ++row) {
      expect_met(results, shape, row, "decided by one element");
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
  [[nodiscard]] std::size_t index_of(const Shape& shape, std::int64_t row) const {
    return margin + skipped_ + static_cast<std::size_t>(row * slice_of(shape));
  }

  void place(const Pattern<In>& pattern, const Shape& shape, std::size_t skipped) {
    skipped_ = skipped;
    const auto span = static_cast<std::size_t>(std::max<std::int64_t>(span_of(shape), 0));
    array_.assign(2 * margin + skipped + span, decisive<In>(problem().op));
    for (std::int64_t row = 0; row < shape.outer; ++row) {
      for (std::int64_t k = 0; k < shape.count; ++k) {
        // Of each row others, where the pattern goes by more than the place.
        const std::int64_t index = pattern.name == "mixed" ? row * shape.count + k : k;
        array_[index_of(shape, row) + static_cast<std::size_t>(k)] = pattern.at(index, shape.count);
      }
    }
  }

  /// The bytes of all results. What is around them, and the input, stay as they were, and the
  /// workspace is left as the next launch needs it.
  [[nodiscard]] std::vector<std::byte> run(const Shape& shape) {
    const std::size_t in_bytes = array_.size() * sizeof(In);
    const device::Buffer in = device_.allocate(in_bytes);
    device_.copy_to_device(in.data(), array_.data(), in_bytes);
    const std::size_t bytes =
        static_cast<std::size_t>(shape.outer) * result_bytes(config_.choice().problem);
    const device::Buffer out = device_.allocate(2 * margin + bytes);
    device_.fill(out.data(), poison, out.bytes());
    auto* const first = static_cast<In*>(in.data()) + margin + skipped_;
    auto* const result = static_cast<std::byte*>(out.data()) + margin;
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
    EXPECT_TRUE(std::all_of(all.begin(), all.begin() + margin, is_poison)) << settings();
    EXPECT_TRUE(std::all_of(all.begin() + static_cast<std::ptrdiff_t>(margin + bytes), all.end(),
                            is_poison))
        << settings();
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(margin + bytes), all.end());
    all.erase(all.begin(), all.begin() + margin);
    return all;
  }

  void expect_met(const std::vector<std::byte>& results, const Shape& shape, std::int64_t row,
                  const std::string& what) {
    const std::span<const In> elements(array_.data() + index_of(shape, row),
                                       static_cast<std::size_t>(shape.count));
    const std::byte* const at =
        results.data() + static_cast<std::size_t>(row) * result_bytes(problem());
    Output output{};
    std::memcpy(output.data(), at, size_of(problem().out));
    if (info(problem().op).shape == ResultShape::indexed) {
      std::memcpy(&output[1], at + sizeof(std::uint64_t), sizeof(std::uint64_t));
    }
    EXPECT_TRUE(Expectation(problem(), elements).met_by(output, config_.longest_chain(shape)))
        << fmt::format("{} of {}, row {} of {}: {}; {}", to_string(problem().op),
                       to_string(problem().in), row, describe_shape(shape), what, settings());
  }

  device::Device& device_;
  const runtime::LoadedConfig& config_;
  runtime::Workspace workspace_;
  std::vector<In> array_;
  std::size_t skipped_ = 0;
};

/// All of it, for a config; turn: places take turns from config to config.
template <class In>
void expect_rows_kept(device::Device& device, const runtime::LoadedConfig& config,
                      std::size_t turn) {
  RowsContract<In> contract(device, config);
  std::int64_t width = 1;
  for (const Setting& setting : config.choice().settings) {
    if (setting.name == "vector_width") width = std::stoll(setting.value);
  }
  for (const Shape& shape : shapes_of_rows(width)) {
    for (const std::size_t skipped : {std::size_t{0}, 1 + turn % 3}) {
      contract.expect_right(shape, skipped);
    }
    ++turn;
  }
  for (const Pattern<In>& pattern : adversarial<In>()) {
    contract.expect_right(pattern, Shape::rows(3, 33), turn++ % 3);
    contract.expect_right(pattern, Shape::rows(2, 301, 303), turn++ % 3);
  }
  contract.expect_decided(Shape::rows(40, 77), 1, {0, 1, 38, 75, 76, -1});
  contract.expect_decided(Shape::rows(7, 1031), turn % 3, {0, 1, width, 515, 1029, 1030, -1});
  contract.expect_same_bits_again(Shape::rows(5, 2003));
}

}  // namespace redtune::checks
