// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Numbers about numbers: medians, their confidence intervals, and the comparison of paired samples.
#pragma once

#include <span>
#include <vector>

#include "redtune/interval.hpp"

namespace redtune::tuner {

/// NaN for no samples; the mean of the middle two for an even number.
[[nodiscard]] double median(std::span<const double> samples);

/// The median with its 95 % confidence interval from order statistics (no assumption about the
/// distribution): n/2 - 0.98*sqrt(n) - 0.5 samples off either end. Fewer than six samples cannot
/// give 95 %: the ends.
[[nodiscard]] Interval median_interval(std::span<const double> samples);

/// Interval of the median of a[i] / b[i]; both of the same length.
[[nodiscard]] Interval ratio_interval(std::span<const double> a, std::span<const double> b);

}  // namespace redtune::tuner
