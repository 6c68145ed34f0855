// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A genetic algorithm with a steady population.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "search/rng.hpp"
#include "search/space.hpp"
#include "search/strategies/make.hpp"
#include "search/strategy.hpp"
#include "search/unseen.hpp"

namespace redtune::search {
namespace {

constexpr std::size_t population_size = 12;
constexpr int attempts = 32;

/// 1. Start points, then random ones, until 12 ran.
/// 2. A child takes each axis from one of two parents; each parent is the cheaper of two drawn from
///    the population. On average one axis is then changed: to a neighbouring value or, as often and
///    where the axis is categorical, to any. A child that is no valid unseen point is made again
///    from other parents; after 32 vain attempts a random unseen point takes its place.
/// 3. Whatever ran joins the population, of which the 12 cheapest stay.
class Genetic final : public Strategy {
 public:
  Genetic(const Space& space, const StrategyOptions& options);

  std::vector<Point> ask(std::size_t max) override;
  void tell(std::span<const Observation> observations) override;

 private:
  struct Member {
    Point point;
    double cost;
  };

  std::optional<Point> next();
  [[nodiscard]] Point child();
  void mutate(Point& point);

  const Space* space_;
  Rng rng_;
  Unseen unseen_;
  std::vector<Member> population_;  ///< the cheapest first
};

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

}  // namespace

std::unique_ptr<Strategy> make_genetic(const Space& space, const StrategyOptions& options) {
  return std::make_unique<Genetic>(space, options);
}

}  // namespace redtune::search
