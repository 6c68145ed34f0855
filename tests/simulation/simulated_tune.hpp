// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A whole tuning by numbers: every candidate raced in random order, the best in a final, a verdict.
#pragma once

#include <map>
#include <numeric>
#include <vector>

#include "search/rng.hpp"
#include "tests/simulation/simulated_sampler.hpp"
#include "tuner/measure/decide.hpp"
#include "tuner/measure/finalists.hpp"
#include "tuner/measure/protocol.hpp"

namespace redtune::tuner {

struct SimulatedTune {
  Calibration calibration;
  std::vector<CandidateId> finalists;
  Decision decision;
  std::size_t search_samples = 0;  ///< calibration included
  std::size_t final_samples = 0;
  std::size_t rounds = 0;
  std::size_t retimed = 0;
  Seconds took{0};

  [[nodiscard]] CandidateId winner() const { return finalists[decision.winner]; }
  [[nodiscard]] bool replaced_the_default() const { return decision.winner != 0; }
};

/// How much longer the winner truly takes than the best of so many candidates, as a share.
[[nodiscard]] inline double regret_of(const SimulatedTune& tune, const SimulatedWorld& world) {
  const double best = *std::ranges::min_element(world.true_us);
  return world.true_us.at(static_cast<std::size_t>(tune.winner())) / best - 1;
}

/// How it is tuned, unless as usual.
struct SimulatedTerms {
  bool accepts_noise = false;
  FinalLimits final_limits = {};
};

/// Candidate 0 is the default. traits_of: what decides between equals, by candidate; may be empty.
[[nodiscard]] inline SimulatedTune simulate_tune(const SimulatedWorld& world, std::uint64_t seed,
                                                 std::span<const FinalistTraits> traits_of = {},
                                                 const SimulatedTerms& terms = {}) {
  SimulatedSampler sampler(world, seed);
  Protocol protocol(sampler, {.seed = seed, .accept_noise = terms.accepts_noise});
  SimulatedTune tune;
  tune.calibration = protocol.calibrate(CandidateId{0});

  std::vector<CandidateId> order;
  for (std::size_t i = 1; i < world.true_us.size(); ++i) order.push_back(CandidateId{i});
  search::Rng(seed).shuffle(std::span(order));
  order.insert(order.begin(), CandidateId{0});
  std::map<CandidateId, Interval> times;
  for (const CandidateId candidate : order) {
    const Raced raced = protocol.race(candidate);
    if (!raced.is_hopeless) times[candidate] = raced.time_us;
    for (const auto& [again, time] : protocol.refresh()) {
      times[again] = time;
      ++tune.retimed;
    }
  }
  tune.search_samples = sampler.orders.size();

  std::vector<TimedCandidate> candidates;
  for (const auto& [candidate, time] : times) candidates.push_back({candidate, time});
  tune.finalists = choose_finalists(
      candidates, {.noise_floor = tune.calibration.noise_floor, .default_candidate = {}});
  const Rounds rounds = protocol.confirm(tune.finalists, terms.final_limits);
  std::vector<FinalistTraits> traits;
  for (const CandidateId finalist : tune.finalists) {
    if (!traits_of.empty()) traits.push_back(traits_of[static_cast<std::size_t>(finalist)]);
  }
  tune.decision = decide(rounds, traits);
  tune.rounds = rounds.size();
  tune.final_samples = sampler.orders.size() - tune.search_samples;
  tune.took = sampler.now();
  return tune;
}

}  // namespace redtune::tuner
