// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a search tries, ask by ask: how many points together, and how many asks before it hears of
// the first.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "search/space.hpp"
#include "search/strategy.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::tuner {

/// Points that are asked for together: enough to share a compile, few enough to learn from. Of a
/// budget that is brief as many as there are compiled while as many are timed.
inline constexpr std::size_t usual_batch = 8;
inline constexpr std::size_t brief_batch = 4;

class Asks {
 public:
  /// Both outlive the object.
  Asks(const TuneRequest& request, const search::Space& space);

  /// Empty when the strategy or the budget has no more.
  [[nodiscard]] std::vector<search::Point> next();
  void tell(std::span<const search::Observation> observations) { strategy_->tell(observations); }

 private:
  const TuneRequest& request_;
  std::unique_ptr<search::Strategy> strategy_;
  std::size_t asked_for_ = 0;
};

/// What a search asks for before it is told of a result, all of it.
[[nodiscard]] std::vector<search::Point> asked_before_results(const TuneRequest& request);

}  // namespace redtune::tuner
