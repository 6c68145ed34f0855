// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What BenchEvaluator makes of mishaps: who is asked again, who is left out, when the run ends.
#include <fmt/format.h>
#include <utility>

#include "tuner/measure/batch_size.hpp"
#include "tuner/session/bench_evaluator.hpp"

namespace redtune::tuner {
namespace {

using cache::ExclusionScope;

/// A config that ruins the device so often, whatever state that was in, is to blame.
constexpr int most_faults = 2;
/// How much slower the default may be after a worker has died, where time is the device's own.
constexpr double healthy_time = 1.05;
constexpr int health_samples = 5;
constexpr int health_wake_ups = 3;  // before them, since the device has rested
constexpr double health_batch_us = 1000;

}  // namespace

std::optional<Outcome> BenchEvaluator::outcome_after(const BenchMishap& mishap, TrialState& trial) {
  const std::string why = mishap.what();
  switch (mishap.mishap()) {
    case Mishap::refused:
      return excluded(trial.point, ExclusionScope::device, LaunchFailed{why});
    case Mishap::out_of_memory:
      if (trial.was_out_of_memory) {
        return excluded(trial.point, ExclusionScope::problem, LaunchFailed{why});
      }
      trial.was_out_of_memory = true;
      workbench_.replace();
      return std::nullopt;
    case Mishap::stale_fault:
      verify_previous();
      if (++trial.stale_faults < most_faults) return std::nullopt;
      [[fallthrough]];
    case Mishap::fault:
    case Mishap::died:
    case Mishap::hung: {
      ++trial.faults;
      lost_workers_.died(settings_of(trial.point));
      const bool is_healthy = recover(trial.point);
      if (mishap.mishap() == Mishap::hung) {
        return excluded(trial.point, ExclusionScope::device, TimedOut{why});
      }
      if (!is_healthy && trial.faults < most_faults) return std::nullopt;
      return excluded(trial.point, ExclusionScope::device, Crashed{why});
    }
    case Mishap::not_ready:
      // Nobody was at work yet. The device gets its rest and one more chance.
      if (trial.was_not_ready) break;
      trial.was_not_ready = true;
      (void)recover(trial.point);
      return std::nullopt;
    case Mishap::unreapable:
      break;
  }
  throw DeviceUnhealthy(
      fmt::format("{}; the run goes on from here when the device works again", why));
}

Outcome BenchEvaluator::excluded(const search::Point& point, ExclusionScope scope,
                                 Outcome outcome) {
  if (point != default_) ledger_.exclude(settings_of(point), scope, outcome);
  return outcome;
}

bool BenchEvaluator::is_default_healthy() {
  try {
    const CandidateId id = ids_.at(default_);
    if (!workbench_.why_wrong(id).empty()) return false;
    if (!is_calibrated_) return true;
    const Calibration& normal = protocol_.calibration();
    const BatchOrder order{.candidate = id,
                           .executions = executions_for(normal.default_us, health_batch_us)};
    double best = 0;
    for (int i = 0; i < health_wake_ups + health_samples; ++i) {
      const Sample sample = workbench_.sample(order);
      // The host's clock tells of the host's other work as well.
      if (!sample.pace_us || !normal.pace_us) return true;
      // At the speed that the device's clock has now.
      const double us = sample.us() * *normal.pace_us / *sample.pace_us;
      if (i >= health_wake_ups && (best == 0 || us < best)) best = us;
    }
    return best <= normal.default_us * (healthy_time + normal.noise_floor);
  } catch (const BenchMishap&) {
    return false;
  }
}

bool BenchEvaluator::recover(const search::Point& culprit) {
  if (culprit == default_) return false;  // there is nothing to tell health by
  if (is_default_healthy()) return true;
  for (const Seconds& rest : setup_.recovery) {
    workbench_.wait(rest);
    workbench_.replace();
    if (is_default_healthy()) return false;
  }
  throw DeviceUnhealthy(
      "a config left the device in a state in which it no longer runs the default configuration as "
      "before, even after resting; look into the driver's log, then run the same command again: it "
      "goes on from here");
}

/// A fault came to light before the candidate at hand had done anything.
void BenchEvaluator::verify_previous() {
  if (!before_) return;
  const CandidateId suspect = *std::exchange(before_, std::nullopt);
  const search::Point point = points_.at(suspect);
  const auto disqualify = [&](Outcome outcome) {
    protocol_.forget(suspect);
    disqualified_.push_back({point, std::move(outcome)});
  };
  try {
    std::string why = workbench_.why_wrong(suspect);
    if (!why.empty()) disqualify(WrongResult{std::move(why)});
  } catch (const BenchMishap& mishap) {
    if (mishap.mishap() == Mishap::unreapable || point == default_) {
      throw DeviceUnhealthy(mishap.what());
    }
    const bool is_ruin = mishap.mishap() == Mishap::fault || mishap.mishap() == Mishap::died ||
                         mishap.mishap() == Mishap::hung;
    if (!is_ruin) return;
    lost_workers_.died(settings_of(point));
    disqualify(excluded(point, ExclusionScope::device, Crashed{mishap.what()}));
  }
}

Update BenchEvaluator::update_after(const BenchMishap& mishap) {
  // What was broken before this one came is the fault of the one before.
  const auto culprit =
      mishap.mishap() == Mishap::stale_fault ? workbench_.used_before() : workbench_.last_used();
  const bool is_nobodys =
      mishap.mishap() == Mishap::unreapable || mishap.mishap() == Mishap::not_ready;
  if (is_nobodys || !culprit || points_.at(*culprit) == default_) {
    throw DeviceUnhealthy(mishap.what());
  }
  const search::Point point = points_.at(*culprit);
  const std::string why = mishap.what();
  protocol_.forget(*culprit);
  switch (mishap.mishap()) {
    case Mishap::refused:
      return {point, excluded(point, ExclusionScope::device, LaunchFailed{why})};
    case Mishap::out_of_memory:
      workbench_.replace();
      return {point, excluded(point, ExclusionScope::problem, LaunchFailed{why})};
    default:
      break;
  }
  lost_workers_.died(settings_of(point));
  (void)recover(point);
  if (mishap.mishap() == Mishap::hung) {
    return {point, excluded(point, ExclusionScope::device, TimedOut{why})};
  }
  return {point, excluded(point, ExclusionScope::device, Crashed{why})};
}

}  // namespace redtune::tuner
