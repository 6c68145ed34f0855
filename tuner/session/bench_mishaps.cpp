// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What BenchEvaluator makes of mishaps: who is asked again, who is left out, when the run ends.
#include <fmt/format.h>
#include <utility>

#include "tuner/session/bench_evaluator.hpp"

namespace redtune::tuner {
namespace {

using cache::ExclusionScope;

/// A config that ruins the device so often, whatever state that was in, is to blame.
constexpr int most_faults = 2;
/// How much slower the default may be after a worker has died, where time is the device's own.
constexpr double healthy_time = 1.05;
constexpr int health_samples = 5;

}  // namespace

std::optional<Outcome> BenchEvaluator::outcome_after(const BenchMishap& mishap, Course& course) {
  const std::string why = mishap.what();
  switch (mishap.mishap()) {
    case Mishap::refused:
      return excluded(course.point, ExclusionScope::device, LaunchFailed{why});
    case Mishap::out_of_memory:
      if (course.was_out_of_memory) {
        return excluded(course.point, ExclusionScope::problem, LaunchFailed{why});
      }
      course.was_out_of_memory = true;
      workbench_.replace();
      return std::nullopt;
    case Mishap::stale_fault:
      blame_the_one_before();
      if (++course.stale_faults < most_faults) return std::nullopt;
      [[fallthrough]];
    case Mishap::fault:
    case Mishap::died:
    case Mishap::hung: {
      ++course.faults;
      casualties_.died(settings_of(course.point));
      const bool is_healthy = recover(course.point);
      if (mishap.mishap() == Mishap::hung) {
        return excluded(course.point, ExclusionScope::device, TimedOut{why});
      }
      if (!is_healthy && course.faults < most_faults) return std::nullopt;
      return excluded(course.point, ExclusionScope::device, Crashed{why});
    }
    case Mishap::unreapable:
      break;
  }
  throw DeviceUnhealthy(
      fmt::format("{}; the run goes on from here when the device works again", why));
}

Outcome BenchEvaluator::excluded(const search::Point& point, ExclusionScope scope,
                                 Outcome outcome) {
  ledger_.exclude(settings_of(point), scope, outcome);
  return outcome;
}

bool BenchEvaluator::default_does_well() {
  try {
    const CandidateId id = ids_.at(default_);
    if (!workbench_.why_wrong(id).empty()) return false;
    if (!is_calibrated_) return true;
    double best = 0;
    for (int i = 0; i < health_samples; ++i) {
      const Sample sample = workbench_.sample({.candidate = id, .executions = 16});
      if (!sample.pace_us) return true;  // the host's clock tells of the host's other work as well
      if (i == 0 || sample.us() < best) best = sample.us();
    }
    const Calibration& normal = protocol_.calibration();
    return best <= normal.default_us * (healthy_time + normal.noise_floor);
  } catch (const BenchMishap&) {
    return false;
  }
}

bool BenchEvaluator::recover(const search::Point& culprit) {
  if (culprit == default_) return false;  // there is nothing to tell health by
  if (default_does_well()) return true;
  for (const Seconds& rest : setup_.recovery) {
    workbench_.wait(rest);
    workbench_.replace();
    if (default_does_well()) return false;
  }
  throw DeviceUnhealthy(
      "after a config ruined it the device does not run the default configuration as before, even "
      "after resting; look into the driver's log, then run the same command again: it goes on "
      "from here");
}

/// A fault came to light before the candidate at hand had done anything.
void BenchEvaluator::blame_the_one_before() {
  if (!before_) return;
  const CandidateId suspect = *std::exchange(before_, std::nullopt);
  const search::Point point = points_.at(suspect);
  const auto found_out = [&](Outcome outcome) {
    protocol_.forget(suspect);
    found_out_.push_back({point, std::move(outcome)});
  };
  try {
    std::string why = workbench_.why_wrong(suspect);
    if (!why.empty()) found_out(WrongResult{std::move(why)});
  } catch (const BenchMishap& mishap) {
    casualties_.died(settings_of(point));
    found_out(excluded(point, ExclusionScope::device, Crashed{mishap.what()}));
  }
}

Update BenchEvaluator::update_after(const BenchMishap& mishap) {
  if (mishap.mishap() == Mishap::unreapable || !workbench_.last_used() ||
      points_.at(*workbench_.last_used()) == default_) {
    throw DeviceUnhealthy(mishap.what());
  }
  const CandidateId id = *workbench_.last_used();
  const search::Point point = points_.at(id);
  protocol_.forget(id);
  if (!is_survived(mishap.mishap())) {
    casualties_.died(settings_of(point));
    (void)recover(point);
  }
  return {point, excluded(point, ExclusionScope::device, Crashed{mishap.what()})};
}

}  // namespace redtune::tuner
