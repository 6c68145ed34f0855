// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/rounds.hpp"

#include <cmath>

#include "tuner/measure/statistics.hpp"

namespace redtune::tuner {

bool is_still_in(const Rounds& rounds, std::size_t finalist) {
  return !std::isnan(rounds.back()[finalist]);
}

std::vector<double> times_in(const Rounds& rounds, std::size_t finalist, Half half) {
  std::vector<double> times;
  for (std::size_t r = static_cast<std::size_t>(half); r < rounds.size(); r += 2) {
    if (!std::isnan(rounds[r][finalist])) times.push_back(rounds[r][finalist]);
  }
  return times;
}

std::vector<double> times_in(const Rounds& rounds, std::size_t finalist) {
  std::vector<double> times = times_in(rounds, finalist, Half::even);
  const std::vector<double> odd = times_in(rounds, finalist, Half::odd);
  times.insert(times.end(), odd.begin(), odd.end());
  return times;
}

Interval ratio_in(const Rounds& rounds, std::size_t a, std::size_t b, Half half) {
  std::vector<double> ratios;
  for (std::size_t r = static_cast<std::size_t>(half); r < rounds.size(); r += 2) {
    const double ratio = rounds[r][a] / rounds[r][b];
    if (!std::isnan(ratio)) ratios.push_back(ratio);
  }
  return median_interval(ratios);
}

std::size_t fastest_of(const Rounds& rounds) {
  std::size_t fastest = 0;
  double least = median(times_in(rounds, 0, Half::odd));
  for (std::size_t i = 1; i < rounds.front().size(); ++i) {
    if (!is_still_in(rounds, i)) continue;
    const double us = median(times_in(rounds, i, Half::odd));
    if (us < least) {
      least = us;
      fastest = i;
    }
  }
  return fastest;
}

}  // namespace redtune::tuner
