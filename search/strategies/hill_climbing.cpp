// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// First-improvement hill climbing over Hamming neighbours, with random restarts.
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
#include "search/strategies/make.hpp"
#include "search/strategy.hpp"
#include "search/unseen.hpp"

namespace redtune::search {
namespace {

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

}  // namespace

std::unique_ptr<Strategy> make_hill_climbing(const Space& space, const StrategyOptions& options) {
  return std::make_unique<HillClimbing>(space, options);
}

}  // namespace redtune::search
