// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/final_rounds.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace redtune::tuner {
namespace {

/// Six odd rounds: fewer have no 95 % interval, and say nothing of a gain.
constexpr std::size_t rounds_before_dropping = 12;
/// Before that drops out who was behind in each round, by so much that the halves do not matter.
constexpr std::size_t rounds_before_a_look = 6;
constexpr double far_behind = 1.01;

/// Whether more rounds would not change what is said of the fastest against the default.
bool is_gain_settled(const Interval& gain, double within) {
  const bool is_sure = gain.low > least_gain || gain.high < least_gain;
  return is_sure || gain.high - gain.low < within * gain.median;
}

}  // namespace

bool is_clearly_slower(const Rounds& rounds, std::size_t finalist, std::size_t fastest) {
  return ratio_in(rounds, finalist, fastest, Half::odd).low > least_gain;
}

bool is_clear(const Rounds& rounds, double within) {
  const std::size_t fastest = fastest_of(rounds);
  for (std::size_t i = 0; i < rounds.front().size(); ++i) {
    if (i == fastest || !is_still_in(rounds, i)) continue;
    if (ratio_in(rounds, i, fastest, Half::odd).low < 1 - within) return false;
  }
  return fastest == 0 || is_gain_settled(ratio_in(rounds, 0, fastest, Half::odd), within);
}

FinalRounds::FinalRounds(std::vector<Batches> finalists, const FinalLimits& limits,
                         std::uint64_t seed)
    : finalists_(std::move(finalists)), limits_(limits), random_(seed), in_(finalists_.size()) {
  std::iota(in_.begin(), in_.end(), std::size_t{0});
}

Rounds FinalRounds::run(const std::function<Seconds()>& now) {
  const Seconds begin = now();
  std::optional<Seconds> stopped_at;
  while (true) {
    rounds_.push_back(round());
    if (rounds_.size() < 2) continue;
    if (rounds_.size() >= limits_.most_rounds) return rounds_;
    const bool can_tell = rounds_.size() >= rounds_before_dropping;
    if (is_stopped()) {
      if (!stopped_at) stopped_at = now();
      if (can_tell || now() - *stopped_at >= limits_.most_time_once_stopped) return rounds_;
    }
    // What is chosen by is known only after the odd rounds, the second of each pair.
    if (rounds_.size() % 2 == 1) continue;
    if (rounds_.size() >= limits_.least_rounds) {
      const Seconds took = now() - begin;
      if (took >= limits_.most_time || (can_tell && is_clear(rounds_, within_after(took)))) {
        return rounds_;
      }
    }
    if (can_tell) {
      drop_the_slow();
    } else if (rounds_.size() >= rounds_before_a_look) {
      drop_who_is_far_behind();
    }
  }
}

double FinalRounds::within_after(Seconds took) const {
  if (took >= limits_.time_for_wide) return 4 * narrow;
  return took >= limits_.time_for_narrow ? 2 * narrow : narrow;
}

std::vector<double> FinalRounds::round() {
  std::vector<double> times(finalists_.size(), std::numeric_limits<double>::quiet_NaN());
  random_.shuffle(std::span(in_));
  for (const std::size_t i : in_) times[i] = finalists_[i].sample();
  return times;
}

bool FinalRounds::is_stopped() const {
  return limits_.stop != nullptr && *limits_.stop;
}

void FinalRounds::drop_who_is_far_behind() {
  const std::size_t fastest = fastest_of(rounds_);
  std::erase_if(in_, [&](std::size_t i) {
    return i != 0 && std::ranges::all_of(rounds_, [&](const auto& times) {
             return times[i] > far_behind * times[fastest];
           });
  });
}

void FinalRounds::drop_the_slow() {
  const std::size_t fastest = fastest_of(rounds_);
  std::erase_if(in_,
                [&](std::size_t i) { return i != 0 && is_clearly_slower(rounds_, i, fastest); });
}

}  // namespace redtune::tuner
