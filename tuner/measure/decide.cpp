// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/decide.hpp"

#include <algorithm>

#include "tuner/measure/statistics.hpp"

namespace redtune::tuner {
namespace {

/// Below it no interval of a median reaches 95 %: five samples lie on one side once in 32 times.
constexpr std::size_t least_samples = 6;

/// The times of one finalist in every second round, from the given one on.
std::vector<double> every_second(const Rounds& rounds, std::size_t finalist, std::size_t first) {
  std::vector<double> times;
  for (std::size_t r = first; r < rounds.size(); r += 2) times.push_back(rounds[r][finalist]);
  return times;
}

}  // namespace

Decision decide(const Rounds& rounds) {
  const std::size_t finalists = rounds.front().size();
  Decision decision;
  double best = 0;
  for (std::size_t i = 0; i < finalists; ++i) {
    const double odd = median(every_second(rounds, i, 1));
    if (i == 0 || odd < best) {
      best = odd;
      decision.fastest = i;
    }
    decision.times_us.push_back(median_interval(every_second(rounds, i, 0)));
  }
  const auto fastest = every_second(rounds, decision.fastest, 0);
  decision.gain = ratio_interval(every_second(rounds, 0, 0), fastest);
  decision.significant = fastest.size() >= least_samples && decision.gain.low > least_gain;
  decision.winner = decision.significant ? decision.fastest : 0;
  for (std::size_t i = 0; i < finalists; ++i) {
    if (i == decision.fastest) continue;
    if (ratio_interval(every_second(rounds, i, 0), fastest).low <= least_gain) {
      decision.ties.push_back(i);
    }
  }
  return decision;
}

}  // namespace redtune::tuner
