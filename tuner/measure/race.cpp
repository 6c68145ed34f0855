// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/race.hpp"

#include <algorithm>

#include "tuner/measure/statistics.hpp"

namespace redtune::tuner {
namespace {

/// How much longer than the fastest a candidate may take: alone, cold and unwarmed; in its first
/// sample; in the median of three; and surely, from then on.
constexpr double bound_alone = 30.0;
constexpr double bound_after_one = 3.0;
constexpr std::size_t few_samples = 3;
constexpr double bound_after_few = 1.5;
constexpr double bound_when_sure = 1.02;

bool is_hopeless(const std::vector<double>& samples, double warm_us, double fastest_us) {
  if (samples.size() == 1) {
    // Two in a row: one may have been interrupted.
    return std::min(samples.front(), warm_us) > bound_after_one * fastest_us;
  }
  if (samples.size() < few_samples) return false;
  const Interval time = median_interval(samples);
  const bool is_far = samples.size() == few_samples && time.median > bound_after_few * fastest_us;
  return is_far || time.low > bound_when_sure * fastest_us;
}

}  // namespace

Raced race(Batches& candidate, double batch_us, double fastest_us) {
  const bool has_rival = fastest_us > 0;
  const double alone = candidate.single();
  if (has_rival && alone > bound_alone * fastest_us) {
    return {{alone, alone, alone}, 1, 1, true};
  }
  const double warm = candidate.warm_up(batch_us);
  std::vector<double> samples;
  bool hopeless = false;
  while (!hopeless && samples.size() < race_samples) {
    samples.push_back(candidate.sample());
    hopeless = has_rival && samples.size() < race_samples && is_hopeless(samples, warm, fastest_us);
  }
  return {median_interval(samples), static_cast<int>(samples.size()), candidate.executions(),
          hopeless};
}

}  // namespace redtune::tuner
