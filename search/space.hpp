// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a space is made of, and the valid points of a set of axes, ranked in lexicographic order.
// What a value means belongs to whoever built the space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "search/point.hpp"

namespace redtune::search {

enum class AxisKind {
  ordered,      ///< neighbouring indices are similar values
  categorical,  ///< no value is nearer than another
};

struct Axis {
  std::string name;
  std::size_t size = 0;  ///< how many values; 0 makes the whole space empty
  AxisKind kind = AxisKind::ordered;
  std::vector<double> values = {};  ///< what the indices stand for, where all are numbers

  bool operator==(const Axis&) const = default;
};

/// Two axes whose values multiply to something that counts by itself, as a block's threads and what
/// each of them reads. Indices of ordered axes with values above 0.
struct Product {
  std::size_t one = 0;
  std::size_t other = 0;

  bool operator==(const Product&) const = default;
};

/// Which points count as one move away. Always valid points, never the point itself.
enum class Neighbourhood {
  hamming,   ///< one axis changed to any other value
  adjacent,  ///< one axis changed: an ordered one by one step, a categorical one to any other value
};

using Predicate = std::function<bool(const Point&)>;

/// The first axes of a space, and whether any point with what they stand at may be valid. It is
/// asked with all other axes at their first values; where it says no, theirs are not tried. Of
/// several the one of fewer axes comes first.
struct Prefix {
  std::size_t axes = 0;
  Predicate may_hold = {};
};

class Space {
 public:
  using Predicate = search::Predicate;

  /// What a space can hold: building one calls the predicate for every combination of indices and
  /// stores eight bytes for every valid point.
  static constexpr std::uint64_t most_combinations = std::uint64_t{1} << 30;
  static constexpr std::size_t most_points = std::size_t{1} << 24;

  /// All combinations that `valid` accepts; an empty function accepts every one.
  /// Throws Error when the axes are too many or too long, have more or fewer values than places for
  /// them, or are beyond the bounds above, and for a product that is none of theirs.
  explicit Space(std::vector<Axis> axes, const Predicate& valid = {},
                 std::vector<Product> products = {}, const std::vector<Prefix>& prefixes = {});

  /// Exactly these points, in any order, each counted once: a recorded space, or one with too many
  /// combinations to try. Throws Error when a point does not fit the axes.
  [[nodiscard]] static Space of_points(std::vector<Axis> axes, std::span<const Point> points,
                                       std::vector<Product> products = {});

  [[nodiscard]] std::span<const Axis> axes() const { return axes_; }
  [[nodiscard]] std::span<const Product> products() const { return products_; }

  /// The number of valid points.
  [[nodiscard]] std::size_t size() const { return codes_.size(); }
  [[nodiscard]] bool empty() const { return codes_.empty(); }

  /// The valid point at a place of the lexicographic order; rank < size().
  [[nodiscard]] Point operator[](std::size_t rank) const;

  /// The inverse of operator[]; nothing when the point is not valid here.
  [[nodiscard]] std::optional<std::size_t> rank(const Point& point) const;
  [[nodiscard]] bool contains(const Point& point) const { return rank(point).has_value(); }

  /// A view of all valid points in lexicographic order. The space must outlive it.
  [[nodiscard]] auto points() const {
    return std::views::iota(std::size_t{0}, size()) |
           std::views::transform([this](std::size_t rank) { return (*this)[rank]; });
  }

  /// Valid points one move away, in lexicographic order of (axis, value). The point itself need not
  /// be valid; one that does not fit the axes has no neighbours.
  [[nodiscard]] std::vector<Point> neighbours(const Point& point, Neighbourhood kind) const;

 private:
  struct Unfilled {};  // tag: axes checked, no points yet
  Space(std::vector<Axis> axes, std::vector<Product> products, Unfilled);

  [[nodiscard]] std::optional<std::uint64_t> encode(const Point& point) const;
  [[nodiscard]] Point decode(std::uint64_t code) const;
  [[nodiscard]] bool holds(std::uint64_t code) const;

  std::vector<Axis> axes_;
  std::vector<Product> products_;
  std::array<std::uint64_t, Point::most_axes> strides_{};  // of the mixed-radix code, per axis
  std::uint64_t combinations_ = 1;                         // product of the axes' sizes
  std::vector<std::uint64_t> codes_;                       // of the valid points, ascending
};

}  // namespace redtune::search
