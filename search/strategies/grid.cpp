// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// See grid.hpp.
#include "search/strategies/grid.hpp"

#include "search/fill_batch.hpp"

namespace redtune::search {

Grid::Grid(const Space& space, const StrategyOptions& options)
    : space_(&space),
      order_(options.grid_order),
      rng_(options.seed),
      unseen_(space, options.start) {}

std::vector<Point> Grid::ask(std::size_t max) {
  return fill_batch(max, [this] { return next(); });
}

void Grid::tell(std::span<const Observation> observations) {
  for (const Observation& observation : observations) unseen_.take(observation.point);
}

std::optional<Point> Grid::next() {
  if (auto start = unseen_.take_start()) return start;
  return order_ == GridOrder::lexicographic ? next_in_order() : unseen_.draw(rng_);
}

std::optional<Point> Grid::next_in_order() {
  while (cursor_ < space_->size()) {
    const Point point = (*space_)[cursor_++];
    if (unseen_.take(point)) return point;
  }
  return std::nullopt;
}

}  // namespace redtune::search
