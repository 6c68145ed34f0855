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
    const Row row{logs_of(shape), static_cast<std::uint32_t>(shapes_.size())};
    const auto known = std::ranges::find(regimes_, regime);
    const auto kind = static_cast<std::size_t>(known - regimes_.begin());
    if (known == regimes_.end()) {
      regimes_.push_back(regime);
      ends_.push_back(rows_.size());
    }
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(first_of(kind));
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(ends_[kind]);
    rows_.insert(std::upper_bound(first, end, row, has_fewer), row);
    for (std::size_t i = kind; i < ends_.size(); ++i) ++ends_[i];
    shapes_.push_back(shape);
  }
  [[nodiscard]] bool empty() const { return shapes_.empty(); }

  /// Of each extent, by its weight: what distances are told by.
  using Logs = std::array<float, 4>;
  /// As Family::distance() has them, but for its factor of 2. The same in tables of one family.
  [[nodiscard]] Logs logs_of(const Shape& asked) const noexcept {
    const Shape shape = compared_shape(asked);
    const auto log = [](std::int64_t extent) {
      return extent == 1 ? 1.0F : std::log2(static_cast<float>(extent) + 1);
    };
    return {count_ * log(shape.count), outer_ * log(shape.outer), inner_ * log(shape.inner),
            batch_ * log(shape.batch)};
  }

  struct Found {
    std::size_t place;     ///< among those that were added
    bool is_same = false;  ///< it is this shape
  };
  /// The nearest of those that are wanted, the first added of equals; nothing where none is near.
  /// From the shape's own count on it looks at larger and smaller ones, as far as counts alone do
  /// not tell that none is nearer.
  template <class Wanted>
  [[nodiscard]] std::optional<Found> nearest_of(const Shape& shape, const Logs& logs,
                                                std::uint32_t regime,
                                                const Wanted& is_wanted) const noexcept {
    const auto known = std::ranges::find(regimes_, regime);
    if (known == regimes_.end()) return std::nullopt;
    const auto kind = static_cast<std::size_t>(known - regimes_.begin());
    const Row* const first = rows_.data() + first_of(kind);
    const Row* const end = rows_.data() + ends_[kind];
    float least = too_far_;
    const Row* found = nullptr;
    const auto look_at = [&](const Row& row) {
      const float apart = distance(logs, row.logs);
      // Large extents that differ by one have the same logarithm.
      const bool is_first = found != nullptr && !(shapes_[found->place] == shape) &&
                            (row.place < found->place || shapes_[row.place] == shape);
      const bool is_nearer = apart < least || (apart == least && is_first);
      if (!is_nearer || !is_wanted(shapes_[row.place])) return;
      found = &row;
      least = apart;
    };
    const Row* const from = std::lower_bound(first, end, Row{logs, 0}, has_fewer);
    for (const Row* row = from; row != end && row->logs[0] - logs[0] <= least; ++row) look_at(*row);
    for (const Row* row = from; row != first && logs[0] - (row - 1)->logs[0] <= least;) {
      look_at(*--row);
    }
    if (found == nullptr) return std::nullopt;
    return Found{found->place, shapes_[found->place] == shape};
  }

 private:
  struct Row {
    Logs logs;
    std::uint32_t place;
  };
  static bool has_fewer(const Row& one, const Row& other) { return one.logs[0] < other.logs[0]; }
  [[nodiscard]] std::size_t first_of(std::size_t kind) const noexcept {
    return kind == 0 ? 0 : ends_[kind - 1];
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
  // A launch comes behind a driver's call, of which the caches are full: few lines are touched.
  std::vector<std::uint32_t> regimes_;
  std::vector<std::size_t> ends_;  // of each regime's rows, which are in the order of their counts
  std::vector<Row> rows_;
  std::vector<Shape> shapes_;  // in the order in which they were added
};

}  // namespace redtune::runtime
