// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace redtune::tuner {
namespace {

double middle(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  if (n == 0) return std::numeric_limits<double>::quiet_NaN();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

std::vector<double> sorted_copy(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace

double median(std::span<const double> samples) {
  return middle(sorted_copy(samples));
}

Interval median_interval(std::span<const double> samples) {
  const auto sorted = sorted_copy(samples);
  if (sorted.empty()) return {0, std::numeric_limits<double>::quiet_NaN(), 0};
  const auto n = static_cast<double>(sorted.size());
  // As many samples off either end as a binomial(n, 1/2) stays below with at most 2.5 %: the normal
  // approximation, 1.96 standard deviations of sqrt(n)/2 and half a step (Conover, 3.2).
  const double outside = std::floor(n / 2 - 0.98 * std::sqrt(n) - 0.5);
  const auto low = static_cast<std::size_t>(std::max(0.0, outside));
  return {sorted[low], middle(sorted), sorted[sorted.size() - 1 - low]};
}

Interval ratio_interval(std::span<const double> a, std::span<const double> b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) ratios.push_back(a[i] / b[i]);
  return median_interval(ratios);
}

}  // namespace redtune::tuner
