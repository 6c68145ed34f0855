// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From the rounds of the final to a winner: chosen on one half of the rounds, reported from the
// other, so that the stored time is free of selection bias.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "redtune/interval.hpp"
#include "tuner/measure/rounds.hpp"

namespace redtune::tuner {

/// What makes one of several equally fast finalists the one to keep.
struct FinalistTraits {
  bool is_standing = false;  ///< stored by an earlier run
  int registers = 0;
  int shared_bytes = 0;
  std::size_t rank = 0;  ///< the smaller config has the smaller one
};

struct Decision {
  std::size_t winner = 0;          ///< index of the finalist to store
  std::size_t fastest = 0;         ///< chosen on the odd rounds, significant or not
  std::vector<Interval> times_us;  ///< of every finalist, from the even rounds
  /// default / winner, paired, from the even rounds; when the default is kept, default / fastest.
  Interval gain;
  /// The lower end of gain, a true 95 % one, is above least_gain, and so is that of the odd rounds.
  bool significant = false;
  std::vector<std::size_t> ties;  ///< finalists that cannot be told from the fastest
  /// default / the fastest or one of its ties, at most: what may be lost by keeping the default. 1
  /// where nothing may.
  double open_gain = 1;
};

/// A gain that must be surpassed with 95 % confidence before the default is replaced.
inline constexpr double least_gain = 1.005;
/// A difference that is not worth another round, as a share of the time.
inline constexpr double narrow = 0.0025;

/// At least two rounds. traits: of every finalist, to choose among those that tie with the fastest:
/// the standing winner, else the smallest of those that are as fast. Without them it is the fastest
/// itself.
[[nodiscard]] Decision decide(const Rounds& rounds, std::span<const FinalistTraits> traits = {});

}  // namespace redtune::tuner
