// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Points worth a thought: a model is asked about some hundreds, not about a whole space.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "search/rng.hpp"
#include "search/space.hpp"
#include "search/surrogate/history.hpp"
#include "search/unseen.hpp"

namespace redtune::search {

/// Unseen points, each once: all that differ in one axis from one of the 12 cheapest (of an axis of
/// more than 64 values, 64), 100 that take each axis from one of these or from any that ran, and
/// 300 from anywhere; and those that are promising. Fewer where the space has fewer.
[[nodiscard]] std::vector<Point> candidates(const Space& space, const Unseen& unseen,
                                            const History& history,
                                            std::span<const Point> promising, Rng& rng);

/// An unseen point that is far from all of `others`: the farthest of some at random. Nothing when
/// chance finds none.
[[nodiscard]] std::optional<Point> far_point(const Space& space, const Unseen& unseen,
                                             std::span<const Point> others, Rng& rng);

}  // namespace redtune::search
