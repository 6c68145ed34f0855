// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/random_order.hpp"

#include <algorithm>
#include <cmath>

namespace redtune::cli {
namespace {

/// sorted: the times of those of all trials that have one.
double expectation(const std::vector<double>& sorted, std::size_t all, std::size_t drawn) {
  const auto population = static_cast<double>(all);
  const auto sample = static_cast<double>(drawn);
  // C(N-1, n-1) / C(N, n) = n / N, and each following one by its ratio to the one before.
  double probability = sample / population;
  double sum = 0;
  double certain = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += probability * sorted[k];
    certain += probability;
    const double left = population - static_cast<double>(k) - 1;
    if (left < sample) break;  // those behind cannot be n - 1
    probability *= (left - sample + 1) / left;
    if (probability < 1e-15) break;
  }
  return sum / certain;
}

}  // namespace

std::vector<ExpectedBest> expected_best(const std::vector<std::optional<double>>& times,
                                        std::size_t most) {
  std::vector<double> sorted;
  for (const std::optional<double>& time : times) {
    if (time) sorted.push_back(*time);
  }
  std::ranges::sort(sorted);
  std::vector<ExpectedBest> expected;
  if (sorted.empty()) return expected;
  // Dense where the curve falls.
  const double last = static_cast<double>(times.size());
  const double growth = std::pow(last, 1 / static_cast<double>(std::max<std::size_t>(most, 2)));
  double next = 1;
  for (std::size_t drawn = 1; drawn <= times.size(); ++drawn) {
    if (static_cast<double>(drawn) < next && drawn < times.size()) continue;
    expected.push_back({drawn, expectation(sorted, times.size(), drawn)});
    next = std::max(next * growth, static_cast<double>(drawn) + 0.5);
  }
  return expected;
}

}  // namespace redtune::cli
