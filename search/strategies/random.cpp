// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Uniformly random points without replacement: what every other strategy must beat.
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

class Random final : public Strategy {
 public:
  Random(const Space& space, const StrategyOptions& options);

  std::vector<Point> ask(std::size_t max) override;
  void tell(std::span<const Observation> observations) override;

 private:
  std::optional<Point> next();

  Rng rng_;
  Unseen unseen_;
};

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

}  // namespace

std::unique_ptr<Strategy> make_random(const Space& space, const StrategyOptions& options) {
  return std::make_unique<Random>(space, options);
}

}  // namespace redtune::search
