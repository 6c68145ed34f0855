// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Who of a search goes to the final.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tuner/measure/terms.hpp"

namespace redtune::tuner {

/// Finalists beside the default.
inline constexpr std::size_t most_finalists = 16;

struct FinalistRules {
  double noise_floor = 0;  ///< see Calibration
  CandidateId default_candidate{};
  std::optional<CandidateId> standing = {};  ///< the winner of an earlier run
  std::size_t best = 8;                      ///< that are in, however far apart
};

/// The default first, then the standing winner, then the best: so many or 2 % of all, whichever is
/// more, and whatever is within the noise of the best. Only those that were measured may be among
/// the candidates; the default and the standing winner need not be.
[[nodiscard]] std::vector<CandidateId> choose_finalists(std::span<const TimedCandidate> candidates,
                                                        const FinalistRules& rules);

}  // namespace redtune::tuner
