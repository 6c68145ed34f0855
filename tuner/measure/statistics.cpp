// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace redtune::tuner {
namespace {

using Samples = std::vector<double>;

/// The median, without ordering all. Afterwards nothing that is greater stands before place n / 2,
/// and nothing that is less behind it.
double part_at_middle(Samples& samples) {
  const std::size_t n = samples.size();
  if (n == 0) return std::numeric_limits<double>::quiet_NaN();
  const auto half = samples.begin() + static_cast<std::ptrdiff_t>(n / 2);
  std::ranges::nth_element(samples, half);
  return n % 2 == 1 ? *half : (*std::max_element(samples.begin(), half) + *half) / 2;
}

/// What would stand at a place of a part if it were in order.
double in_order(Samples::iterator begin, Samples::iterator place, Samples::iterator end) {
  std::nth_element(begin, place, end);
  return *place;
}

}  // namespace

double median(std::span<const double> samples) {
  Samples copy(samples.begin(), samples.end());
  return part_at_middle(copy);
}

Interval median_interval(std::span<const double> samples) {
  Samples copy(samples.begin(), samples.end());
  if (copy.empty()) return {0, std::numeric_limits<double>::quiet_NaN(), 0};
  const auto n = static_cast<double>(copy.size());
  // As many samples off either end as a binomial(n, 1/2) stays below with at most 2.5 %: the normal
  // approximation, 1.96 standard deviations of sqrt(n)/2 and half a step (Conover, 3.2).
  const double outside = std::floor(n / 2 - 0.98 * std::sqrt(n) - 0.5);
  const auto low = static_cast<std::ptrdiff_t>(std::max(0.0, outside));
  const double middle = part_at_middle(copy);
  const auto half = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  const auto least = copy.begin() + low;
  const auto most = copy.end() - 1 - low;
  return {in_order(copy.begin(), least, std::max(half, least + 1)), middle,
          in_order(half, most, copy.end())};
}

Interval ratio_interval(std::span<const double> a, std::span<const double> b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) ratios.push_back(a[i] / b[i]);
  return median_interval(ratios);
}

}  // namespace redtune::tuner
