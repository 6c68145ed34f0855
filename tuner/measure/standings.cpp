// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/standings.hpp"

#include <algorithm>

namespace redtune::tuner {

void Standings::set(CandidateId candidate, const Interval& time_us) {
  times_[candidate] = time_us;
  if (candidate == fastest_) {
    find_fastest();
  } else if (!fastest_ || time_us.median < fastest_us()) {
    fastest_ = candidate;
  }
}

void Standings::remove(CandidateId candidate) {
  times_.erase(candidate);
  if (candidate == fastest_) find_fastest();
}

double Standings::fastest_us() const {
  return fastest_ ? times_.at(*fastest_).median : 0;
}

std::vector<CandidateId> Standings::nearest(double factor, std::size_t most) const {
  std::vector<std::pair<double, CandidateId>> near;
  for (const auto& [candidate, time] : times_) {
    if (candidate != fastest_ && time.median <= factor * fastest_us()) {
      near.emplace_back(time.median, candidate);
    }
  }
  std::ranges::sort(near);
  near.resize(std::min(near.size(), most));
  std::vector<CandidateId> candidates;
  if (fastest_) candidates.push_back(*fastest_);
  for (const auto& [us, candidate] : near) candidates.push_back(candidate);
  return candidates;
}

void Standings::find_fastest() {
  fastest_.reset();
  for (const auto& [candidate, time] : times_) {
    if (!fastest_ || time.median < fastest_us()) fastest_ = candidate;
  }
}

}  // namespace redtune::tuner
