// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every point, whatever it is told: for small spaces, for recording one, as the measure of others.
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

/// Shuffled unless options ask for lexicographic order: under a budget that order sees one corner
/// of the space only and does far worse than random search.
class Grid final : public Strategy {
 public:
  Grid(const Space& space, const StrategyOptions& options);

  std::vector<Point> ask(std::size_t max) override;
  void tell(std::span<const Observation> observations) override;

 private:
  std::optional<Point> next();
  std::optional<Point> next_in_order();

  const Space* space_;
  GridOrder order_;
  Rng rng_;
  Unseen unseen_;
  std::size_t cursor_ = 0;  // rank; all before it were taken (lexicographic order only)
};

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

}  // namespace

std::unique_ptr<Strategy> make_grid(const Space& space, const StrategyOptions& options) {
  return std::make_unique<Grid>(space, options);
}

}  // namespace redtune::search
