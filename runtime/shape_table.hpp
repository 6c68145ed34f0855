// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From the extents of an array to the nearest tuned ones of its kind, a part of a launch: no more
// than a few numbers for each that is known.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "redtune/problem.hpp"

namespace redtune::runtime {

class ShapeTable {
 public:
  /// farthest: in factors of two of their extents together, each by its weight.
  ShapeTable(double farthest, const kernels::Family::ExtentWeights& weights)
      : too_far_(std::nextafter(static_cast<float>(farthest), HUGE_VALF)),
        count_(static_cast<float>(weights.count)),
        outer_(static_cast<float>(weights.outer)),
        inner_(static_cast<float>(weights.inner)),
        batch_(static_cast<float>(weights.batch)) {}

  /// regime: only shapes of the same one are near each other.
  void add(const Shape& shape, std::uint32_t regime) {
    auto kind = std::ranges::find(kinds_, regime, &Kind::regime);
    if (kind == kinds_.end()) kind = kinds_.insert(kind, {regime, {}});
    kind->rows.push_back({logs_of(shape), shapes_.size()});
    shapes_.push_back(shape);
  }
  [[nodiscard]] bool empty() const { return shapes_.empty(); }

  struct Found {
    std::size_t place;     ///< among those that were added
    bool is_same = false;  ///< it is this shape
  };
  /// Nothing where none is near.
  [[nodiscard]] std::optional<Found> nearest(const Shape& shape,
                                             std::uint32_t regime) const noexcept {
    return nearest_of(shape, regime, [](const Shape&) { return true; });
  }
  /// Likewise of those that are wanted.
  template <class Wanted>
  [[nodiscard]] std::optional<Found> nearest_of(const Shape& shape, std::uint32_t regime,
                                                const Wanted& is_wanted) const noexcept {
    const auto kind = std::ranges::find(kinds_, regime, &Kind::regime);
    if (kind == kinds_.end()) return std::nullopt;
    const Logs logs = logs_of(shape);
    float least = too_far_;
    const Row* found = nullptr;
    for (const Row& row : kind->rows) {
      if (!is_wanted(shapes_[row.place])) continue;
      const float apart = distance(logs, row.logs);
      found = apart < least ? &row : found;  // no branch, which nobody could foresee
      least = std::min(least, apart);
    }
    if (found == nullptr) return std::nullopt;
    return Found{found->place, shapes_[found->place] == shape};
  }

 private:
  using Logs = std::array<float, 4>;
  struct Row {
    Logs logs;
    std::size_t place;
  };
  /// Those of one regime, close together.
  struct Kind {
    std::uint32_t regime;
    std::vector<Row> rows;
  };

  /// As Family::distance() has them, but for its factor of 2.
  [[nodiscard]] Logs logs_of(const Shape& asked) const noexcept {
    const Shape shape = compared_shape(asked);
    const auto log = [](std::int64_t extent) { return std::log2(static_cast<float>(extent) + 1); };
    return {count_ * log(shape.count), outer_ * log(shape.outer), inner_ * log(shape.inner),
            batch_ * log(shape.batch)};
  }
  [[nodiscard]] static float distance(const Logs& one, const Logs& other) noexcept {
    return std::abs(one[0] - other[0]) + std::abs(one[1] - other[1]) + std::abs(one[2] - other[2]) +
           std::abs(one[3] - other[3]);
  }

  float too_far_;  // the least distance that is
  float count_;
  float outer_;
  float inner_;
  float batch_;
  std::vector<Kind> kinds_;
  std::vector<Shape> shapes_;  // in the order in which they were added
};

}  // namespace redtune::runtime
