// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/race.hpp"

#include <algorithm>
#include <optional>

#include "tuner/measure/statistics.hpp"

namespace redtune::tuner {
namespace {

/// How much longer than the fastest a candidate may take: alone, cold and unwarmed; in the shortest
/// of some brief batches; in its first sample; in the median of three; and surely, from then on.
constexpr double bound_alone = 30.0;
constexpr double bound_when_brief = 1.1;
constexpr double bound_after_one = 3.0;
constexpr std::size_t few_samples = 3;
constexpr double bound_after_few = 1.5;
constexpr double bound_when_sure = 1.02;

/// Brief batches cost a quarter and differ from whole ones by a few percent.
constexpr double brief_share = 0.25;

/// Up to three of them, and one before that warms up; nothing: the candidate is worth whole ones.
std::optional<Raced> brief_look(Batches& candidate, double batch_us, double fastest_us) {
  double least = candidate.warm_up(brief_share * batch_us);
  std::vector<double> samples;
  while (samples.size() < few_samples) {
    samples.push_back(candidate.sample());
    least = std::min(least, samples.back());
    if (least <= bound_when_brief * fastest_us) return std::nullopt;
    if (least > bound_after_one * fastest_us) break;
  }
  return Raced{median_interval(samples), static_cast<int>(samples.size()), candidate.executions(),
               true};
}

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
  if (has_rival) {
    if (const auto raced = brief_look(candidate, batch_us, fastest_us)) return *raced;
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
