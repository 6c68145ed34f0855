// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From the rounds of the final to a winner: chosen on one half of the rounds, reported from the
// other, so that the stored time is free of selection bias.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "redtune/interval.hpp"

namespace redtune::tuner {

/// rounds[r][i]: microseconds of finalist i in round r. Finalist 0 is the default.
using Rounds = std::vector<std::vector<double>>;

struct Decision {
  std::size_t winner = 0;          ///< index of the finalist to store
  std::size_t fastest = 0;         ///< chosen on the odd rounds, significant or not
  std::vector<Interval> times_us;  ///< of every finalist, from the even rounds
  Interval gain;                   ///< default / fastest, paired, from the even rounds
  bool significant = false;        ///< the lower end of gain, a true 95 % one, is above least_gain
  std::vector<std::size_t> ties;   ///< finalists that cannot be told from the fastest
};

/// A gain that must be surpassed with 95 % confidence before the default is replaced.
inline constexpr double least_gain = 1.005;

/// At least two rounds, each with a time for every finalist.
[[nodiscard]] Decision decide(const Rounds& rounds);

}  // namespace redtune::tuner
