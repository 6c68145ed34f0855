// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A strategy at work on a recorded space: what it asks for is looked up instead of measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "search/point_queue.hpp"
#include "search/replay/recorded_space.hpp"
#include "search/space.hpp"
#include "search/strategy.hpp"

namespace redtune::search {

/// The space as strategies see it; its ranks are the places of the recorded points.
/// Throws UsageError for one with more combinations than a space can have.
[[nodiscard]] search::Space space_of(const RecordedSpace& recorded);

enum class Noise {
  none,    ///< a strategy is told what was recorded
  replay,  ///< the recorded cost, times a recorded launch over the mean of the launches
};

struct ReplayTerms {
  AskSizes asks = {};
  std::size_t evaluations = 0;  ///< to go on for at least so many,
  double seconds = 0;           ///< and for so many recorded seconds; or to the space's end
  Noise noise = Noise::none;
};

struct ReplayedRun {
  std::uint64_t seed = 0;
  std::vector<std::uint32_t> evaluated;  ///< places in the recorded space, one after the other
  std::vector<double> told;              ///< what the strategy was told; NaN: failed
  double strategy_us = 0;                ///< in the strategy, all together
};

struct Track {
  const RecordedSpace& recorded;
  const search::Space& space;  ///< space_of(recorded)
};

/// seed: of the noise, and kept with the run; the strategy has its own already. Throws Error for a
/// strategy that breaks the promises of its class.
[[nodiscard]] ReplayedRun replay(const Track& track, search::Strategy& strategy, std::uint64_t seed,
                                 const ReplayTerms& terms);

/// The seed of a run, from that of all: others for another space, strategy or number of a run.
[[nodiscard]] std::uint64_t seed_of(std::uint64_t all, std::uint64_t fingerprint,
                                    std::string_view strategy, std::size_t run);

}  // namespace redtune::search
