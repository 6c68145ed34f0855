// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a search asks for: how many points at a time, and how long before they are tried.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "search/budget.hpp"
#include "search/point_queue.hpp"
#include "search/space.hpp"
#include "search/strategy.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::tuner {

/// Points that are tried together: enough to share a compile, few enough to learn from.
inline constexpr std::size_t usual_batch = 8;

/// Of a search by this budget; compiles_behind: whether compilers work while the device is timed.
/// The same however many compilers there are: a run is gone on with by the same asks.
[[nodiscard]] search::AskSizes ask_sizes(const search::Budget& budget, bool compiles_behind);

/// What is compiled, and waited for, together: batches of the points, the first of 8 at most.
[[nodiscard]] std::vector<std::span<const search::Point>> compiled_together(
    std::span<const search::Point> points, std::size_t batch);

class Asks {
 public:
  /// Both outlive the object.
  Asks(const TuneRequest& request, const search::Space& space);

  /// New points, to be compiled. Empty when the strategy or the budget has no more.
  [[nodiscard]] std::vector<search::Point> ask();
  /// To be tried next. Empty when all were.
  [[nodiscard]] std::vector<search::Point> next() { return queue_.next(); }
  void tell(std::span<const search::Observation> observations) { queue_.tell(observations); }

 private:
  const TuneRequest& request_;
  std::unique_ptr<search::Strategy> strategy_;
  search::PointQueue queue_;
  std::size_t asked_for_ = 0;
};

/// What a search asks for before it tries any.
[[nodiscard]] std::vector<search::Point> asked_at_first(const TuneRequest& request);

}  // namespace redtune::tuner
