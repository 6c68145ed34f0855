// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/others_alone.hpp"

#include <vector>

#include "tuner/measure/statistics.hpp"

namespace redtune::tuner {
namespace {

constexpr std::size_t most_recent = 5;

}  // namespace

double OthersAlone::us(Surrounding surrounding, std::size_t steps, Scheme scheme) {
  if (surrounding == Surrounding::itself) return 0;
  Alone& alone = known_[{surrounding, steps, scheme}];
  do {
    alone.recent_us.push_back(once(alone, surrounding, steps, scheme));
  } while (alone.recent_us.size() < most_recent);
  if (alone.recent_us.size() > most_recent) alone.recent_us.pop_front();
  return median(std::vector(alone.recent_us.begin(), alone.recent_us.end()));
}

std::vector<device::Launch> OthersAlone::launches(Surrounding surrounding,
                                                  std::size_t steps) const {
  std::vector<device::Launch> launches;
  for (std::size_t i = 0; i < steps; ++i) {
    launches.push_back(surroundings_.before(surrounding, slots_.of_warm({i, steps})));
    launches.push_back(surroundings_.after({i, steps}));
  }
  return launches;
}

double OthersAlone::once(Alone& alone, Surrounding surrounding, std::size_t steps, Scheme scheme) {
  if (scheme == Scheme::by_host) {
    const auto all = launches(surrounding, steps);
    keep(two_streams_);
    return device_.time(all).device_us;
  }
  if (!alone.batch) alone.batch = device_.prepare(launches(surrounding, steps));
  keep(two_streams_);
  (void)alone.batch->time();  // brings a graph to the device, as in BatchTimer
  return alone.batch->time().device_us;
}

}  // namespace redtune::tuner
