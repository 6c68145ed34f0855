// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How well a cached answer fits the question.
#pragma once

#include <array>
#include <string_view>

#include "redtune/export.hpp"

namespace redtune {

/// Best first.
enum class Match {
  exact,     ///< tuned here, for this problem, with this toolchain
  drift,     ///< tuned here with another toolchain: still right, possibly not the fastest any more
  sibling,   ///< tuned on the same ISA and compute units of another board
  near,      ///< tuned here for the nearest count of the same problem
  fallback,  ///< nothing known: the family's default
};

/// Best first.
inline constexpr std::array all_matches{Match::exact, Match::drift, Match::sibling, Match::near,
                                        Match::fallback};

[[nodiscard]] REDTUNE_API std::string_view to_string(Match match);
/// Throws UsageError that names the known ones.
[[nodiscard]] REDTUNE_API Match parse_match(std::string_view name);

}  // namespace redtune
