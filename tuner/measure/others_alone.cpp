// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/others_alone.hpp"

#include <vector>

#include "tuner/measure/statistics.hpp"

namespace redtune::tuner {
namespace {

constexpr std::size_t most_recent = 5;
/// Every so many times it is asked for. What others take changes as slowly as the device's speed.
constexpr std::size_t timed_every = 4;

}  // namespace

double OthersAlone::us(Surrounding surrounding, std::size_t steps, Scheme scheme,
                       double with_executions_us) {
  if (surroundings_.are_empty(surrounding)) return 0;
  Alone& alone = known_[{surrounding, steps, scheme}];
  const auto take = [&] {
    do {
      alone.recent_us.push_back(once(alone, surrounding, steps, scheme));
    } while (alone.recent_us.size() < most_recent);
    if (alone.recent_us.size() > most_recent) alone.recent_us.pop_front();
  };
  const auto us = [&] {
    return median(std::vector(alone.recent_us.begin(), alone.recent_us.end()));
  };
  if (alone.asked++ % timed_every == 0) take();
  if (us() >= with_executions_us) {  // the device was disturbed then, or is now
    alone.recent_us.clear();
    take();
  }
  return us();
}

std::vector<device::Launch> OthersAlone::launches(Surrounding surrounding,
                                                  const Turn& first) const {
  std::vector<device::Launch> launches;
  for (Turn turn = first; turn.i < turn.executions; ++turn.i) {
    surroundings_.append_before(launches, surrounding, slots_.of_warm(turn));
    surroundings_.append_after(launches, surrounding, turn);
  }
  return launches;
}

double OthersAlone::once(Alone& alone, Surrounding surrounding, std::size_t steps, Scheme scheme) {
  keep(two_streams_);
  if (scheme == Scheme::by_host) {
    return device_.time(launches(surrounding, at_one_site(steps))).device_us;
  }
  if (alone.batches.empty()) {
    for (const Turn& first : at_sites(steps)) {
      alone.batches.push_back(device_.prepare(launches(surrounding, first)));
      (void)alone.batches.back()->time();  // brings it to the device
    }
  }
  // As in BatchTimer.
  if (slots_.are_cold()) surroundings_.sweep();
  double us = 0;
  for (const auto& batch : alone.batches) {
    if (!slots_.are_cold()) (void)batch->time();
    us += batch->time().device_us;
  }
  return us;
}

}  // namespace redtune::tuner
