// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/surrogate/similarity.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace redtune::search {
namespace {

constexpr double largest_whole = 0x1p53;  ///< up to which a double tells whole numbers apart

constexpr std::size_t most_sampled = std::size_t{1} << 17;  ///< of a space that are looked at

template <class Visit>
void for_points_of(const Space& space, Visit&& visit) {
  const std::size_t step = space.size() / most_sampled + 1;
  for (std::size_t rank = 0; rank < space.size(); rank += step) visit(space[rank]);
}

/// Which values of each axis valid points have.
std::vector<std::vector<bool>> values_in_use(const Space& space) {
  std::vector<std::vector<bool>> used;
  for (const Axis& axis : space.axes()) used.emplace_back(axis.size, false);
  for_points_of(space, [&](const Point& point) {
    for (std::size_t axis = 0; axis < used.size(); ++axis) used[axis][point[axis]] = true;
  });
  return used;
}

/// From 0 to 1 for values in use, the others beside them; all 0 when those in use are the same.
Trait stretched(Trait trait, const std::vector<bool>& used) {
  std::vector<float> places;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) places.push_back(trait.places[i]);
  }
  if (places.empty()) return trait;
  const auto [least, most] = std::ranges::minmax(places);
  const float range = most > least ? most - least : 1;
  for (float& place : trait.places) place = (place - least) / range;
  return trait;
}

/// Of the logarithms of numbers above 0, else of the indices.
Trait order_of(std::size_t axis, const Axis& row, const std::vector<bool>& used) {
  const bool sizes = !row.values.empty() && std::ranges::all_of(row.values, [](double value) {
    return value > 0 && std::isfinite(value);
  });
  Trait trait{axis, {}};
  for (std::size_t i = 0; i < row.size; ++i) {
    trait.places.push_back(
        static_cast<float>(sizes ? std::log(row.values[i]) : static_cast<double>(i)));
  }
  return stretched(std::move(trait), used);
}

/// Of the logarithm of the product, from 0 to 1 for those of valid points; all 0 when they are the
/// same.
Trait product_of(const Space& space, const Product& product) {
  const auto logs = [&](std::size_t axis) {
    std::vector<float> all;
    for (const double value : space.axes()[axis].values) {
      all.push_back(static_cast<float>(std::log(value)));
    }
    return all;
  };
  Trait trait{product.one, logs(product.one), product.other, logs(product.other)};
  float least = std::numeric_limits<float>::infinity();
  float most = -least;
  for_points_of(space, [&](const Point& point) {
    least = std::min(least, trait.of(point));
    most = std::max(most, trait.of(point));
  });
  // Less than that is what logarithms are rounded by.
  const bool differ = most - least > 1e-4F;
  const float range = differ ? most - least : 1;
  for (float& place : trait.places) place = differ ? (place - least) / range : 0;
  for (float& place : trait.other_places) place = differ ? place / range : 0;
  return trait;
}

/// 0, 1, 2, …: no two are nearer than others.
Trait sameness_of(std::size_t axis, const Axis& row) {
  Trait trait{axis, {}};
  for (std::size_t i = 0; i < row.size; ++i) trait.places.push_back(static_cast<float>(i));
  return trait;
}

/// The values as whole numbers above 0; empty when they are not.
std::vector<std::uint64_t> whole_numbers(std::span<const double> values) {
  std::vector<std::uint64_t> numbers;
  for (const double value : values) {
    if (!(value >= 1 && value <= largest_whole) || value != std::floor(value)) return {};
    numbers.push_back(static_cast<std::uint64_t>(value));
  }
  return numbers;
}

}  // namespace

std::vector<Trait> traits_of(const Space& space) {
  const auto used = values_in_use(space);
  std::vector<Trait> traits;
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
    const Axis& row = space.axes()[axis];
    if (row.kind == AxisKind::categorical) {
      traits.push_back(sameness_of(axis, row));
      continue;
    }
    traits.push_back(order_of(axis, row, used[axis]));
    const auto numbers = whole_numbers(row.values);
    const auto is_power = [](std::uint64_t number) { return std::has_single_bit(number); };
    if (numbers.size() < 3) continue;
    if (std::ranges::all_of(numbers, is_power)) continue;
    Trait halvings{axis, {}};
    Trait powers{axis, {}};
    for (const std::uint64_t number : numbers) {
      halvings.places.push_back(static_cast<float>(std::countr_zero(number)));
      powers.places.push_back(is_power(number) ? 1.0F : 0.0F);
    }
    for (Trait* const trait : {&halvings, &powers}) {
      const auto [least, most] = std::ranges::minmax(trait->places);
      if (least < most) traits.push_back(stretched(std::move(*trait), used[axis]));
    }
  }
  for (const Product& product : space.products()) traits.push_back(product_of(space, product));
  return traits;
}

Similarity::Similarity(const Space& space, double length)
    : traits_(std::make_shared<const std::vector<Trait>>(traits_of(space))),
      weights_(traits_->size(), static_cast<float>(1 / length)) {}

Similarity Similarity::with(const std::vector<double>& lengths) const {
  Similarity other = *this;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    other.weights_[i] = static_cast<float>(1 / lengths[i]);
  }
  return other;
}

Places Similarity::places(std::span<const Point> points) const {
  Places all{{}, points.size()};
  all.weighted.reserve(points.size() * weights_.size());
  for (std::size_t trait = 0; trait < weights_.size(); ++trait) {
    const Trait& one = (*traits_)[trait];
    for (const Point& point : points) all.weighted.push_back(weights_[trait] * one.of(point));
  }
  return all;
}

void Similarity::operator()(const Point& one, const Places& many, std::span<float> similar) const {
  const Places here = places({&one, 1});
  const std::size_t count = similar.size();
  std::ranges::fill(similar, 0.0F);
  for (std::size_t trait = 0; trait < weights_.size(); ++trait) {
    const float* const others = &many.weighted[trait * many.points];
    const float place = here.weighted[trait];
    const float most = weights_[trait];
    for (std::size_t i = 0; i < count; ++i) {
      const float distance = std::abs(others[i] - place);
      similar[i] += distance < most ? distance : most;
    }
  }
  for (float& each : similar) each = of_distance(each);
}

}  // namespace redtune::search
