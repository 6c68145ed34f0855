// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// See random.hpp.
#include "search/strategies/random.hpp"

#include "search/fill_batch.hpp"

namespace redtune::search {

Random::Random(const Space& space, const StrategyOptions& options)
    : rng_(options.seed), unseen_(space, options.start) {}

std::vector<Point> Random::ask(std::size_t max) {
  return fill_batch(max, [this] { return next(); });
}

void Random::tell(std::span<const Observation> observations) {
  for (const Observation& observation : observations) unseen_.take(observation.point);
}

std::optional<Point> Random::next() {
  if (auto start = unseen_.take_start()) return start;
  return unseen_.draw(rng_);
}

}  // namespace redtune::search
