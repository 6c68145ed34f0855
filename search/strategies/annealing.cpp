// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Simulated annealing (Kirkpatrick, Gelatt and Vecchi, Science 220, 1983).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "search/rng.hpp"
#include "search/space.hpp"
#include "search/strategies/make.hpp"
#include "search/strategy.hpp"
#include "search/unseen.hpp"

namespace redtune::search {
namespace {

constexpr double first_temperature = 0.05;
constexpr double last_temperature = 0.002;
constexpr double cooling = 0.98;

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

Annealing::Annealing(const Space& space, const StrategyOptions& options)
    : space_(&space),
      rng_(options.seed),
      unseen_(space, options.start),
      temperature_(first_temperature) {}

std::vector<Point> Annealing::ask(std::size_t max) {
  return fill_batch(max, [this] { return next(); });
}

void Annealing::tell(std::span<const Observation> observations) {
  for (const Observation& observation : observations) tell_one(observation);
}

std::optional<Point> Annealing::next() {
  if (auto start = unseen_.take_start()) return start;
  while (!moves_.empty()) {
    const Point move = moves_.back();
    moves_.pop_back();
    if (unseen_.take(move)) return move;
  }
  auto jump = unseen_.draw(rng_);
  if (jump) jumps_.insert(*jump);
  return jump;
}

void Annealing::tell_one(const Observation& observation) {
  const bool jumped = jumps_.erase(observation.point) == 1;
  unseen_.take(observation.point);
  if (!space_->contains(observation.point) || !observation.cost) return;
  const double cost = *observation.cost;
  if (std::isnan(cost)) return;
  const bool stuck = cost_ && moves_.empty() && jumped;
  if (stuck) temperature_ = std::min(first_temperature, 2 * temperature_);
  if (!cost_ || stuck || is_accepted(cost)) stand_at(observation.point, cost);
  temperature_ = std::max(last_temperature, temperature_ * cooling);
}

bool Annealing::is_accepted(double cost) {
  if (cost < *cost_) return true;
  if (!(*cost_ > 0)) return false;
  return rng_.uniform() < std::pow(cost / *cost_, -1 / temperature_);
}

void Annealing::stand_at(const Point& point, double cost) {
  cost_ = cost;
  moves_ = space_->neighbours(point, Neighbourhood::hamming);
  rng_.shuffle(std::span(moves_));
}

}  // namespace

std::unique_ptr<Strategy> make_annealing(const Space& space, const StrategyOptions& options) {
  return std::make_unique<Annealing>(space, options);
}

}  // namespace redtune::search
