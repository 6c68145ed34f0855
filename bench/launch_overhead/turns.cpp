// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/launch_overhead/turns.hpp"

namespace redtune::bench {

std::vector<Round> take_turns(int rounds, const Turn& one, const Turn& other) {
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
