// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Uniformly random points without replacement: what every other strategy must beat.
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

}  // namespace redtune::search
