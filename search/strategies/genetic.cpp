// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// See genetic.hpp.
#include "search/strategies/genetic.hpp"

#include <algorithm>
#include <cmath>

#include "search/fill_batch.hpp"

namespace redtune::search {
namespace {

constexpr std::size_t population_size = 12;
constexpr int attempts = 32;

}  // namespace

Genetic::Genetic(const Space& space, const StrategyOptions& options)
    : space_(&space), rng_(options.seed), unseen_(space, options.start) {}

std::vector<Point> Genetic::ask(std::size_t max) {
  return fill_batch(max, [this] { return next(); });
}

void Genetic::tell(std::span<const Observation> observations) {
  for (const auto& [point, cost] : observations) {
    unseen_.take(point);
    if (!cost || std::isnan(*cost) || !space_->contains(point)) continue;
    const auto place = std::ranges::upper_bound(population_, *cost, {}, &Member::cost);
    population_.insert(place, {point, *cost});
    if (population_.size() > population_size) population_.pop_back();
  }
}

std::optional<Point> Genetic::next() {
  if (auto start = unseen_.take_start()) return start;
  if (population_.size() == population_size) {
    for (int attempt = 0; attempt < attempts; ++attempt) {
      const Point point = child();
      if (unseen_.take(point)) return point;
    }
  }
  return unseen_.draw(rng_);
}

Point Genetic::child() {
  const auto parent = [this]() -> const Point& {
    const std::size_t one = rng_.below(population_.size());
    const std::size_t other = rng_.below(population_.size());
    return population_[std::min(one, other)].point;
  };
  Point child = parent();
  const Point& other = parent();
  for (std::size_t axis = 0; axis < child.size(); ++axis) {
    if (rng_.below(2) == 1) child.set(axis, other[axis]);
  }
  mutate(child);
  return child;
}

void Genetic::mutate(Point& point) {
  for (std::size_t axis = 0; axis < point.size(); ++axis) {
    const Axis& row = space_->axes()[axis];
    if (rng_.below(point.size()) != 0) continue;
    if (row.kind == AxisKind::categorical || rng_.below(2) == 0) {
      point.set(axis, rng_.below(row.size));
    } else if (rng_.below(2) == 0) {
      point.set(axis, point[axis] - std::min<std::size_t>(point[axis], 1));
    } else {
      point.set(axis, std::min(point[axis] + 1, row.size - 1));
    }
  }
}

}  // namespace redtune::search
