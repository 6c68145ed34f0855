// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Every point, whatever it is told: for small spaces, for recording one, as the measure of others.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "search/rng.hpp"
#include "search/space.hpp"
#include "search/strategy.hpp"
#include "search/strategy_options.hpp"
#include "search/unseen.hpp"

namespace redtune::search {

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

}  // namespace redtune::search
