// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Medians with the range they lie in, without an assumption about how times are distributed.
#pragma once

#include <span>
#include <vector>

#include "redtune/interval.hpp"

namespace redtune::compare {

/// The median, and two samples between which the true median lies with a chance of at least 95 %
/// (order statistics: how many of n samples are below it is binomial). Below six samples no two
/// are so sure: the whole range then. samples: at least one.
[[nodiscard]] Interval median_of(std::vector<double> samples);

/// Of over[i] / under[i]: samples of the same round are compared with each other.
[[nodiscard]] Interval median_ratio(std::span<const double> over, std::span<const double> under);

/// values: positive; none: 0.
[[nodiscard]] double geometric_mean(std::span<const double> values);

}  // namespace redtune::compare
