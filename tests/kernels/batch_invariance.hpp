// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What configs of Order::rows owe, on any device: a row, or a column, gives the same bits whatever
// the others are, how many there are, and where it lies.
#pragma once

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "runtime/loaded_config.hpp"

namespace redtune::checks {

/// Results of one length, in any number, order and place.
template <class In>
class BatchInvariance {
 public:
  static constexpr std::int64_t different = 7;  ///< rows, of which there are any number

  BatchInvariance(device::Device& device, const runtime::LoadedConfig& config)
      : device_(device), config_(config), workspace_(config.make_workspace(device)) {}

  /// In how many of these shapes a result has other bits than in the first, which is of
  /// `different` results; each of the others is tried at several places. Shapes have one count.
  [[nodiscard]] int count_different(const std::vector<Shape>& shapes) {
    make_rows(shapes.front().count);
    std::vector<std::vector<std::byte>> expected = run(shapes.front(), 0, 0);
    int found = 0;
    for (std::size_t i = 1; i < shapes.size(); ++i) {
      const std::int64_t turned = static_cast<std::int64_t>(i) % different;
      const std::size_t skipped = i % 5;
      const auto results = run(shapes[i], turned, skipped);
      bool is_same = true;
      for (std::size_t k = 0; k < results.size(); ++k) {
        is_same = is_same && results[k] == expected[(k + static_cast<std::size_t>(turned)) %
                                                    static_cast<std::size_t>(different)];
      }
      if (is_same) continue;
      ++found;
      last_ = fmt::format("{}, {} behind, {}", describe_shape(shapes[i]), skipped,
                          to_string(config_.choice().settings));
    }
    return found;
  }
  /// Of the last that was different.
  [[nodiscard]] const std::string& last() const { return last_; }

 private:
  /// Numbers whose sums round, and differently in every order.
  void make_rows(std::int64_t count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> mantissa(-1, 1);
    std::uniform_int_distribution<int> exponent(-6, 6);
    rows_.assign(static_cast<std::size_t>(different), {});
    for (std::vector<In>& row : rows_) {
      for (std::int64_t k = 0; k < count; ++k) {
        row.push_back(
            static_cast<In>(static_cast<float>(std::ldexp(mantissa(random), exponent(random)))));
      }
    }
  }

  /// The bytes of each result: result i is of the row (i + turned), the first element so many
  /// behind an aligned address, and what lies between is large.
  [[nodiscard]] std::vector<std::vector<std::byte>> run(const Shape& shape, std::int64_t turned,
                                                        std::size_t skipped) {
    std::vector<In> array(skipped + static_cast<std::size_t>(span_of(shape)) + 64,
                          static_cast<In>(1e6F));
    for (std::int64_t i = 0; i < results_of(shape); ++i) {
      const std::vector<In>& row = rows_[static_cast<std::size_t>((i + turned) % different)];
      const std::int64_t first = i / shape.inner * slice_of(shape) + i % shape.inner;
      for (std::int64_t k = 0; k < shape.count; ++k) {
        array[skipped + static_cast<std::size_t>(first + k * step_of(shape))] =
            row[static_cast<std::size_t>(k)];
      }
    }
    const device::Buffer in = device_.allocate(array.size() * sizeof(In));
    device_.copy_to_device(in.data(), array.data(), array.size() * sizeof(In));
    const std::size_t each = result_bytes(config_.choice().problem);
    std::vector<std::byte> bytes(static_cast<std::size_t>(results_of(shape)) * each);
    const device::Buffer out = device_.allocate(bytes.size());
    const auto* const first = static_cast<const In*>(in.data()) + skipped;
    device_.launch(config_.launches({first, shape, out.data()}, workspace_), {});
    device_.synchronize({});
    device_.copy_to_host(bytes.data(), out.data(), bytes.size());
    std::vector<std::vector<std::byte>> results;
    for (auto at = bytes.begin(); at != bytes.end(); at += static_cast<std::ptrdiff_t>(each)) {
      results.emplace_back(at, at + static_cast<std::ptrdiff_t>(each));
    }
    return results;
  }

  device::Device& device_;
  const runtime::LoadedConfig& config_;
  runtime::Workspace workspace_;
  std::vector<std::vector<In>> rows_;
  std::string last_;
};

}  // namespace redtune::checks
