// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From the extents of an array to the nearest tuned ones of its kind, a part of a launch: no more
// than a few numbers for each that is known.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::runtime {

class ShapeTable {
 public:
  /// farthest: in factors of two of their extents together.
  explicit ShapeTable(double farthest) : farthest_(static_cast<float>(farthest)) {}

  /// regime: only shapes of the same one are near each other.
  void add(const Shape& shape, std::uint32_t regime) {
    rows_.push_back({shape, logs_of(shape), regime});
  }
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  struct Found {
    std::size_t place;     ///< among those that were added
    bool is_same = false;  ///< it is this shape
  };
  /// Nothing where none is near.
  [[nodiscard]] std::optional<Found> nearest(const Shape& shape,
                                             std::uint32_t regime) const noexcept {
    const Logs logs = logs_of(shape);
    float least = farthest_;
    std::optional<Found> found;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].regime != regime) continue;
      const float apart = distance(logs, rows_[i].logs);
      if (apart > least || (found && apart == least)) continue;
      least = apart;
      found = Found{i};
    }
    if (found) found->is_same = rows_[found->place].shape == shape;
    return found;
  }

 private:
  using Logs = std::array<float, 3>;
  struct Row {
    Shape shape;
    Logs logs;
    std::uint32_t regime;
  };

  /// As cache::log2_distance() has them.
  [[nodiscard]] static Logs logs_of(const Shape& shape) noexcept {
    const auto log = [](std::int64_t extent) { return std::log2(static_cast<float>(extent) + 1); };
    return {log(shape.count), log(shape.outer), log(shape.inner)};
  }
  [[nodiscard]] static float distance(const Logs& one, const Logs& other) noexcept {
    return std::abs(one[0] - other[0]) + std::abs(one[1] - other[1]) + std::abs(one[2] - other[2]);
  }

  float farthest_;
  std::vector<Row> rows_;
};

}  // namespace redtune::runtime
