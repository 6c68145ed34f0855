// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/degrees.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "tuner/verify/scattered.hpp"

namespace redtune::compare {
namespace {

using tuner::random_part;
using tuner::shuffled;

__extension__ typedef unsigned __int128 Wide;

struct DegreesRow {
  Degrees degrees;
  std::string_view name;
  Skew skew;
};
constexpr std::array table{DegreesRow{Degrees::equal, "equal", Skew::uniform},
                           DegreesRow{Degrees::rmat, "rmat", Skew::zipf},
                           DegreesRow{Degrees::mesh, "mesh", Skew::uniform},
                           DegreesRow{Degrees::lognormal, "lognormal", Skew::zipf},
                           DegreesRow{Degrees::half_empty, "half-empty", Skew::uniform}};

/// By Box and Muller.
double normal(std::uint64_t i) {
  const double radius = std::sqrt(-2 * std::log(1 - random_part(2 * i)));
  return radius * std::cos(2 * std::numbers::pi * random_part(2 * i + 1));
}

/// By inversion where it is small, else rounded from the normal distribution that it comes near.
std::int64_t poisson(double mean, std::uint64_t i) {
  constexpr double large = 32;
  constexpr std::int64_t most = 200;  // beyond that a double cannot tell the sum from 1
  if (mean >= large) return std::llround(std::max(0.0, mean + std::sqrt(mean) * normal(i)));
  const double part = random_part(i);
  double chance = std::exp(-mean);
  double below = chance;
  std::int64_t value = 0;
  while (part >= below && value < most) {
    ++value;
    chance *= mean / static_cast<double>(value);
    below += chance;
  }
  return value;
}

/// Of Graph500: edges for each vertex, and in how many of them a bit of a vertex is 0 (a + b).
constexpr std::int64_t edges_of_vertex = 16;
constexpr double zero_bit = 0.57 + 0.19;

/// An edge leaves a vertex with the product of the chances of its bits, whatever the others do.
std::int64_t rmat_degree(std::int64_t row, std::int64_t rows) {
  const auto all = static_cast<std::uint64_t>(rows);
  const auto levels = static_cast<int>(std::bit_width(all - 1));
  const int ones = std::popcount(shuffled(static_cast<std::uint64_t>(row), all));
  const double share = std::pow(zero_bit, levels - ones) * std::pow(1 - zero_bit, ones);
  const double edges = static_cast<double>(edges_of_vertex) * std::exp2(levels);
  return poisson(edges * share, static_cast<std::uint64_t>(row));
}

/// Points of a line of the grid; the last line may have fewer.
std::int64_t grid_width(std::int64_t rows) {
  auto width = static_cast<std::int64_t>(std::sqrt(static_cast<double>(rows)));
  while (width * width < rows) ++width;
  return width;
}

/// A point and its neighbours to the left and right, above and below.
std::int64_t mesh_degree(std::int64_t row, std::int64_t rows, std::int64_t width) {
  const std::int64_t column = row % width;
  return 1 + int{column > 0} + int{column + 1 < width && row + 1 < rows} + int{row >= width} +
         int{row + width < rows};
}

/// Ratings of a user on average in MovieLens 20M, and a spread that puts the median at half of it.
constexpr std::int64_t ratings_of_user = 144;
constexpr double sigma = 1.2;
constexpr double units = 1 << 16;  // of weights that are whole numbers

/// Of lengths: in any unit, as far as they share.
std::vector<std::int64_t> weights_of(Degrees degrees, std::int64_t rows) {
  std::vector<std::int64_t> weights(static_cast<std::size_t>(rows), 1);
  const std::int64_t width = grid_width(rows);
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto number = static_cast<std::uint64_t>(row);
    std::int64_t& weight = weights[number];
    switch (degrees) {
      case Degrees::equal:
        break;
      case Degrees::rmat:
        weight = rmat_degree(row, rows);
        break;
      case Degrees::mesh:
        weight = mesh_degree(row, rows, width);
        break;
      case Degrees::lognormal:
        weight = std::llround(units * std::exp(sigma * normal(number)));
        break;
      case Degrees::half_empty:
        weight = shuffled(number, static_cast<std::uint64_t>(rows)) % 2 == 0
                     ? 0
                     : std::llround(units * (0.5 + random_part(number)));
        break;
    }
  }
  return weights;
}

}  // namespace

std::string_view to_string(Degrees degrees) {
  return table[static_cast<std::size_t>(degrees)].name;
}

std::span<const Degrees> all_degrees() {
  static constexpr std::array all{Degrees::equal, Degrees::rmat, Degrees::mesh, Degrees::lognormal,
                                  Degrees::half_empty};
  return all;
}

Skew usual_skew(Degrees degrees) {
  return table[static_cast<std::size_t>(degrees)].skew;
}

std::optional<std::int64_t> usual_elements(Degrees degrees, std::int64_t rows) {
  switch (degrees) {
    case Degrees::rmat:
      return edges_of_vertex * rows;
    case Degrees::mesh: {
      if (rows == 0) return 0;
      const std::int64_t width = grid_width(rows);
      const std::int64_t lines = (rows - 1) / width + 1;
      return rows + 2 * (rows - lines) + 2 * (rows - width);  // each pair of neighbours twice
    }
    case Degrees::lognormal:
      return ratings_of_user * rows;
    case Degrees::equal:
    case Degrees::half_empty:
      break;
  }
  return std::nullopt;
}

std::vector<std::int64_t> offsets_of_degrees(Degrees degrees, const Shape& shape) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(offsets_of(shape)), 0);
  std::vector<std::int64_t> weights = weights_of(degrees, shape.segment_count);
  std::int64_t all = 0;
  for (const std::int64_t weight : weights) all += weight;
  if (all == 0 && !weights.empty()) all = weights.back() = 1;  // somebody has them
  std::int64_t passed = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    passed += weights[i];
    const Wide share = static_cast<Wide>(shape.count) * static_cast<Wide>(passed);
    offsets[i + 1] = static_cast<std::int64_t>(share / static_cast<Wide>(all));
  }
  return offsets;
}

std::optional<Shape> rows_beside(const Shape& shape, std::optional<Degrees> degrees) {
  const std::int64_t rows = shape.segment_count;
  if (degrees != Degrees::equal || rows < 2 || shape.count % rows != 0) return std::nullopt;
  return Shape::rows(rows, shape.count / rows);
}

}  // namespace redtune::compare
