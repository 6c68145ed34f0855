// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whether two measures put the same things in the same order, when neither is exact.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace redtune::bench {

/// A value, and half the width of its 95 % interval.
struct Noisy {
  double value = 0;
  double noise = 0;
};

/// The median of samples with its noise; of none, not a number.
[[nodiscard]] Noisy noisy_median(std::span<const double> samples);

/// Ranks from 1 on. Values that noise may have put in their order share the average of their ranks:
/// in ascending order each stands with the first of a group as long as their difference is within
/// the noise of a difference, the root of both squares.
[[nodiscard]] std::vector<double> tied_ranks(std::span<const Noisy> values);

/// Different ones among ranks.
[[nodiscard]] std::size_t distinct(std::span<const double> ranks);

/// Spearman's: the linear correlation of ranks, which is right with ties as well. Nothing where one
/// side has no order. Both of one length.
[[nodiscard]] std::optional<double> rank_correlation(std::span<const double> a,
                                                     std::span<const double> b);

/// What choosing costs: the time of what was chosen over that of the best.
struct Regret {
  double ratio = 1;
  double noise = 0;
};

/// times[i]: of thing i by rounds, at least two rounds. The best is whoever is fastest in the odd
/// rounds, the ratio is that of the even ones: it owes nothing to luck, and may be below 1. Nothing
/// where a time is not positive.
[[nodiscard]] std::optional<Regret> regret(const std::vector<std::vector<double>>& times,
                                           std::size_t chosen);

/// The samples of the even or the odd rounds, the first of which is 0.
enum class Rounds { even, odd };
[[nodiscard]] std::vector<double> samples_in(Rounds rounds, std::span<const double> samples);

}  // namespace redtune::bench
