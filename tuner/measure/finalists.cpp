// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/finalists.hpp"

#include <algorithm>

namespace redtune::tuner {
namespace {

constexpr std::size_t one_of_best = 50;  // 2 %

}  // namespace

std::vector<CandidateId> choose_finalists(std::span<const TimedCandidate> candidates,
                                          const FinalistRules& rules) {
  std::vector<CandidateId> finalists{rules.default_candidate};
  if (rules.standing && rules.standing != rules.default_candidate) {
    finalists.push_back(*rules.standing);
  }
  std::vector<TimedCandidate> ranking(candidates.begin(), candidates.end());
  std::ranges::sort(ranking, {}, [](const TimedCandidate& one) {
    return std::pair{one.time_us.median, one.candidate};
  });
  const std::size_t surely_in = std::max(rules.best, ranking.size() / one_of_best);
  std::size_t place = 0;
  for (const auto& [candidate, time] : ranking) {
    const bool is_near = time.median <= (1 + rules.noise_floor) * ranking.front().time_us.median;
    if (finalists.size() > most_finalists || (place >= surely_in && !is_near)) break;
    ++place;
    if (std::ranges::find(finalists, candidate) == finalists.end()) finalists.push_back(candidate);
  }
  return finalists;
}

}  // namespace redtune::tuner
