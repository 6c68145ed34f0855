// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Simulated annealing (Kirkpatrick, Gelatt and Vecchi, Science 220, 1983).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "search/observation.hpp"
#include "search/rng.hpp"
#include "search/space.hpp"
#include "search/strategy.hpp"
#include "search/strategy_options.hpp"
#include "search/unseen.hpp"

namespace redtune::search {

/// A walker goes from point to point:
/// 1. It begins at a start point, or else at a random one.
/// 2. Proposed are unseen points with one axis changed, in random order. One that is cheaper is
/// gone
///    to; one that costs a factor f more is gone to with the probability f^(-1/T). Where a cost is
///    not above 0, only cheaper ones are.
/// 3. T begins at 0.05 and falls by 2 % with every answer, to 0.002 at the least. Where no unseen
///    neighbour is left, the walker goes on from a random point, and T is doubled.
/// Of several points asked for at once, each is a neighbour of where the walker stands then; the
/// answers are taken one after the other.
class Annealing final : public Strategy {
 public:
  Annealing(const Space& space, const StrategyOptions& options);

  std::vector<Point> ask(std::size_t max) override;
  void tell(std::span<const Observation> observations) override;

 private:
  std::optional<Point> next();
  void tell_one(const Observation& observation);
  [[nodiscard]] bool is_accepted(double cost);
  void stand_at(const Point& point, double cost);

  const Space* space_;
  Rng rng_;
  Unseen unseen_;
  std::optional<double> cost_;  ///< of where the walker stands; nothing: nowhere yet
  std::vector<Point> moves_;    ///< its neighbours in random order, to be proposed from the back
  double temperature_;
  std::unordered_set<Point> jumps_;  ///< on their way, and gone to whatever they cost
};

}  // namespace redtune::search
