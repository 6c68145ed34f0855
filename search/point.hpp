// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One choice of every axis, as indices. A small value: no heap, comparable, hashable.
#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>

#include "redtune/error.hpp"

namespace redtune::search {

class Point {
 public:
  using Index = std::uint16_t;
  static constexpr std::size_t most_axes = 16;
  static constexpr std::size_t most_values = std::size_t{1} << 16;  ///< per axis

  Point() = default;

  /// The first value of each of `size` axes. Named, because Point{3} is the point of one axis at
  /// index 3. Throws Error beyond `most_axes`.
  [[nodiscard]] static Point of_size(std::size_t size) {
    static_assert(most_axes == 16);  // named in the text
    if (size > most_axes) throw Error("a point of a search space has at most 16 axes");
    Point point;
    point.size_ = static_cast<std::uint8_t>(size);
    return point;
  }

  explicit Point(std::span<const std::size_t> indices) : Point(of_size(indices.size())) {
    for (std::size_t axis = 0; axis < indices.size(); ++axis) set(axis, indices[axis]);
  }

  Point(std::initializer_list<std::size_t> indices)
      : Point(std::span(indices.begin(), indices.size())) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const Index> indices() const { return {indices_.data(), size_}; }

  [[nodiscard]] std::size_t operator[](std::size_t axis) const {
    assert(axis < size_);
    return indices_[axis];
  }

  void set(std::size_t axis, std::size_t index) {
    assert(axis < size_ && index < most_values);
    indices_[axis] = static_cast<Index>(index);
  }

  /// The same point with one axis changed.
  [[nodiscard]] Point with(std::size_t axis, std::size_t index) const {
    Point changed = *this;
    changed.set(axis, index);
    return changed;
  }

  /// Lexicographic, the first axis weighing most.
  auto operator<=>(const Point&) const = default;

 private:
  std::array<Index, most_axes> indices_{};  // beyond size_: zero, so that comparison may read all
  std::uint8_t size_ = 0;
};

}  // namespace redtune::search

template <>
struct std::hash<redtune::search::Point> {
  std::size_t operator()(const redtune::search::Point& point) const noexcept {
    std::uint64_t mixed = 0xcbf29ce484222325U ^ point.size();  // FNV-1a
    for (const auto index : point.indices()) mixed = (mixed ^ index) * 0x100000001b3U;
    return static_cast<std::size_t>(mixed);
  }
};
