// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/in_context/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "tuner/measure/statistics.hpp"

namespace redtune::bench {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool is_tie(const Noisy& a, const Noisy& b) {
  return std::abs(a.value - b.value) <= std::hypot(a.noise, b.noise);
}

Noisy noisy(const Interval& interval) {
  return {interval.median, (interval.high - interval.low) / 2};
}

}  // namespace

Noisy noisy_median(std::span<const double> samples) {
  return noisy(tuner::median_interval(samples));
}

std::vector<double> tied_ranks(std::span<const Noisy> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i].value; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && is_tie(values[order[first]], values[order[end]])) ++end;
    const double rank = static_cast<double>(first + 1 + end) / 2;
    for (; first < end; ++first) ranks[order[first]] = rank;
  }
  return ranks;
}

std::size_t distinct(std::span<const double> ranks) {
  return std::set<double>(ranks.begin(), ranks.end()).size();
}

std::optional<double> rank_correlation(std::span<const double> a, std::span<const double> b) {
  if (a.empty()) return std::nullopt;
  const double mean_a = mean(a);
  const double mean_b = mean(b);
  double both = 0;
  double of_a = 0;
  double of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean_a) * (b[i] - mean_b);
    of_a += (a[i] - mean_a) * (a[i] - mean_a);
    of_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  if (of_a == 0 || of_b == 0) return std::nullopt;
  return both / std::sqrt(of_a * of_b);
}

std::vector<double> samples_in(Rounds rounds, std::span<const double> samples) {
  std::vector<double> some;
  for (std::size_t i = rounds == Rounds::odd ? 1 : 0; i < samples.size(); i += 2) {
    some.push_back(samples[i]);
  }
  return some;
}

std::optional<Regret> regret(const std::vector<std::vector<double>>& times, std::size_t chosen) {
  const auto best = std::ranges::min_element(times, {}, [](const std::vector<double>& one) {
    return tuner::median(samples_in(Rounds::odd, one));
  });
  const auto of_chosen = samples_in(Rounds::even, times.at(chosen));
  const auto of_best = samples_in(Rounds::even, *best);
  const auto is_positive = [](double time) { return time > 0; };
  if (!std::ranges::all_of(of_chosen, is_positive) || !std::ranges::all_of(of_best, is_positive)) {
    return std::nullopt;
  }
  const Noisy ratio = noisy(tuner::ratio_interval(of_chosen, of_best));
  return Regret{ratio.value, ratio.noise};
}

}  // namespace redtune::bench
