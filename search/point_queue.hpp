// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Between a strategy and what tries its points: they are asked for ahead, so that they can be
// compiled meanwhile, and those of them are tried next that the strategy wants most by then.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "search/strategy.hpp"

namespace redtune::search {

struct AskSizes {
  std::size_t batch = 1;  ///< points that are tried before the strategy is told of them
  std::size_t ahead = 0;  ///< batches that are tried while points that were asked for are compiled
  std::size_t first = 0;  ///< points that are asked for before any is tried; ahead + 1 batches if 0

  [[nodiscard]] std::size_t asked_at_first() const {
    return first != 0 ? first : (ahead + 1) * batch;
  }

  bool operator==(const AskSizes&) const = default;
};

class PointQueue {
 public:
  /// The strategy outlives the object.
  PointQueue(Strategy& strategy, const AskSizes& sizes);

  /// New points, to be compiled: a batch, or as many as at first; no more than `most`.
  [[nodiscard]] std::vector<Point> ask(std::size_t most);
  /// At most a batch of points, to be tried: of those that were asked for long enough ago or, where
  /// none is, of the oldest of the others. Empty: there are no more.
  [[nodiscard]] std::vector<Point> next();
  void tell(std::span<const Observation> observations) { strategy_.tell(observations); }

 private:
  Strategy& strategy_;
  AskSizes sizes_;
  bool has_asked_ = false;
  std::vector<Point> waiting_;                ///< to be tried
  std::deque<std::vector<Point>> compiling_;  ///< too new for that, ask by ask
};

}  // namespace redtune::search
