// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// See annealing.hpp.
#include "search/strategies/annealing.hpp"

#include <algorithm>
#include <cmath>

#include "search/fill_batch.hpp"

namespace redtune::search {
namespace {

constexpr double first_temperature = 0.05;
constexpr double last_temperature = 0.002;
constexpr double cooling = 0.98;

}  // namespace

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

}  // namespace redtune::search
