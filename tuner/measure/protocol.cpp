// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/protocol.hpp"

#include <algorithm>
#include <map>

#include "tuner/measure/batch_size.hpp"
#include "tuner/measure/calibrate.hpp"
#include "tuner/measure/clock_guard.hpp"
#include "tuner/measure/drift.hpp"
#include "tuner/measure/final_rounds.hpp"
#include "tuner/measure/race.hpp"
#include "tuner/measure/standings.hpp"
#include "tuner/measure/statistics.hpp"

namespace redtune::tuner {
namespace {

/// Who is timed again when the device's speed jumped.
constexpr double near_the_fastest = 1.03;
constexpr std::size_t most_near = 16;
/// For each figure beside the score, where one problem of many is tuned.
constexpr std::size_t samples_of_brief_figures = 5;
/// Differences that matter there are of many percent.
constexpr std::size_t displaced_rounds = 9;
constexpr std::size_t brief_displaced_rounds = 5;

Interval over(const Interval& time, double factor) {
  return {time.low / factor, time.median / factor, time.high / factor};
}

}  // namespace

struct Protocol::State {
  State(Sampler& the_sampler, const MeasureTask& the_task)
      : sampler(the_sampler), task(the_task), guard(the_sampler, task, calibration) {}

  [[nodiscard]] double batch_us() const { return batch_us_for(calibration.resolution_us); }
  [[nodiscard]] Batches warm(const BatchOrder& order, Phase phase) {
    Batches batches(guard, order, phase);
    batches.single();
    batches.warm_up(batch_us());
    return batches;
  }
  /// At the device's present speed.
  [[nodiscard]] Interval time(CandidateId candidate) {
    return median_interval(warm({candidate}, Phase::search).samples(race_samples));
  }
  [[nodiscard]] double look_at_reference();
  /// Warm, in batches of one size.
  [[nodiscard]] std::vector<Batches> warm_alike(std::span<const CandidateId> finalists,
                                                bool are_displaced);

