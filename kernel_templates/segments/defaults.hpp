// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is known of 'reduce_segments' before anything is tuned: a config for every length and
// spread, and others that are worth trying first.
#pragma once

#include <vector>

#include "kernel_templates/segments/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// The built-in default for a problem; always valid.
[[nodiscard]] SegmentsConfig default_segments(const Problem& problem, const Limits& limits);

/// A config like another that takes equal shares, where it does not.
[[nodiscard]] SegmentsConfig in_shares(SegmentsConfig config, const Problem& problem,
                                       const Limits& limits);
/// What launches with a plan have where it is to hold bins; like no default, it was not timed.
[[nodiscard]] SegmentsConfig in_bins(const Problem& problem, const Limits& limits);

/// Configs worth trying first; all in the space.
[[nodiscard]] std::vector<SegmentsConfig> known_segments(const Problem& problem,
                                                         const Limits& limits);

/// Shapes whose defaults do for all: of every mean length few segments, which blocks share, and
/// many. Spread and offsets are the asker's.
[[nodiscard]] std::vector<Shape> typical_segments(const Limits& limits);

}  // namespace redtune::kernels
