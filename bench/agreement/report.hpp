// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How far tunes agree, for people and for programs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/agreement/timing.hpp"
#include "bench/agreement/tunes.hpp"
#include "redtune/match.hpp"

namespace redtune::bench {

/// What tunes of one problem and the timing of their winners come to.
///
/// A configuration that some seeds chose.
struct Winner {
  Settings settings;
  std::vector<std::uint64_t> seeds;
  std::vector<double> told_us;  ///< by their tunes, in the order of the seeds
  std::optional<Interval> us;   ///< side by side with the others; nothing where not timed
};

/// What a store answers, timed beside the tunes' winners.
struct StoredAnswer {
  Settings settings;
  Match match = Match::fallback;
  std::optional<Interval> us = {};
  /// Its time / that of the tunes' fastest, as of slowest_to_fastest; 1 where they are the same.
  std::optional<Interval> to_fastest = {};
};

struct Agreement {
  Problem problem;
  std::vector<Tune> tunes;      ///< all of them, also those that failed
  std::vector<Winner> winners;  ///< fastest first where timed, else by their first seeds
  Interval tune_seconds;        ///< least, median and most; 0 where none has ended well
  std::string device;           ///< that they were timed on
  Interval default_us;
  /// The slowest winner's time / the fastest's, paired by rounds: who they are is chosen by the odd
  /// rounds and told of the even ones, so that luck makes no difference. 1 where there is one
  /// winner; nothing where they were not timed.
  std::optional<Interval> slowest_to_fastest;
  std::optional<StoredAnswer> stored;  ///< where a store was named
  std::vector<std::string> warnings;
};

/// Each configuration that a tune chose, once, by first seed.
[[nodiscard]] std::vector<Settings> distinct_winners(std::span<const Tune> tunes);

/// timing: null: there is none. Else one of distinct_winners(tunes), and of what is stored.
[[nodiscard]] Agreement summarized(const Problem& problem, std::vector<Tune> tunes,
                                   const Timing* timing,
                                   std::optional<StoredAnswer> stored = std::nullopt);

/// The medians of a ratio over all problems that have it.
struct Overall {
  std::size_t problems = 0;
  double geometric_mean = 0;
  double largest = 0;
  std::string largest_of;  ///< the problem
};
/// Of slowest / fastest; nothing where no winners were timed.
[[nodiscard]] std::optional<Overall> overall(std::span<const Agreement> all);
/// Of stored / fastest; nothing where no answer was.
[[nodiscard]] std::optional<Overall> overall_stored(std::span<const Agreement> all);

/// One problem: a line and its winners.
[[nodiscard]] std::string text_of(const Agreement& agreement);
/// The last lines, about all.
[[nodiscard]] std::string text_of_all(std::span<const Agreement> all);
/// Everything as one JSON document.
[[nodiscard]] std::string json_text(std::span<const Agreement> all);

}  // namespace redtune::bench
