// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How well a cached answer fits the question.
#pragma once

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

[[nodiscard]] REDTUNE_API std::string_view to_string(Match match);

}  // namespace redtune
