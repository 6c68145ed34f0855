// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/row_of_launches/notes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace redtune::bench {
namespace {

/// Signed: a launch may begin after that end.
double us_from(std::uint64_t from, std::uint64_t to) {
  return static_cast<double>(static_cast<std::int64_t>(to - from)) / 1e3;
}

/// Median of what is told of each launch, by its place, from some place on.
template <class Tell>
double median_over(const std::vector<LaunchNote>& launches, std::size_t first, const Tell& tell) {
  std::vector<double> values;
  for (std::size_t i = first; i < launches.size(); ++i) {
    values.push_back(static_cast<double>(tell(i)));
  }
  return median_of(std::move(values));
}

}  // namespace

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

LaunchNote launch_of(std::span<const BlockNote> blocks) {
  LaunchNote note{.begin = blocks[0].begin, .ready = blocks[0].ready, .end = blocks[0].end};
  std::map<std::uint64_t, std::size_t> by_unit;
  for (const BlockNote& block : blocks) {
    note.begin = std::min(note.begin, block.begin);
    note.ready = std::min(note.ready, block.ready);
    note.end = std::max(note.end, block.end);
    note.most = std::max(note.most, ++by_unit[block.unit]);
  }
  note.units = by_unit.size();
  return note;
}

std::size_t most_in_flight(const std::vector<LaunchNote>& launches) {
  std::vector<std::pair<std::uint64_t, int>> changes;  // at one time ends come first
  for (const LaunchNote& launch : launches) {
    changes.emplace_back(launch.begin, 1);
    changes.emplace_back(launch.end, -1);
  }
  std::ranges::sort(changes);
  int now = 0;
  int most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return static_cast<std::size_t>(most);
}

WindowFacts facts_of(const std::vector<LaunchNote>& launches) {
  const auto lead = [&](std::size_t distance) {
    return median_over(launches, distance, [&](std::size_t i) {
      return us_from(launches[i].begin, launches[i - distance].end);
    });
  };
  return {
      .in_flight = most_in_flight(launches),
      .units = median_over(launches, 0, [&](std::size_t i) { return launches[i].units; }),
      .most = median_over(launches, 0, [&](std::size_t i) { return launches[i].most; }),
      .work_us = median_over(
          launches, 0, [&](std::size_t i) { return us_from(launches[i].ready, launches[i].end); }),
      .lead_us = lead(1),
      .lead2_us = lead(2)};
}

}  // namespace redtune::bench
