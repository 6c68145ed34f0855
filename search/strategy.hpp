// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The seam between thinking and measuring: a strategy proposes points, says which of them are to be
// tried next, and is told their costs.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "search/point.hpp"

namespace redtune::search {

/// What became of a proposed point.
struct Observation {
  Point point;
  std::optional<double> cost;  ///< smaller is better, any unit; nothing: it cannot run, or failed

  bool operator==(const Observation&) const = default;
};

/// Every strategy keeps these promises (tests/search/strategy_contract_test.cpp holds it to them):
/// * it repeats itself exactly for the same space, options and calls;
/// * it proposes valid points only, and none twice – nor one that it was told about unasked;
/// * it proposes at least one point until every point of its space was proposed, told or not.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// At most `max` new points, the most wanted first. Empty: done (or max is 0).
  virtual std::vector<Point> ask(std::size_t max) = 0;

  /// Any order, any grouping, as late as need be; no cost = cannot run. Points that were never
  /// asked for (known from elsewhere) are welcome; points outside the space are ignored.
  virtual void tell(std::span<const Observation> observations) = 0;

  /// Of points that it proposed and was not told of, those to try next: their places among
  /// `waiting`, at most `max`, each once and at least one if there is any. The first, unless a
  /// strategy knows better by now.
  [[nodiscard]] virtual std::vector<std::size_t> choose(std::span<const Point> waiting,
                                                        std::size_t max);
};

inline std::vector<std::size_t> Strategy::choose(std::span<const Point> waiting, std::size_t max) {
  std::vector<std::size_t> places(std::min(max, waiting.size()));
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

/// What is known of a problem like the one that is searched.
struct SourceTask {
  /// Each point once, with a cost above 0 in a unit of its own. They need not be valid in the space
  /// that is searched, but must fit its axes.
  std::vector<Observation> observations;
  double nearness = 1;  ///< > 0; how far it is trusted before anything ran, beside others
};

class Prior;

enum class GridOrder { shuffled, lexicographic };

/// What a caller may choose about a strategy, whichever it is.
struct StrategyOptions {
  std::uint64_t seed = 0;

  /// Asked first, in this order: the default config, a cached best, … Those that are not valid in
  /// the space are left out, so that an answer for another device can be passed as it is. A
  /// strategy that others guide asks the first of them first, then one for each categorical value
  /// that the sources do not tell of, and the rest in the order of what it expects, among winners
  /// of the sources and points of its own.
  std::vector<Point> start = {};

  /// Problems like this one, for strategies that learn.
  std::vector<SourceTask> sources = {};
  /// What was learned of some of them before; null: nothing was. Its space must be alive.
  std::shared_ptr<const Prior> prior = {};

  GridOrder grid_order = GridOrder::shuffled;  ///< `grid` only
};

/// Calls `next` until the batch holds `max` points or there is nothing more to propose.
template <std::invocable Next>
[[nodiscard]] std::vector<Point> fill_batch(std::size_t max, Next next) {
  std::vector<Point> batch;
  while (batch.size() < max) {
    std::optional<Point> point = next();
    if (!point) break;
    batch.push_back(*point);
  }
  return batch;
}

}  // namespace redtune::search
