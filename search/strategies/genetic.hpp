// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A genetic algorithm with a steady population.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "search/observation.hpp"
#include "search/rng.hpp"
#include "search/space.hpp"
#include "search/strategy.hpp"
#include "search/strategy_options.hpp"
#include "search/unseen.hpp"

namespace redtune::search {

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

}  // namespace redtune::search
