// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace redtune::compare {
namespace {

/// The largest k for which fewer than k of n samples are below the median with a chance of at most
/// 2.5 %: then the k-th smallest is below it, and likewise the k-th largest above, in 95 %.
std::size_t rank_of(std::size_t n) {
  double term = std::exp2(-static_cast<double>(n));  // of i = 0 samples below
  double below = 0;
  for (std::size_t i = 0; i < n; ++i) {
    below += term;
    if (below > 0.025) return i;
    term *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return 0;
}

}  // namespace

Interval median_of(std::vector<double> samples) {
  std::ranges::sort(samples);
  const std::size_t n = samples.size();
  const std::size_t rank = std::max<std::size_t>(rank_of(n), 1);
  const double middle = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
  return {samples[rank - 1], middle, samples[n - rank]};
}

Interval median_ratio(std::span<const double> over, std::span<const double> under) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(over.size(), under.size()); ++i) {
    ratios.push_back(over[i] / under[i]);
  }
  return median_of(std::move(ratios));
}

double geometric_mean(std::span<const double> values) {
  if (values.empty()) return 0;
  double logarithms = 0;
  for (const double value : values) logarithms += std::log(value);
  return std::exp(logarithms / static_cast<double>(values.size()));
}

}  // namespace redtune::compare
