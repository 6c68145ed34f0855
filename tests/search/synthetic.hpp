// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Made-up spaces and costs for tests of strategies.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "search/space.hpp"
#include "search/strategy.hpp"

namespace redtune::search {

using Cost = std::function<std::optional<double>(const Point&)>;

[[nodiscard]] inline std::vector<Observation> observe(std::span<const Point> points,
                                                      const Cost& cost) {
  std::vector<Observation> observations;
  for (const Point& point : points) observations.push_back({point, cost(point)});
  return observations;
}

/// 336 of the 7 x 8 x 9 points with holes; (0, 0, 1) is one of the holes.
[[nodiscard]] inline Space bumpy_space() {
  return Space({{"a", 7}, {"b", 8}, {"c", 9, AxisKind::categorical}},
               [](const Point& point) { return (point[0] + 2 * point[1] + point[2]) % 3 != 1; });
}

/// Smooth, with its only minimum inside the space and the axes of different weight.
[[nodiscard]] inline std::optional<double> bowl(const Point& point) {
  double cost = 1;
  for (std::size_t axis = 0; axis < point.size(); ++axis) {
    const double distance = static_cast<double>(point[axis]) - 3.5;
    cost += static_cast<double>(axis + 1) * distance * distance;
  }
  return cost;
}

[[nodiscard]] inline std::optional<double> failing(const Point&) {
  return std::nullopt;
}

/// The same costs, but about a third of the points fail.
[[nodiscard]] inline Cost with_failures(Cost cost) {
  return [cost = std::move(cost)](const Point& point) -> std::optional<double> {
    if (std::hash<Point>{}(point) % 3 == 0) return std::nullopt;
    return cost(point);
  };
}

/// Empty, no axes, one point, one axis, two points with nothing between, many axes.
[[nodiscard]] inline std::vector<Space> odd_spaces() {
  const std::vector<Point> apart{{0, 0, 0}, {3, 4, 5}};
  return {
      Space({{"a", 3}}, [](const Point&) { return false; }),
      Space({{"a", 0}, {"b", 5}}),
      Space({}),
      Space({{"a", 1}}),
      Space({{"a", 3}, {"b", 3}},
            [](const Point& point) {
              return point == Point{2, 1};
            }),
      Space({{"a", 50}}),
      Space({{"a", 50, AxisKind::categorical}}),
      Space::of_points({{"a", 4}, {"b", 5}, {"c", 6}}, apart),
      Space(std::vector<Axis>(16, Axis{"one", 1})),
      Space(std::vector<Axis>(8, Axis{"switch", 2})),
  };
}

}  // namespace redtune::search
