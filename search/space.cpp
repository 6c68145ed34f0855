// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Points are kept as mixed-radix numbers, the first axis weighing most: their order is then the
// lexicographic one, a point costs eight bytes and a look-up is a binary search.
#include "search/space.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <utility>

#include "redtune/error.hpp"

namespace redtune::search {
namespace {

void check_axes(std::span<const Axis> axes) {
  if (axes.size() > Point::most_axes) {
    throw Error(fmt::format("a search space has at most {} axes, this one has {}", Point::most_axes,
                            axes.size()));
  }
  for (const Axis& axis : axes) {
    if (axis.size > Point::most_values) {
      throw Error(fmt::format("axis '{}' has {} values; at most {} are possible", axis.name,
                              axis.size, Point::most_values));
    }
    if (!axis.values.empty() && axis.values.size() != axis.size) {
      throw Error(fmt::format("axis '{}' has {} indices but {} values", axis.name, axis.size,
                              axis.values.size()));
    }
  }
}

void check_products(std::span<const Axis> axes, std::span<const Product> products) {
  const auto is_factor = [&](std::size_t axis) {
    return axis < axes.size() && axes[axis].kind == AxisKind::ordered &&
           !axes[axis].values.empty() && std::ranges::all_of(axes[axis].values, [](double value) {
             return value > 0 && std::isfinite(value);
           });
  };
  for (const auto& [one, other] : products) {
    if (is_factor(one) && is_factor(other) && one != other) continue;
    throw Error(fmt::format(
        "axes {} and {} have no product: that takes two ordered axes of numbers above 0", one,
        other));
  }
}

void check_count(std::size_t points) {
  if (points > Space::most_points) {
    throw Error(
        fmt::format("the search space has more than {} valid points; "
                    "give its axes fewer values or a stricter validity rule",
                    Space::most_points));
  }
}

/// Steps to the next combination in lexicographic order, wrapping round after the last.
void step(Point& point, std::span<const Axis> axes) {
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    const std::size_t next = point[axis] + 1;
    if (next < axes[axis].size) {
      point.set(axis, next);
      return;
    }
    point.set(axis, 0);
  }
}

bool is_move(const Axis& axis, std::size_t from, std::size_t to, Neighbourhood kind) {
  if (from == to) return false;
  if (kind == Neighbourhood::hamming || axis.kind == AxisKind::categorical) return true;
  return from + 1 == to || to + 1 == from;
}

}  // namespace

Space::Space(std::vector<Axis> axes, std::vector<Product> products, Unfilled)
    : axes_(std::move(axes)), products_(std::move(products)) {
  check_axes(axes_);
  check_products(axes_, products_);
  for (std::size_t axis = axes_.size(); axis-- > 0;) {
    strides_[axis] = combinations_;
    const std::uint64_t size = axes_[axis].size;
    if (size != 0 && combinations_ > std::numeric_limits<std::uint64_t>::max() / size) {
      throw Error("the axes of the search space have more than 2^64 combinations");
    }
    combinations_ *= size;
  }
}

Space::Space(std::vector<Axis> axes, const Predicate& valid, std::vector<Product> products,
             const std::vector<Prefix>& prefixes)
    : Space(std::move(axes), std::move(products), Unfilled{}) {
  if (combinations_ > most_combinations) {
    throw Error(
        fmt::format("the axes of the search space have {} combinations; "
                    "more than {} take too long to check for validity",
                    combinations_, most_combinations));
  }
  const auto turned_down = [&](const Point& point, std::uint64_t code) -> const Prefix* {
    for (const Prefix& prefix : prefixes) {
      if (code % strides_[prefix.axes - 1] == 0 && !prefix.may_hold(point)) return &prefix;
    }
    return nullptr;
  };
  Point point = Point::of_size(axes_.size());
  for (std::uint64_t code = 0; code < combinations_;) {
    if (const Prefix* prefix = turned_down(point, code)) {
      code += strides_[prefix->axes - 1];
      step(point, std::span<const Axis>(axes_).first(prefix->axes));
      continue;
    }
    if (!valid || valid(point)) {
      check_count(codes_.size() + 1);
      codes_.push_back(code);
    }
    ++code;
    step(point, axes_);
  }
  codes_.shrink_to_fit();
}

Space Space::of_points(std::vector<Axis> axes, std::span<const Point> points,
                       std::vector<Product> products) {
  Space space(std::move(axes), std::move(products), Unfilled{});
  space.codes_.reserve(points.size());
  for (const Point& point : points) {
    const auto code = space.encode(point);
    if (!code) {
      throw Error(fmt::format("point ({}) does not fit the {} axes of the search space",
                              fmt::join(point.indices(), ", "), space.axes_.size()));
    }
    space.codes_.push_back(*code);
  }
  std::ranges::sort(space.codes_);
  const auto repeated = std::ranges::unique(space.codes_);
  space.codes_.erase(repeated.begin(), repeated.end());
  check_count(space.codes_.size());
  return space;
}

Point Space::operator[](std::size_t rank) const {
  assert(rank < size());
  return decode(codes_[rank]);
}

std::optional<std::size_t> Space::rank(const Point& point) const {
  const auto code = encode(point);
  if (!code) return std::nullopt;
  const auto found = std::ranges::lower_bound(codes_, *code);
  if (found == codes_.end() || *found != *code) return std::nullopt;
  return static_cast<std::size_t>(found - codes_.begin());
}

std::vector<Point> Space::neighbours(const Point& point, Neighbourhood kind) const {
  std::vector<Point> found;
  const auto code = encode(point);
  if (!code) return found;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    const std::size_t from = point[axis];
    const std::uint64_t rest = *code - from * strides_[axis];
    for (std::size_t to = 0; to < axes_[axis].size; ++to) {
      if (!is_move(axes_[axis], from, to, kind)) continue;
      if (holds(rest + to * strides_[axis])) found.push_back(point.with(axis, to));
    }
  }
  return found;
}

std::optional<std::uint64_t> Space::encode(const Point& point) const {
  if (point.size() != axes_.size()) return std::nullopt;
  std::uint64_t code = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    if (point[axis] >= axes_[axis].size) return std::nullopt;
    code += point[axis] * strides_[axis];
  }
  return code;
}

Point Space::decode(std::uint64_t code) const {
  Point point = Point::of_size(axes_.size());
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    point.set(axis, static_cast<std::size_t>(code / strides_[axis]));
    code %= strides_[axis];
  }
  return point;
}

bool Space::holds(std::uint64_t code) const {
  return std::ranges::binary_search(codes_, code);
}

}  // namespace redtune::search
