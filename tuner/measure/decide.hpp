// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From the rounds of the final to a winner: chosen on one half of the rounds, reported from the
// other, so that the stored time is free of selection bias.
#pragma once

#include <cstddef>
#include <optional>
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
  /// Off the alignment of vectors, see BatchOrder; 0: not timed so.
  double displaced_us = 0;
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
  std::vector<double> displaced_us;  ///< of every finalist, as their traits have it; or empty
  /// Who would have won, but is slow off the alignment of vectors where the winner is not.
  std::optional<std::size_t> passed_over;
};

/// A gain that must be surpassed with 95 % confidence before the default is replaced.
inline constexpr double least_gain = 1.005;
/// A difference that is not worth another round, as a share of the time.
inline constexpr double narrow = 0.0025;

/// What a winner may take longer by than the fastest where it is faster off the alignment of
/// vectors by least_displaced_gain at least.
inline constexpr double most_for_displaced = 1.01;
inline constexpr double least_displaced_gain = 1.04;

/// Who may win for being faster off the alignment of vectors, the winner so far among them.
[[nodiscard]] std::vector<std::size_t> near_the_winner(const Rounds& rounds,
                                                       const Decision& decision);

/// At least two rounds. traits: of every finalist, to choose among those that tie with the fastest:
/// the standing winner, else the smallest of those that are as fast. Without them it is the fastest
/// itself. Where they hold displaced times, the default or another sure gain may win by these.
[[nodiscard]] Decision decide(const Rounds& rounds, std::span<const FinalistTraits> traits = {});

}  // namespace redtune::tuner
