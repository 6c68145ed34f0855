// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// First-improvement hill climbing over Hamming neighbours, with random restarts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/rng.hpp"
#include "search/space.hpp"
#include "search/strategy.hpp"
#include "search/strategy_options.hpp"
#include "search/unseen.hpp"

namespace redtune::search {

/// The moves, for a caller that asks for one point at a time:
/// 1. Open a climb: propose a start point, or else a random unseen one; if it runs it is the base.
/// 2. Propose the unseen neighbours of the base (one axis changed to any value) in random order.
///    The first that is cheaper becomes the base at once, and step 2 starts over.
/// 3. All neighbours seen, none cheaper: a local optimum. Open the next climb, until all is seen.
///
/// A caller that wants more at once, or tells late, gets several climbs: each point belongs to the
/// climb that proposed it, the climb with the cheapest base proposes first, and a new climb opens
/// whenever no other has a move left. So a large first batch climbs from the best of its points.
class HillClimbing final : public Strategy {
 public:
  HillClimbing(const Space& space, const StrategyOptions& options);

  std::vector<Point> ask(std::size_t max) override;
  void tell(std::span<const Observation> observations) override;

 private:
  using ClimbId = std::uint64_t;

  struct Climb {
    double cost = std::numeric_limits<double>::infinity();  // of the base; infinity: no base yet
    std::vector<Point> moves;  // neighbours of the base, shuffled, to be proposed from the back
    std::size_t awaited = 0;   // proposed points whose cost is not known yet
  };

  std::optional<Point> next();
  std::optional<Point> next_move();
  void expect(const Point& point, ClimbId id);
  void tell_one(const Observation& observation);

  const Space* space_;
  Rng rng_;
  Unseen unseen_;
  std::map<ClimbId, Climb> climbs_;                 // those with moves left or answers awaited
  std::unordered_map<Point, ClimbId> proposed_by_;  // those whose cost is not known yet
  ClimbId opened_ = 0;
};

}  // namespace redtune::search