  Sampler& sampler;
  MeasureTask task;
  Calibration calibration;
  ClockGuard guard;
  Standings standings;
  Drift drift;
  /// Who tells how fast the device is. Never whoever is the fastest: who leads has been lucky, and
  /// what it lacks at the next look would be taken for a slower device, again and again.
  TimedCandidate reference;
  bool is_assumed = false;  ///< the reference's time is of an earlier session
};

/// The reference's time now / expected. A jump must be seen twice.
double Protocol::State::look_at_reference() {
  const double expected = reference.time_us.median * drift.factor();
  const BatchOrder order{reference.candidate};
  auto times = warm(order, Phase::search).samples(race_samples);
  if (Drift::is_jump(median(times) / expected)) {
    const auto more = warm(order, Phase::search).samples(race_samples);
    times.insert(times.end(), more.begin(), more.end());
  }
  return median(times) / expected;
}

std::vector<Batches> Protocol::State::warm_alike(std::span<const CandidateId> finalists,
                                                 bool are_displaced) {
  std::vector<Batches> all;
  for (const CandidateId finalist : finalists) {
    all.push_back(warm({.candidate = finalist, .is_displaced = are_displaced}, Phase::final));
  }
  // What stands around them costs all the same only in batches of the same size, unless each
  // execution is timed by itself.
  const bool is_any_size = std::ranges::all_of(all, &Batches::is_one_by_one);
  const std::size_t executions = std::ranges::max(all, {}, &Batches::executions).executions();
  for (Batches& one : all) {
    if (!is_any_size) one.resize(executions);
  }
  return all;
}

Protocol::Protocol(Sampler& sampler, const MeasureTask& task)
    : state_(std::make_unique<State>(sampler, task)) {}

Protocol::~Protocol() = default;

const Calibration& Protocol::calibrate(CandidateId default_candidate) {
  state_->calibration = tuner::calibrate(state_->sampler, state_->task, default_candidate);
  const double us = state_->calibration.default_us;
  state_->standings.set(default_candidate, {us, us, us});
  state_->reference = {default_candidate, {us, us, us}};
  const Seconds now = state_->sampler.now();
  state_->drift.looked(now, now);
  return state_->calibration;
}

Raced Protocol::race(CandidateId candidate) {
  State& state = *state_;
  const double batch_us = state.batch_us();
  // Nobody races against himself: the default is known from the calibration.
  const bool is_alone = state.standings.fastest() == candidate;
  const double fastest_us = is_alone ? 0 : state.standings.fastest_us() * state.drift.factor();
  Batches batches(state.guard, {candidate}, Phase::search);
  Raced raced = tuner::race(batches, batch_us, state.task.in_full ? 0 : fastest_us);
  if (!raced.is_hopeless && (fastest_us == 0 || raced.time_us.median < fastest_us)) {
    // All others will be compared with it: it must not be the fastest by luck.
    raced.time_us = median_interval(batches.samples(race_samples));
    raced.samples += static_cast<int>(race_samples);
  }
  raced.time_us = over(raced.time_us, state.drift.factor());
  if (!raced.is_hopeless) state.standings.set(candidate, raced.time_us);
  state.drift.count_race();
  return raced;
}

void Protocol::assume(CandidateId candidate, const Interval& time_us) {
  State& state = *state_;
  state.standings.set(candidate, time_us);
  const bool is_first = !state.is_assumed && state.standings.fastest() == candidate;
  if (candidate != state.reference.candidate && !is_first) return;
  // The device may have had another speed then: to be taken for drift, from now on.
  state.reference = {candidate, time_us};
  state.is_assumed = true;
  state.drift.expire();
}

void Protocol::forget(CandidateId candidate) {
  State& state = *state_;
  state.standings.remove(candidate);
  const auto fastest = state.standings.fastest();
  if (candidate != state.reference.candidate || !fastest) return;
  state.reference = {*fastest, state.standings.time_of(*fastest)};
}

std::vector<Retimed> Protocol::refresh() {
  State& state = *state_;
  const auto fastest = state.standings.fastest();
  const Seconds begin = state.sampler.now();
  if (!fastest || !state.drift.is_due(begin)) return {};
  const double changed = state.look_at_reference();
  state.drift.follow(changed);
  std::vector<CandidateId> again;
  if (Drift::is_jump(changed)) {
    again = state.standings.nearest(near_the_fastest, most_near);
  } else if (fastest != state.reference.candidate) {
    again = {*fastest};  // who leads by luck does not lead for long
  }
  std::vector<Retimed> retimed;
  for (const CandidateId one : again) {
    retimed.push_back({one, over(state.time(one), state.drift.factor())});
  }
  for (const auto& [candidate, time] : retimed) state.standings.set(candidate, time);
  state.drift.looked(begin, state.sampler.now());
  return retimed;
}

Rounds Protocol::confirm(std::span<const CandidateId> finalists, const FinalLimits& limits) {
  if (finalists.empty()) return {};
  return FinalRounds(state_->warm_alike(finalists, false), limits, state_->task.seed).run([this] {
    return state_->sampler.now();
  });
}

Rounds Protocol::displaced(std::span<const CandidateId> finalists) {
  if (finalists.empty()) return {};
  const std::size_t rounds = state_->task.is_brief ? brief_displaced_rounds : displaced_rounds;
  const FinalLimits limits{.least_rounds = rounds, .most_rounds = rounds};
  return FinalRounds(state_->warm_alike(finalists, true), limits, state_->task.seed).run([this] {
    return state_->sampler.now();
  });
}

Figures Protocol::figures(CandidateId candidate) {
  const std::size_t samples = state_->task.is_brief ? samples_of_brief_figures : race_samples;
  Figures figures;
  Batches between = state_->warm({.candidate = candidate}, Phase::search);
  Batches lengthy = between;
  lengthy.resize(std::min(4 * between.executions(), most_executions));
  std::map<Surrounding, std::vector<double>> shares;
  std::vector<double> usual;
  std::vector<double> longer;
  while (usual.size() < samples) {
    const Sample sample = between.whole_sample();
    for (const TimedBatch& batch : sample.batches) {
      shares[batch.surrounding].push_back(sample.share_us(batch));
    }
    usual.push_back(sample.us());
    longer.push_back(lengthy.sample());
  }
  for (const auto& [surrounding, us] : shares) {
    figures.shares_us.emplace_back(surrounding, median(us));
  }
  figures.usual_us = median(usual);
  figures.longer_us = median(longer);
  const auto median_of = [&](Scheme scheme) {
    const BatchOrder order{.candidate = candidate, .scheme = scheme};
    return median(state_->warm(order, Phase::search).samples(samples));
  };
  figures.stream_us = median_of(Scheme::by_host);
  figures.row_us = median_of(Scheme::row);
  return figures;
}

const Calibration& Protocol::calibration() const {
  return state_->calibration;
}

}  // namespace redtune::tuner
