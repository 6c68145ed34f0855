// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// See hill_climbing.hpp.
#include "search/strategies/hill_climbing.hpp"

#include "search/fill_batch.hpp"

namespace redtune::search {

HillClimbing::HillClimbing(const Space& space, const StrategyOptions& options)
    : space_(&space), rng_(options.seed), unseen_(space, options.start) {}

std::vector<Point> HillClimbing::ask(std::size_t max) {
  return fill_batch(max, [this] { return next(); });
}

void HillClimbing::tell(std::span<const Observation> observations) {
  for (const Observation& observation : observations) tell_one(observation);
}

std::optional<Point> HillClimbing::next() {
  std::optional<Point> opening = unseen_.take_start();
  if (!opening) {
    if (auto move = next_move()) return move;
    opening = unseen_.draw(rng_);
  }
  if (opening) expect(*opening, opened_++);
  return opening;
}

/// The next unseen neighbour of the cheapest base that has one.
std::optional<Point> HillClimbing::next_move() {
  for (;;) {
    auto cheapest = climbs_.end();
    for (auto climb = climbs_.begin(); climb != climbs_.end(); ++climb) {
      if (climb->second.moves.empty()) continue;
      if (cheapest == climbs_.end() || climb->second.cost < cheapest->second.cost) cheapest = climb;
    }
    if (cheapest == climbs_.end()) return std::nullopt;

    auto& [id, climb] = *cheapest;
    while (!climb.moves.empty()) {
      const Point move = climb.moves.back();
      climb.moves.pop_back();
      if (!unseen_.take(move)) continue;
      expect(move, id);
      return move;
    }
    if (climb.awaited == 0) climbs_.erase(cheapest);
  }
}

void HillClimbing::expect(const Point& point, ClimbId id) {
  ++climbs_[id].awaited;
  proposed_by_.emplace(point, id);
}

void HillClimbing::tell_one(const Observation& observation) {
  const auto proposed = proposed_by_.extract(observation.point);
  const bool unasked = proposed.empty();
  if (unasked && !unseen_.take(observation.point)) return;  // outside the space, or told before

  const ClimbId id = unasked ? opened_++ : proposed.mapped();
  Climb& climb = climbs_[id];
  if (!unasked) --climb.awaited;
  if (observation.cost && *observation.cost < climb.cost) {  // never true for NaN
    climb.cost = *observation.cost;
    climb.moves = space_->neighbours(observation.point, Neighbourhood::hamming);
    rng_.shuffle(std::span(climb.moves));
  }
  if (climb.moves.empty() && climb.awaited == 0) climbs_.erase(id);
}

}  // namespace redtune::search
