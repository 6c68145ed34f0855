// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Two contestants by turns, so that neither gains by its place: what the machine was left in, and
// how its clocks drift, is the same for both.
#pragma once

#include <functional>
#include <vector>

namespace redtune::bench {

/// A time, however the contestant takes it.
using Turn = std::function<double()>;

/// Means of the two turns that each has in a round.
struct Round {
  double one = 0;
  double other = 0;
};

/// Rounds that are not kept: caches, queues and clocks come to where they stay.
inline constexpr int warm_up_rounds = 5;

/// In each round one, other, other, one: each comes first once, and each follows itself and the
/// other once.
[[nodiscard]] inline std::vector<Round> take_turns(int rounds, const Turn& one, const Turn& other) {
  std::vector<Round> kept;
  for (int i = -warm_up_rounds; i < rounds; ++i) {
    Round round;
    round.one += one() / 2;
    round.other += other() / 2;
    round.other += other() / 2;
    round.one += one() / 2;
    if (i >= 0) kept.push_back(round);
  }
  return kept;
}

}  // namespace redtune::bench
