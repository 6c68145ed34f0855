// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/agreement/summary.hpp"

#include <algorithm>

#include "bench/compare/statistics.hpp"
#include "tuner/measure/statistics.hpp"

namespace redtune::bench {
namespace {

using tuner::Half;

std::size_t place_of(const Timing& timing, const Settings& settings) {
  const auto found = std::ranges::find(timing.settings, settings);
  return static_cast<std::size_t>(found - timing.settings.begin());
}

std::vector<double> all_times(const Timing& timing, std::size_t place) {
  std::vector<double> times;
  for (const auto& round : timing.rounds) times.push_back(round[place]);
  return times;
}

std::vector<Winner> winners_among(std::span<const Tune> tunes) {
  std::vector<Winner> winners;
  for (const Tune& tune : tunes) {
    if (!tune.went_wrong.empty()) continue;
    auto found = std::ranges::find(winners, tune.settings, &Winner::settings);
    if (found == winners.end()) found = winners.insert(found, Winner{.settings = tune.settings});
    found->seeds.push_back(tune.seed);
    found->told_us.push_back(tune.told_us.median);
  }
  return winners;
}

Interval seconds_of(std::span<const Tune> tunes) {
  std::vector<double> seconds;
  for (const Tune& tune : tunes) {
    if (tune.went_wrong.empty()) seconds.push_back(tune.seconds);
  }
  if (seconds.empty()) return {};
  const auto [least, most] = std::ranges::minmax(seconds);
  return {least, tuner::median(seconds), most};
}

Interval spread_of(const Timing& timing, const std::vector<Winner>& winners) {
  if (winners.size() < 2) return {1, 1, 1};
  std::vector<std::size_t> places;
  for (const Winner& winner : winners) places.push_back(place_of(timing, winner.settings));
  const auto odd_us = [&](std::size_t place) {
    return tuner::median(tuner::times_in(timing.rounds, place, Half::odd));
  };
  const auto [fastest, slowest] = std::ranges::minmax_element(places, {}, odd_us);
  return tuner::ratio_in(timing.rounds, *slowest, *fastest, Half::even);
}

}  // namespace

std::vector<Settings> distinct_winners(std::span<const Tune> tunes) {
  std::vector<Settings> all;
  for (Winner& winner : winners_among(tunes)) all.push_back(std::move(winner.settings));
  return all;
}

Agreement summarized(const Problem& problem, std::vector<Tune> tunes, const Timing* timing) {
  Agreement agreement{.problem = problem, .tunes = std::move(tunes)};
  agreement.winners = winners_among(agreement.tunes);
  agreement.tune_seconds = seconds_of(agreement.tunes);
  if (timing == nullptr || agreement.winners.empty()) return agreement;
  for (Winner& winner : agreement.winners) {
    winner.us = tuner::median_interval(all_times(*timing, place_of(*timing, winner.settings)));
  }
  std::ranges::stable_sort(agreement.winners, {},
                           [](const Winner& winner) { return winner.us->median; });
  agreement.device = timing->device;
  agreement.default_us = tuner::median_interval(all_times(*timing, 0));
  agreement.slowest_to_fastest = spread_of(*timing, agreement.winners);
  agreement.warnings = timing->warnings;
  return agreement;
}

std::optional<Overall> overall(std::span<const Agreement> all) {
  std::vector<double> ratios;
  Overall result;
  for (const Agreement& one : all) {
    if (!one.slowest_to_fastest) continue;
    const double ratio = ratios.emplace_back(one.slowest_to_fastest->median);
    if (ratio <= result.largest) continue;
    result.largest = ratio;
    result.largest_of = describe(one.problem);
  }
  if (ratios.empty()) return std::nullopt;
  result.problems = ratios.size();
  result.geometric_mean = compare::geometric_mean(ratios);
  return result;
}

}  // namespace redtune::bench
