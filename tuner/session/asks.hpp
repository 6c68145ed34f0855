// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a search tries, ask by ask: how many points together, and how many asks before it hears of
// the first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "search/budget.hpp"
#include "search/space.hpp"
#include "search/strategy.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::tuner {

/// Points that are asked for together: enough to share a compile, few enough to learn from.
inline constexpr std::size_t usual_batch = 8;

/// How many points an ask has, and how many asks are compiled while one is timed.
struct AskSizes {
  std::size_t batch = usual_batch;
  std::size_t ahead = 0;

  bool operator==(const AskSizes&) const = default;
};

/// Of a search by this budget on this platform; compiles_behind: whether compilers work while the
/// device is timed. The same however many compilers there are: a run is gone on with by the same
/// asks.
[[nodiscard]] AskSizes ask_sizes(const search::Budget& budget, std::string_view platform,
                                 bool compiles_behind);

/// Points of the first ask, which is waited for, where an ask has so many.
[[nodiscard]] constexpr std::size_t first_batch(std::size_t batch) {
  return std::min(usual_batch, batch);
}

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
