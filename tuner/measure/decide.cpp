// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/decide.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "tuner/measure/statistics.hpp"

namespace redtune::tuner {
namespace {

/// Below it no interval of a median reaches 95 %: five samples lie on one side once in 32 times.
constexpr std::size_t least_samples = 6;

/// Who of those still in cannot be told from the fastest; without itself.
std::vector<std::size_t> ties_of(const Rounds& rounds, std::size_t fastest) {
  std::vector<std::size_t> ties;
  for (std::size_t i = 0; i < rounds.front().size(); ++i) {
    if (i == fastest || !is_still_in(rounds, i)) continue;
    if (ratio_in(rounds, i, fastest, Half::odd).low <= least_gain) ties.push_back(i);
  }
  return ties;
}

bool is_preferable(const FinalistTraits& a, const FinalistTraits& b) {
  if (a.is_standing != b.is_standing) return a.is_standing;
  return std::tie(a.registers, a.shared_bytes, a.rank) <
         std::tie(b.registers, b.shared_bytes, b.rank);
}

/// Whether a tie is as fast as the fastest, and not only within what a tie may be slower.
bool is_as_fast(const Rounds& rounds, std::size_t tie, std::size_t fastest) {
  const Interval slower = ratio_in(rounds, tie, fastest, Half::odd);
  return slower.low <= 1 && slower.median <= 1 + narrow;
}

/// The one to keep of the fastest and its ties. A standing winner may be slower by what a tie may
/// be, so that answers do not change without a reason; being small alone buys no time.
std::size_t preferred_of(const Rounds& rounds, std::size_t fastest,
                         const std::vector<std::size_t>& ties,
                         std::span<const FinalistTraits> traits) {
  std::size_t preferred = fastest;
  if (traits.empty()) return preferred;
  for (const std::size_t i : ties) {
    if (!traits[i].is_standing && !is_as_fast(rounds, i, fastest)) continue;
    if (is_preferable(traits[i], traits[preferred])) preferred = i;
  }
  return preferred;
}

double open_gain_of(const Rounds& rounds, const Decision& decision) {
  double most = 1;
  const auto add = [&](std::size_t i) {
    if (i != 0) most = std::max(most, ratio_in(rounds, 0, i, Half::even).high);
  };
  add(decision.fastest);
  for (const std::size_t tie : decision.ties) add(tie);
  return most;
}

/// In both halves: of equals, one in a thousand shows a gain in the even rounds alone.
bool is_sure_gain(const Rounds& rounds, std::size_t finalist) {
  return std::ranges::all_of(std::array{Half::odd, Half::even}, [&](Half half) {
    return times_in(rounds, finalist, half).size() >= least_samples &&
           ratio_in(rounds, 0, finalist, half).low > least_gain;
  });
}

/// Who of those near the winner is to win by displaced times.
std::optional<std::size_t> best_displaced(const Rounds& rounds, const Decision& decision,
                                          std::span<const FinalistTraits> traits) {
  if (traits.empty()) return std::nullopt;
  double least_us = traits[decision.winner].displaced_us / least_displaced_gain;
  std::optional<std::size_t> best;
  for (const std::size_t i : near_the_winner(rounds, decision)) {
    const double us = traits[i].displaced_us;
    if (us <= 0 || us >= least_us) continue;
    least_us = us;
    best = i;
  }
  return best;
}

}  // namespace

std::vector<std::size_t> near_the_winner(const Rounds& rounds, const Decision& decision) {
  std::vector<std::size_t> near;
  for (std::size_t i = 0; i < rounds.front().size(); ++i) {
    const bool may_win = i == decision.winner || i == 0 || is_sure_gain(rounds, i);
    if (!may_win) continue;
    if (ratio_in(rounds, i, decision.winner, Half::odd).median <= most_for_displaced) {
      near.push_back(i);
    }
  }
  return near;
}

Decision decide(const Rounds& rounds, std::span<const FinalistTraits> traits) {
  Decision decision;
  for (std::size_t i = 0; i < rounds.front().size(); ++i) {
    decision.times_us.push_back(median_interval(times_in(rounds, i, Half::even)));
  }
  decision.fastest = fastest_of(rounds);
  decision.ties = ties_of(rounds, decision.fastest);
  decision.open_gain = open_gain_of(rounds, decision);
  // Who is preferred for its size may be too slow to be worth replacing the default.
  for (const std::size_t i :
       {preferred_of(rounds, decision.fastest, decision.ties, traits), decision.fastest}) {
    decision.gain = ratio_in(rounds, 0, i, Half::even);
    decision.significant = is_sure_gain(rounds, i);
    if (!decision.significant) continue;
    decision.winner = i;
    break;
  }
  if (std::ranges::any_of(traits, [](const auto& one) { return one.displaced_us > 0; })) {
    for (const FinalistTraits& one : traits) decision.displaced_us.push_back(one.displaced_us);
  }
  if (const auto displaced = best_displaced(rounds, decision, traits)) {
    decision.passed_over = std::exchange(decision.winner, *displaced);
    // Of a default that is kept, what is given up.
    const std::size_t compared = decision.winner == 0 ? *decision.passed_over : decision.winner;
    decision.gain = ratio_in(rounds, 0, compared, Half::even);
    decision.significant = decision.winner != 0;
  }
  return decision;
}

}  // namespace redtune::tuner
