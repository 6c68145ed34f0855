// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Trials that ship with redtune, so that a first search on a machine need not begin with nothing.
// Taken from recordings of whole spaces by thin.py; docs/decisions/0030 says why.
#pragma once

#include <string_view>
#include <vector>

#include "cache/keys/records.hpp"

namespace redtune::tuner {

struct ShippedTrials {
  /// Of no toolchain and no version of the space: never the very question that is asked.
  cache::Question question;
  std::vector<cache::Trial> trials;  ///< that ran; the time alone is known
};

/// Throws Error that says what is wrong with the text.
[[nodiscard]] ShippedTrials trials_from(std::string_view text);

/// Of each problem that was recorded; read once.
[[nodiscard]] const std::vector<ShippedTrials>& shipped_trials();

}  // namespace redtune::tuner
