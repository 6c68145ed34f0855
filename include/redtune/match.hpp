// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How well a cached answer fits the question.
#pragma once

#include <array>
#include <compare>
#include <string_view>

#include "redtune/export.hpp"

namespace redtune {

/// Best first but for the last, whose number is newer: compare with the operators below.
enum class Match {
  exact,      ///< tuned here, for this problem, with this toolchain
  drift,      ///< tuned here with another toolchain: still right, possibly not the fastest any more
  sibling,    ///< tuned on the same ISA and compute units of another board
  near,       ///< tuned here for a neighbouring shape of the same problem
  fallback,   ///< nothing known: the family's default
  predicted,  ///< expected by a model from trials of other problems here; between near and fallback
};

/// Best first.
inline constexpr std::array all_matches{Match::exact, Match::drift,     Match::sibling,
                                        Match::near,  Match::predicted, Match::fallback};

/// The place in all_matches.
[[nodiscard]] constexpr int rank_of(Match match) {
  if (match == Match::predicted) return static_cast<int>(Match::near) + 1;
  return static_cast<int>(match) + (match == Match::fallback ? 1 : 0);
}

/// The better match is the lesser one.
[[nodiscard]] constexpr std::strong_ordering operator<=>(Match a, Match b) {
  return rank_of(a) <=> rank_of(b);
}
[[nodiscard]] constexpr bool operator<(Match a, Match b) {
  return rank_of(a) < rank_of(b);
}
[[nodiscard]] constexpr bool operator>(Match a, Match b) {
  return rank_of(a) > rank_of(b);
}
[[nodiscard]] constexpr bool operator<=(Match a, Match b) {
  return rank_of(a) <= rank_of(b);
}
[[nodiscard]] constexpr bool operator>=(Match a, Match b) {
  return rank_of(a) >= rank_of(b);
}

[[nodiscard]] REDTUNE_API std::string_view to_string(Match match);
/// Throws UsageError that names the known ones.
[[nodiscard]] REDTUNE_API Match parse_match(std::string_view name);

}  // namespace redtune
